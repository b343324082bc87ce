"""The terminal screens. They see the desk and the words, never the store."""
