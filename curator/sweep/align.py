"""Two sequences aligned to the letter as `difflib.SequenceMatcher` without junk does it, at a fraction of its cost.

Owns the alignment only. `difflib` looks at every pair of equal letters; searching one string for growing pieces of the
other does the same by a few hundred searches, and a list of words is such a string once each word is one letter.
"""

from collections.abc import Sequence

Change = tuple[int, int, int, int]
"""Where the sequences differ: from, to in the first; from, to in the second; one of the two stretches may be empty."""


def ratio(one: str, two: str) -> float:
    """How alike two strings are, 0..1: twice the letters in aligned stretches over all letters."""
    size = len(one) + len(two)
    return 2.0 * sum(length for _, _, length in _blocks(one, two)) / size if size else 1.0


def changes(one: Sequence[str], two: Sequence[str]) -> list[Change]:
    """Every place where two lists of words differ, in order."""
    letters: dict[str, str] = {}
    first, second = ("".join(letters.setdefault(word, chr(len(letters))) for word in side) for side in (one, two))
    found: list[Change] = []
    a = b = 0
    for i, j, length in [*sorted(_blocks(first, second)), (len(first), len(second), 0)]:
        if a < i or b < j:
            found.append((a, i, b, j))
        a, b = i + length, j + length
    return found


def _blocks(one: str, two: str) -> list[tuple[int, int, int]]:
    """The aligned stretches (start in each, length), in no order: the longest, then the same on either side of it."""
    found: list[tuple[int, int, int]] = []
    waiting = [(0, len(one), 0, len(two))]
    while waiting:
        a, a_end, b, b_end = waiting.pop()
        i, j, length = _longest(one, two, a, a_end, b, b_end)
        if length:
            found.append((i, j, length))
            waiting += [(a, i, b, j), (i + length, a_end, j + length, b_end)]
    return found


def _longest(one: str, two: str, a: int, a_end: int, b: int, b_end: int) -> tuple[int, int, int]:
    """The longest stretch that both parts hold; of several the first in `one`, then the first in `two`."""
    best, length = a, 0
    most = b_end - b
    start = a
    while start + length < a_end and length < most:
        if two.find(one[start : start + length + 1], b, b_end) < 0:
            start += 1
        else:
            best, length = start, length + 1
    return best, two.find(one[best : best + length], b, b_end), length
