"""The score of an entry, with every factor visible.

`score = scope x state x (0.35 importance + 0.55 relevance + 0.10 freshness)`, each 0..1; weights tuned on labelled
sessions, see docs/decisions/0070. Nothing here knows whether an entry
was ever injected, read or cited: use raises nothing, so the same set cannot win by having won before.
"""

from curator.light import NamedTuple
from curator.salience.item import SCOPE_OWN, SCOPE_PROJECT, Item

IMPORTANCE, RELEVANCE, FRESHNESS = 0.35, 0.55, 0.10
HALF_LIFE = {"correction": 365}
"""Days after which a verification is worth half; 180 for every other kind."""
_HALF_LIFE = 180

KIND_WEIGHT = {"correction": 1.0, "pattern": 1.0, "root-cause": 0.6, "lesson": 0.6}
"""A correction cost the person a message, and a pattern holds across subsystems; the others hold in one place."""
_PARTS = (("kind", 0.4), ("human", 0.3), ("choice", 0.15), ("sightings", 0.15))


class Score(NamedTuple):
    """The score and its factors, each 0..1."""

    total: float
    scope: float
    state: float
    importance: float
    relevance: float
    freshness: float


def score(item: Item, today: int) -> Score:
    """The score on a day (a proleptic ordinal)."""
    scope = SCOPE_OWN if item.own else SCOPE_PROJECT
    state = 0.0 if item.stale else 1.0
    fresh = freshness(item.kind, item.verified, today)
    mix = IMPORTANCE * item.importance + RELEVANCE * item.relevance + FRESHNESS * fresh
    return Score(scope * state * mix, scope, state, item.importance, item.relevance, fresh)


def freshness(kind: str, verified: int, today: int) -> float:
    """1 on the day of verification, half after the half-life; a day in the future counts as today."""
    days = max(0, today - verified)
    return float(0.5 ** (days / HALF_LIFE.get(kind, _HALF_LIFE)))


def importance(
    kind: str, *, human: bool, choice: float | None, sightings: int
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Importance 0..1 and its parts: kind, human origin, the reviewer's choice (0..1, None = none made) and sightings.

    `sightings` are distinct sessions in which the person said it; three of them are worth most of what there is.
    """
    import math  # a shared library of its own, and no hook asks for the importance

    values = {
        "kind": KIND_WEIGHT.get(kind, 0.5),
        "human": 1.0 if human else 0.0,
        "choice": 0.5 if choice is None else min(1.0, max(0.0, choice)),
        "sightings": 1 - math.exp(-max(0, sightings) / 2),
    }
    parts = tuple((name, round(weight * values[name], 4)) for name, weight in _PARTS)
    return round(sum(part for _, part in parts), 4), parts
