"""Proofs about what is known of each client."""
