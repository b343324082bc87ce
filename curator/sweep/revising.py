"""Whether two texts share enough for one to be a revision of the other. Pure.

Owns the measures that stand beside the judge's relation: among the many texts of a store that merely look alike,
those that truly revise each other are few (docs/measurements.md, "Merges and replacements").
"""

from curator.sweep.compare import TURN
from curator.sweep.relate import Verdict
from curator.vocab import Relation

HELD = 0.7
"""Least share of an entry's words that a text which only says more must hold."""

SHARED = {Relation.RESTATES: 0.4, Relation.REPLACES: 0.42}
"""Least share of words in common over all: a short text inside a long one is no revision of it."""

SHARED_TOLD = 0.35
"""The same for a replacement where the newer text says itself that something changed."""

SHARED_LESS = 0.6
"""The same where the newer text only leaves something out: an excerpt of a text does not replace it."""

SURE_OF_CHANGE = 0.8
"""From this confidence on a changed value makes a replacement, however much else the newer text says."""


def revises(verdict: Verdict, newer: str, told: bool = False) -> bool:
    """Do the two texts share enough for one to be a revision of the other? `told`: the speaker called it one."""
    back, forth, both = verdict.shares
    if verdict.relation is Relation.REFINES:
        return back >= HELD
    if verdict.changes and verdict.confidence >= SURE_OF_CHANGE and max(back, forth) >= 0.6:
        return True
    if verdict.relation is Relation.REPLACES and (told or TURN.search(newer)):
        return both >= SHARED_TOLD
    if verdict.relation is Relation.REPLACES and not verdict.changes:
        return both >= SHARED_LESS
    return both >= SHARED.get(verdict.relation, 0.0)
