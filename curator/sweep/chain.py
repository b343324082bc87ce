"""Waiting notes that are one thing said several times: revisions of one statement become one proposal.

Owns which notes are joined before any entry is looked at. Two notes of which one only seems to replace the other stay
two proposals in one group: both may be true.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curator.sweep.classify import Classified
from curator.sweep.nominate import imported_from
from curator.sweep.pool import Pool
from curator.sweep.relate import Verdict, no_loss
from curator.sweep.state import Waiting
from curator.vocab import Kind, Relation

_JOINS = (Relation.SAME, Relation.RESTATES, Relation.REFINES)
_LIKE = 0.5
_SURE = 0.5


@dataclass(frozen=True)
class Chain:
    """One statement: its notes newest first, the one whose text counts, and why they are one."""

    notes: tuple[Waiting, ...]
    note: Waiting
    found: Classified
    reason: str = ""
    before: str = ""
    group: str = ""

    @property
    def text(self) -> str:
        """The text that counts."""
        return self.note.text

    @property
    def single(self) -> bool:
        """Is it one note only?"""
        return len(self.notes) == 1


def chained(kept: Sequence[tuple[Waiting, Classified, str]], judge: Callable[[str, str], Verdict]) -> list[Chain]:
    """Chains in the order of their first note; `kept` is in the order in which the notes were said."""
    pool, by_id, chain_of = Pool(), {note.note_id: note for note, _, _ in kept}, dict[str, str]()
    members: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    groups: dict[str, str] = {}
    for note, _, _ in kept:
        root = note.note_id
        for other, likeness in pool.near(note.text, 4, least=_LIKE):
            verdict = judge(by_id[other].text, note.text)
            if verdict.confidence < _SURE or likeness < _LIKE:
                continue
            if _side_by_side(by_id[other], note) and verdict.relation is not Relation.SAME:
                continue
            revises = verdict.relation is Relation.REPLACES and note.kind == Kind.CORRECTION
            if verdict.relation in _JOINS or revises:
                root = chain_of[other]
                reasons[root] = verdict.reason
                break
            if verdict.relation is Relation.REPLACES:
                groups[note.note_id] = groups.setdefault(chain_of[other], chain_of[other])
        chain_of[note.note_id] = root
        members.setdefault(root, []).append(note.note_id)
        pool.add(note.note_id, note.text)
    details = {note.note_id: (note, found, before) for note, found, before in kept}
    return [
        _chain([details[n] for n in ids], reasons.get(root, ""), groups.get(root, "")) for root, ids in members.items()
    ]


def _side_by_side(one: Waiting, two: Waiting) -> bool:
    """Do both stand in one imported file? Then its author wrote them as two statements, not as revisions of one."""
    return imported_from(one.source) == imported_from(two.source) != ""


def _chain(parts: list[tuple[Waiting, Classified, str]], reason: str, group: str) -> Chain:
    newest_first = list(reversed(parts))
    chosen = newest_first[0]
    for other in newest_first[1:]:
        if chosen[0].kind == Kind.CORRECTION or other[0].marked < chosen[0].marked:
            continue
        if no_loss((other[0].text,), chosen[0].text) and not no_loss((chosen[0].text,), other[0].text):
            chosen = other  # the older text holds everything that the newer says, and more
    told = f"{len(parts)} statements of one thing, newest first: {reason}" if len(parts) > 1 else ""
    before = next((before for _, _, before in parts if before), "")
    return Chain(tuple(part[0] for part in newest_first), chosen[0], chosen[1], told, before, group)
