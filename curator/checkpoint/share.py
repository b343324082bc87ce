"""Sharing a number of tokens among texts: the longest are cut to one common share, the short ones stay whole.

Owns the arithmetic (water-filling) and the cut of one text, which never falls inside a character as a reader sees it.
"""

from collections.abc import Sequence

from curator.plain import fitting
from curator.ports import Count


def level(sizes: Sequence[int], total: int) -> int:
    """The largest share `s` with `sum(min(size, s)) <= total`; the largest size where all fit, 0 where nothing does."""
    left, rest = total, sorted(sizes)
    for at, size in enumerate(rest):
        share = max(0, left) // (len(rest) - at)
        if size > share:
            return share
        left -= size
    return max(sizes, default=0)


def cut(text: str, limit: int, count: Count) -> str:
    """The longest beginning of a text with at most `limit` raw tokens."""
    if limit <= 0:
        return ""
    text = text[: limit * 16] if len(text) > limit * 32 else text  # so that a huge message is not counted whole
    return fitting(text, lambda part: count(part) <= limit)
