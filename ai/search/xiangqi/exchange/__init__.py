"""Static exchange evaluation."""
