"""What a client's hook runs: standard library only, fail-open, never the store, never a model."""

from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Answer one event; always 0."""
    del argv
    return 0
