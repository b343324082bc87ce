"""What became of an injected entry in its session: cited, contradicted, or neither.

Owns the judgement, from the record alone, and where it is kept (the receipt). It never changes an entry: being cited
raises nothing, and a contradiction reaches the reviewer as a proposal of the sweep.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.snapshot.near import ALIKE
from curator.snapshot.relevance import stems
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Proposal, Receipt, Record, Sighting
from curator.vocab import Kind, Origin, Relation
from curator.vocab import Row as RecordKind

CITED, CONTRADICTED = "cited", "contradicted"
_RECEIPTS = 60
_TITLE_WORDS = 4  # a title of fewer words is said by chance


def judge(store: Store) -> int:
    """Judge the newest receipts again; returns how many changed. Takes a write transaction only when one did."""
    with store.read() as session:
        changed = {row.receipt_id: found for row in _newest(session, store) if (found := _judged(session, store, row))}
    if not changed:
        return 0
    with store.write() as session:
        for receipt_id, found in changed.items():
            row = session.get(Receipt, (store.project_id, receipt_id))
            if row is not None:
                row.evidence = {**row.evidence, "entries": found}
                session.add(row)
    return len(changed)


def _newest(session: Session, store: Store) -> Iterable[Receipt]:
    return session.exec(
        select(Receipt)
        .where(Receipt.project_id == store.project_id, Receipt.digest != "")
        .order_by(col(Receipt.at).desc(), Receipt.receipt_id)
        .limit(_RECEIPTS)
    ).all()


def _judged(session: Session, store: Store, row: Receipt) -> dict[str, str]:
    """The verdicts of one receipt, or {} where they are what they were."""
    ids = [str(one.get("entry_id")) for one in row.entries]
    entries = session.exec(
        select(Entry).where(Entry.project_id == store.project_id, col(Entry.entry_id).in_(ids))
    ).all()
    said = _answers(session, store, row.session_id, row.at)
    against = _against(session, store, row.session_id, entries)
    found = dict(row.evidence.get("entries") or {})
    for entry in entries:
        if entry.entry_id in against:
            found[entry.entry_id] = CONTRADICTED
        elif entry.entry_id not in found and cites(said, entry.entry_id, entry.title):
            found[entry.entry_id] = CITED
    return found if found != (row.evidence.get("entries") or {}) else {}


def cites(texts: Iterable[str], entry_id: str, title: str) -> bool:
    """Does an answer name the entry's id, or say its title word for word?"""
    words = " ".join(title.casefold().split()).rstrip(".。")
    for text in texts:
        if re.search(rf"(?<![\w-]){re.escape(entry_id)}(?![\w-])", text):
            return True
        if len(words.split()) >= _TITLE_WORDS and words in " ".join(text.casefold().split()):
            return True
    return False


def _answers(session: Session, store: Store, session_id: str, since: datetime) -> list[str]:
    rows = session.exec(
        select(Record.text).where(
            Record.project_id == store.project_id,
            Record.session_id == session_id,
            Record.kind == RecordKind.RESPONSE.value,
            col(Record.at) >= since,
        )
    )
    return [text for text in rows if text]


def _against(session: Session, store: Store, session_id: str, entries: Iterable[Entry]) -> set[str]:
    """Entries that the person said again in the session, corrected there, or that a proposal from it replaces."""
    by_print: Mapping[str, str] = {one.fingerprint: one.entry_id for one in entries if one.fingerprint}
    again = session.exec(
        select(Sighting.fingerprint).where(
            Sighting.project_id == store.project_id,
            Sighting.session_id == session_id,
            Sighting.origin == Origin.HUMAN.value,
        )
    )
    found = {by_print[one] for one in again if one in by_print}
    notes = session.exec(
        select(Note).where(
            Note.project_id == store.project_id,
            Note.kind == Kind.CORRECTION.value,
            Note.origin == Origin.HUMAN.value,
        )
    )
    bodies = [frozenset(stems(note.body)) for note in notes if note.source.get("session") == session_id]
    for entry in entries if bodies else ():
        words = frozenset(stems(f"{entry.title} {entry.body}"))
        if any(len(words & body) / max(1, len(words | body)) >= ALIKE for body in bodies):
            found.add(entry.entry_id)
    proposals = session.exec(
        select(Proposal).where(Proposal.project_id == store.project_id, Proposal.relation == Relation.REPLACES.value)
    )
    for proposal in proposals:
        if any(_session_of(one) == session_id for one in proposal.evidence):
            found |= {str(target.get("entry_id")) for target in proposal.targets}
    return found & {one.entry_id for one in entries}


def _session_of(evidence: Mapping[str, Any]) -> str:
    return str(evidence.get("session", ""))
