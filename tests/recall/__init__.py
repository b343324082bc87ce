"""Proofs about searching and reading."""
