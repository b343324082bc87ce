"""Proofs about the store."""
