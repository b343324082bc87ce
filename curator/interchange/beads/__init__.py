"""Beads JSONL, the format of `bd` and `br`: in as proposals, out without a changed byte where nothing changed."""
