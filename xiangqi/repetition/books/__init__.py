"""The rule books, one TOML file each."""
