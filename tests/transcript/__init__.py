"""Proofs about reading transcripts."""
