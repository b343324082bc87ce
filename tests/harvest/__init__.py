"""Proofs about the way from a conversation to notes."""
