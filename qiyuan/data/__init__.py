"""Files that belong to the application."""
