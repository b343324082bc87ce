"""Proofs about the one door in."""
