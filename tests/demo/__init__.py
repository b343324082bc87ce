"""The demo, as a stranger runs it."""
