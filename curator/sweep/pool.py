"""Texts at hand that a new text may stand to in some relation: waiting notes, open proposals, refusals.

Owns finding the ones that share telling words. In memory, because there are at most a few thousand; entries are
found by the store's index (`curator.sweep.nominate`).
"""

from collections import Counter

from curator.sweep.compare import content_of, frequencies, weigh

TELLING = 0.45
"""A word of less weight than this is too frequent to nominate by."""


class Pool:
    """Texts by key; grows only."""

    def __init__(self) -> None:
        self._content: dict[str, Counter[str]] = {}
        self._keys: dict[str, list[str]] = {}

    def add(self, key: str, text: str) -> None:
        """Put a text in."""
        words = content_of(text)
        self._content[key] = words
        for word in words:
            if frequencies().get(word, 1.0) >= TELLING:
                self._keys.setdefault(word, []).append(key)

    def near(self, text: str, limit: int, least: float = 0.2) -> list[tuple[str, float]]:
        """Keys of texts that share at least this share of words with it, best first, ties by key."""
        if not self._content:
            return []
        words = content_of(text)
        shared: Counter[str] = Counter()
        for word in words:
            if frequencies().get(word, 1.0) >= TELLING:
                shared.update(self._keys.get(word, ()))
        found = [(key, likeness(words, self._content[key])) for key, _ in shared.most_common(4 * limit)]
        kept = sorted((each for each in found if each[1] >= least), key=lambda each: (-each[1], each[0]))
        return kept[:limit]


def likeness(one: Counter[str], two: Counter[str]) -> float:
    """The larger of the shares of each text's content that the other holds, 0..1. Nominates; never decides."""
    common = frequencies()
    both = sum(min(n, two[word]) * common.get(word, 1.0) for word, n in one.items() if word in two)
    return round(both / max(1.0, min(weigh(one), weigh(two))), 3)
