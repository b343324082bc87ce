"""Measures on labelled files."""
