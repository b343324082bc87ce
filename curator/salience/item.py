"""One entry as the pick sees it. A named tuple, not a dataclass: the hook cannot afford that import."""

from curator.light import Any, NamedTuple, Sequence


class Item(NamedTuple):
    """An active injectable entry, as the snapshot holds it.

    `tokens` (raw count in the configured encoding) and `size` (UTF-8 bytes) are those of `brief.lines.entry`, taken
    when the snapshot was written. `rev` is the entry's revision.
    `importance` and `relevance` are 0..1. `verified` is the day of the last verification as a proleptic ordinal. `near`
    holds pairs of a near-equal entry's id and the likeness.
    """

    id: str
    kind: str
    title: str
    body: str
    tokens: int
    size: int
    verified: int
    importance: float = 0.0
    relevance: float = 0.0
    pinned: bool = False
    human: bool = False
    stale: bool = False
    own: bool = False
    in_bd: bool = False
    near: Sequence[Sequence[Any]] = ()
    rev: int = 1


SCOPE_PROJECT = 1.0
SCOPE_OWN = 0.9
"""Weight of entries from the person's own store (`Item.own`)."""
