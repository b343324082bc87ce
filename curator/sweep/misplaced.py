"""Entries in the wrong one of the two stores, and what the person had to say again although it is kept.

Owns when an entry's place is doubted: its text names its kind or reads very surely as belonging to the other store, a
person names it as of the other store, or the person said it again in a session that should have known it. A kind that
a person chose is never doubted by the reading of a text, and neither is one that a sweep here chose and a person
approved.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.door.normal import without_marker
from curator.draft import Draft, begins_with
from curator.store.tables import Entry, Receipt, Record, Revision, Sighting
from curator.sweep.classify import classify
from curator.sweep.nominate import Known, Nominator
from curator.sweep.planned import Planned, key_of, slot_line
from curator.vocab import DEFERRED_LABEL, Kind, Op, Origin, Route
from curator.vocab import Row as RecordKind

SURE = 0.99
"""Least confidence of a reading by the text alone that doubts a route. Of 1,832 notes of the scale set that their
owners had placed, it speaks against the owner in none (at .98 in 5, at .9 in 29); docs/measurements.md."""

AGAIN = "said-again"
"""Label of a correction that the person had to repeat although it was handed over."""

_RECEIPTS = 200


def misread(session: Session, project_id: str, known: Known) -> Planned | None:
    """A proposal to move an entry whose text names itself, or reads very surely, as belonging to the other store."""
    draft = known.draft
    if known.trust is Origin.HUMAN or known.pinned or known.judged:
        return None
    _, marker = without_marker(draft.body)
    title = "" if begins_with(draft.body, draft.title) else draft.title
    found = classify(draft.body, marker.replace(" ", "-"), title=title)
    if found.skip or found.abstains or found.kind is None or found.route is draft.route or found.confidence < SURE:
        return None
    if _chosen(session, project_id, known):
        return None
    said = f"its text begins with {marker!r}" if marker else f"it reads as {found.kind.value}: {found.reason}"
    return rerouted(known, found.kind, said, found.confidence)


def _chosen(session: Session, project_id: str, known: Known) -> bool:
    """Did a decision ever give this entry another kind or store? Then where it is now was chosen by a person."""
    earlier = select(Revision).where(Revision.project_id == project_id, Revision.entry_id == known.entry_id)
    here = (known.draft.kind.value, known.draft.route.value)
    return any((row.value.get("kind"), row.value.get("route")) != here for row in session.exec(earlier))


def rerouted(known: Known, kind: Kind, reason: str, confidence: float, **more: Any) -> Planned:
    """A proposal that an entry is of this kind, in the store of that kind, its text as it is."""
    return _changed(known, known.draft.with_(kind=kind, route=kind.route), reason, confidence, **more)


def said_again(session: Session, project_id: str, nominator: Nominator) -> Iterator[Planned]:
    """Entries that the person said again: handed over and not followed, or kept where no session start sees them."""
    for entry_id, (at, session_id) in sorted(_contradicted(session, project_id).items()):
        known = nominator.entry(entry_id)
        if known is not None and at > known.at and (planned := _louder(session, project_id, known, at, session_id)):
            yield planned
    query = (
        select(Entry.entry_id, Sighting.at, Sighting.session_id)
        .join(
            Sighting, (col(Sighting.project_id) == Entry.project_id) & (col(Sighting.fingerprint) == Entry.fingerprint)
        )
        .where(
            Entry.project_id == project_id,
            Entry.state == "active",
            Entry.route == Route.DEFERRED.value,
            Sighting.origin == Origin.HUMAN.value,
            col(Sighting.at) > col(Entry.updated_at),
        )
    )
    for entry_id, at, session_id in session.exec(query.order_by(Entry.entry_id, col(Sighting.at).desc()).limit(100)):
        if (known := nominator.entry(entry_id)) is not None:
            why = f"you said it again on {at:%Y-%m-%d}, and no session start hands it over"
            yield rerouted(known, Kind.CORRECTION, why, 0.7, evidence=_quoted(session, project_id, known, session_id))


def _contradicted(session: Session, project_id: str) -> Mapping[str, tuple[datetime, str]]:
    """Entries that a receipt says were contradicted, with the newest time and session of that."""
    query = select(Receipt).where(Receipt.project_id == project_id, Receipt.digest != "")
    found: dict[str, tuple[datetime, str]] = {}
    for row in session.exec(query.order_by(col(Receipt.at).desc(), Receipt.receipt_id).limit(_RECEIPTS)):
        for entry_id, what in dict(row.evidence.get("entries") or {}).items():
            if what == "contradicted":
                found.setdefault(str(entry_id), (row.at, row.session_id))
    return found


def _louder(session: Session, project_id: str, known: Known, at: datetime, session_id: str) -> Planned | None:
    """The entry as a correction; one that is a correction already is labelled, so that it gets other words or a pin."""
    draft = known.draft.with_(kind=Kind.CORRECTION, route=Route.INJECTED)
    if draft == known.draft:
        draft = draft.with_(labels=(*draft.labels, AGAIN))
    if draft == known.draft:
        return None
    why = f"you corrected this again on {at:%Y-%m-%d} although it was handed over: say it in other words, or pin it"
    return _changed(known, draft, why, 0.8, evidence=_quoted(session, project_id, known, session_id))


def _changed(known: Known, after: Draft, reason: str, confidence: float, **more: Any) -> Planned:
    before = known.draft
    op = Op.REROUTE if after.route is not before.route else Op.UPDATE if after.kind is not before.kind else Op.RELABEL
    return Planned(
        op=op,
        key=key_of(op, known.fingerprint, after.route.value, after.kind.value, *_own(after)),
        after=(after,),
        before=(before,),
        targets=(known.target,),
        reason=reason,
        confidence=confidence,
        origin=known.trust,
        group=known.entry_id,
        **{"evidence": (known.evidence,), "settings": {"slots": slot_line(known.text)}, **more},
    )


def _own(draft: Draft) -> tuple[str, ...]:
    return tuple(label for label in draft.labels if label != DEFERRED_LABEL)


def _quoted(session: Session, project_id: str, known: Known, session_id: str) -> tuple[dict[str, Any], ...]:
    """The entry, and the newest of the session's typed messages that speak of it."""
    query = select(Record).where(
        Record.project_id == project_id,
        Record.session_id == session_id,
        Record.kind == RecordKind.INPUT.value,
        Record.origin == Origin.HUMAN.value,
    )
    words = set(known.words)
    best: tuple[int, Record] | None = None
    for row in session.exec(query.order_by(col(Record.seq).desc()).limit(100)):
        shared = len(words & set(_content(row.text)))
        if shared and (best is None or shared > best[0]):
            best = (shared, row)
    if best is None:
        return (known.evidence,)
    row = best[1]
    said = {"speaker": "you", "session": session_id, "seq": row.seq, "string": row.text[:600], "origin": row.origin}
    return (said | ({"at": row.at.isoformat()} if row.at else {}), known.evidence)


def _content(text: str) -> Mapping[str, int]:
    from curator.sweep.compare import content
    from curator.sweep.slots import tokens

    return content(tokens(text[:4000]))
