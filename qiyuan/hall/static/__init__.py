"""Files of the pages, read once at the start."""
