"""Which entries say nearly the same, so that the pick can thin them. Pure.

Owns the likeness: the share of words two texts have in common. Only pairs that share a word few texts have are
compared, so the cost grows with the text and not with the square of the entries.
"""

from collections import defaultdict
from collections.abc import Sequence

from curator.snapshot.relevance import stems

ALIKE = 0.6
"""From this share on two entries are near-equal; short notes on one subject reach a half."""
KEPT = 20
"""Neighbours kept for each entry: the most alike, ties by id, so that a large cluster shares the same ones."""
_COMMON = 40  # a word in more texts than this nominates no pair


def near(texts: Sequence[tuple[str, str]]) -> dict[str, tuple[tuple[str, float], ...]]:
    """For each id its near-equal ids with the likeness 0..1, the most alike first."""
    words = {id_: frozenset(stems(text)) for id_, text in texts}
    holders: dict[str, list[str]] = defaultdict(list)
    for id_, found in words.items():
        for word in found:
            holders[word].append(id_)
    pairs = {
        (one, other)
        for ids in holders.values()
        if 1 < len(ids) <= _COMMON
        for at, one in enumerate(ids)
        for other in ids[at + 1 :]
        if len(words[one]) <= 2 * len(words[other]) <= 4 * len(words[one])
    }
    alike: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for one, other in pairs:
        shared = len(words[one] & words[other])
        share = shared / (len(words[one]) + len(words[other]) - shared)
        if share >= ALIKE:
            alike[one].append((other, round(share, 3)))
            alike[other].append((one, round(share, 3)))
    return {id_: tuple(sorted(found, key=_order)[:KEPT]) for id_, found in alike.items()}


def _order(pair: tuple[str, float]) -> tuple[float, str]:
    return -pair[1], pair[0]
