"""What a sweep starts from: waiting notes, what waits for a person, what was refused, what was found before.

Owns the read. Rows become values here, so that judging needs no session.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from curator.store.proposals import held, waiting_fingerprints
from curator.store.tables import Entry, Fact, Note, Proposal, Record, Refusal, Sweep
from curator.vocab import EntryState, NoteState, Origin

EXCERPT = 600
"""Characters of a source message kept as evidence."""

TOMBSTONES = 1_000
"""Retired entries, the newest, whose text is known in other words too; word for word every one is, at the door."""


@dataclass(frozen=True)
class Waiting:
    """A note that waits for the sweep."""

    note_id: str
    kind: str
    marked: bool
    title: str
    text: str
    labels: tuple[str, ...]
    refs: tuple[str, ...]
    origin: Origin
    source: dict[str, Any]
    fingerprint: str
    at: datetime
    evidence: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Refused:
    """A text a person refused or retired (then with the entry's id), when and why."""

    fingerprint: str
    text: str
    slots: str
    reason: str
    at: datetime
    entry_id: str = ""

    @property
    def why(self) -> str:
        """Why it does not come back."""
        return f"{self.entry_id} said so and was retired: {self.reason}" if self.entry_id else f"refused: {self.reason}"

    @property
    def before(self) -> str:
        """What the reviewer of a similar text is told."""
        what = f"tombstoned as {self.entry_id}" if self.entry_id else "rejected before"
        return f"{what} on {self.at.date().isoformat()}: {self.reason}"


@dataclass(frozen=True)
class Open:
    """A proposal that waits for a person, with the texts it would make."""

    proposal_id: str
    texts: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """Everything a sweep starts from."""

    notes: tuple[Waiting, ...]
    held: dict[str, str]
    fingerprints: dict[str, str]
    open: tuple[Open, ...]
    swept_open: int
    refused: tuple[Refused, ...]
    active: int
    number: int
    cursor: dict[str, Any] = field(default_factory=dict)


def read(session: Session, project_id: str) -> State:
    """The state now; notes by the time they were said."""
    notes = session.exec(select(Note).where(Note.project_id == project_id, Note.state == NoteState.WAITING.value)).all()
    waiting = sorted((_waiting(session, project_id, note) for note in notes), key=lambda n: (n.at, n.note_id))
    proposals = session.exec(
        select(Proposal).where(Proposal.project_id == project_id, col(Proposal.state).in_(["open", "snoozed"]))
    ).all()
    refusals = session.exec(select(Refusal).where(Refusal.project_id == project_id)).all()
    last = session.exec(select(func.max(Sweep.number)).where(Sweep.project_id == project_id)).one() or 0
    active = session.exec(
        select(func.count()).select_from(Entry).where(Entry.project_id == project_id, Entry.state == "active")
    ).one()
    cursor = session.get(Fact, (project_id, "sweep"))
    return State(
        notes=tuple(waiting),
        held=held(session, project_id),
        fingerprints=waiting_fingerprints(session, project_id),
        open=tuple(
            Open(p.proposal_id, tuple(str(d.get("body", "")) for d in p.after), tuple(p.warnings))
            for p in proposals
            if p.sweep
        ),
        swept_open=sum(1 for p in proposals if p.sweep),
        refused=(
            *(Refused(r.fingerprint, r.text, r.slots, r.reason, r.at) for r in refusals),
            *(_retired(session, project_id) if waiting else ()),
        ),
        active=active,
        number=last + 1,
        cursor=dict(cursor.value) if cursor else {},
    )


def _retired(session: Session, project_id: str) -> list[Refused]:
    """The newest tombstones: what they say does not come back in other words either."""
    query = select(Entry).where(Entry.project_id == project_id, Entry.state == EntryState.TOMBSTONED.value)
    rows = session.exec(query.order_by(col(Entry.updated_at).desc(), col(Entry.entry_id)).limit(TOMBSTONES))
    return [Refused(row.fingerprint, row.body, "", row.reason, row.updated_at, row.entry_id) for row in rows]


def _waiting(session: Session, project_id: str, note: Note) -> Waiting:
    return Waiting(
        note.note_id,
        note.kind,
        note.marked,
        note.title,
        note.body,
        tuple(note.labels),
        tuple(note.refs),
        Origin(note.origin) if note.origin else Origin.UNVERIFIED,
        dict(note.source),
        note.fingerprint,
        note.said_at or note.created_at,
        _evidence(session, project_id, note),
    )


def _evidence(session: Session, project_id: str, note: Note) -> tuple[dict[str, Any], ...]:
    """The messages a note rests on, or the note itself where no message is kept."""
    source = note.source
    session_id = str(source.get("session", ""))
    common = {name: source[name] for name in ("client", "checkpoint", "part", "file") if source.get(name)}
    said = note.said_at or note.created_at
    found = []
    for seq in list(source.get("seqs") or ())[:3]:
        row = session.get(Record, (project_id, session_id, int(seq))) if session_id else None
        if row is not None and row.text:
            at = (row.at or said).isoformat()
            text = _around(row.text, note.body)
            origin = row.origin or note.origin
            found.append(
                {"speaker": _speaker(origin), "session": session_id, "seq": row.seq, "at": at, "string": text}
                | {"origin": origin}
                | common
            )
    whole = {"speaker": _speaker(note.origin), "session": session_id, "at": said.isoformat(), "string": note.body}
    return tuple(found) or (whole | {"origin": note.origin} | common,)


def _speaker(origin: str) -> str:
    return {"human": "you", "agent": "agent"}.get(origin, origin or "unverified")


def _around(text: str, part: str) -> str:
    """The stretch of a message that a note was taken from."""
    if len(text) <= EXCERPT:
        return text
    at = max(0, text.find(part[:60]))
    start = max(0, at - EXCERPT // 4)
    return ("…" if start else "") + text[start : start + EXCERPT] + ("…" if start + EXCERPT < len(text) else "")
