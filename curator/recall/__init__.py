"""Search and reading."""
