"""The documentation says what the program does."""
