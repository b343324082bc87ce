"""What a client's hook runs: standard library only, fail-open, never the store, never a model."""
