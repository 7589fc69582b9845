"""What a view deduces with certainty, and full positions that it does not rule out."""
