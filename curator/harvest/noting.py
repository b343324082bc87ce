"""One text to at most one note: through the door, then against what is known, refused and retired.

Owns what happens to a text that is said again. Works in the caller's write transaction; proposes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, func, select

from curator.door import Admitted, admit, redact, repeats
from curator.door.echo import LEAD_INS
from curator.door.normal import without_marker
from curator.store import index
from curator.store.entries import short_id
from curator.store.refusals import count_blocked
from curator.store.tables import Entry, Note, Refusal, Sighting
from curator.store.words import query_words
from curator.vocab import EntryState, Kind, NoteState, Origin

_EVERY = tuple(state.value for state in EntryState)
_DONE = (NoteState.ACCEPTED.value, NoteState.SEEN.value)
_NEAR = 5


class Outcome(StrEnum):
    """What became of a text at the door."""

    NEW = "new"
    AGAIN = "again"
    BLOCKED = "blocked"
    ECHO = "echo"
    EMPTY = "empty"


@dataclass(frozen=True)
class Heard:
    """A text offered as a note. `source`: `{client, session, seqs, agent, file, checkpoint, part, heading, why}`.

    `keep_secrets` is a person's answer to the question whether a credential is to be stored as it is.
    """

    text: str
    origin: Origin
    session_id: str = ""
    kind: Kind | None = None
    marked: bool = False
    title: str = ""
    labels: Sequence[str] = ()
    refs: Sequence[str] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    said_at: datetime | None = None
    keep_secrets: bool = False


@dataclass(frozen=True)
class Noted:
    """The outcome, the note it concerns (empty when there is none), what was taken out, and why it was blocked."""

    outcome: Outcome
    note_id: str = ""
    redacted: tuple[str, ...] = ()
    cut: bool = False
    reason: str = ""

    @property
    def said(self) -> str:
        """The outcome in words, for who told the text."""
        match self.outcome:
            case Outcome.NEW:
                return "noted; a sweep makes a proposal of it"
            case Outcome.ECHO | Outcome.EMPTY:
                return "nothing noted: " + (self.reason or "the text is our own output")
            case Outcome.BLOCKED:
                return f"not noted: {self.reason}"
            case _:
                return "was noted already"


def note(session: Session, project_id: str, heard: Heard, limit: int, now: datetime) -> Noted:
    """Store the text as a note unless it is empty, our own, known already, refused or retired."""
    passed = admit(
        heard.text, limit, lambda ids: _entry_ids(session, project_id, ids), redacting=not heard.keep_secrets
    )
    if not passed.text:
        return Noted(Outcome.EMPTY, redacted=passed.redacted)
    if heard.origin is not Origin.HUMAN and (echoed := _echo_of(session, project_id, passed.text)):
        return Noted(Outcome.ECHO, reason=f"says what {echoed} says")
    there = session.exec(
        select(Note).where(Note.project_id == project_id, Note.fingerprint == passed.fingerprint)
    ).first()
    refused = blocked(session, project_id, passed.fingerprint, now)
    _sight(session, project_id, passed.fingerprint, heard, now)
    entry = _entry_with(session, project_id, passed.fingerprint, EntryState.ACTIVE)
    moves = bool(entry) and not refused and _elsewhere(session, project_id, entry, heard)
    if there is not None:
        if moves and there.state in _DONE and heard.kind:
            there.kind, there.marked, there.state = heard.kind.value, True, NoteState.WAITING.value
        return Noted(Outcome.BLOCKED if refused else Outcome.AGAIN, there.note_id, passed.redacted, passed.cut, refused)
    state = NoteState.BLOCKED if refused else NoteState.SEEN if entry and not moves else NoteState.WAITING
    made = _made(project_id, heard, passed, state, refused or (f"{entry} says the same" if entry else ""), now)
    session.add(made)
    session.flush()
    outcome = Outcome.BLOCKED if refused else Outcome.AGAIN if entry else Outcome.NEW
    return Noted(outcome, made.note_id, passed.redacted, passed.cut, made.reason)


def _made(project_id: str, heard: Heard, passed: Admitted, state: NoteState, reason: str, now: datetime) -> Note:
    return Note(
        project_id=project_id,
        note_id="n-" + short_id(f"{project_id}\0{passed.fingerprint}"),
        kind=heard.kind.value if heard.kind else "",
        marked=heard.marked,
        title=redact(heard.title).text,
        body=passed.text,
        labels=sorted({redact(label).text for label in heard.labels}),
        refs=[redact(ref).text for ref in heard.refs],
        origin=heard.origin.value,
        source={key: value for key, value in heard.source.items() if value},
        fingerprint=passed.fingerprint,
        state=state.value,
        reason=reason,
        said_at=heard.said_at,
        created_at=now,
    )


def _entry_ids(session: Session, project_id: str, ids: set[str]) -> set[str]:
    query = select(Entry.entry_id).where(Entry.project_id == project_id, col(Entry.entry_id).in_(sorted(ids)[:200]))
    return set(session.exec(query))


def _entry_with(session: Session, project_id: str, fingerprint: str, *states: EntryState) -> str:
    query = select(Entry.entry_id).where(
        Entry.project_id == project_id, Entry.fingerprint == fingerprint, col(Entry.state).in_(states)
    )
    return session.exec(query).first() or ""


def _echo_of(session: Session, project_id: str, text: str) -> str:
    """The entry that a text only repeats, whatever its state; empty when there is none.

    Such an entry holds every word of the text, but for lead-ins and for what a cut left of the first and last word:
    rows that hold some of the words are never scored, which in a large store are nearly all.
    """
    parts = query_words(without_marker(text)[0])
    words = [part for part in parts[1:-1] if not LEAD_INS.issuperset(part)] or parts
    near = index.match(session, project_id, words[:60], every=True, states=_EVERY, limit=_NEAR)
    for entry_id, _ in near:
        entry = session.get(Entry, (project_id, entry_id))
        if entry is not None and (repeats(text, entry.body) or repeats(text, entry.title)):
            return entry_id
    return ""


def _elsewhere(session: Session, project_id: str, entry_id: str, heard: Heard) -> bool:
    """Does the person name a text as of another store than the one its entry is in? Then the sweep looks at it."""
    entry = session.get(Entry, (project_id, entry_id))
    named = heard.kind if heard.marked and heard.origin is Origin.HUMAN else None
    return entry is not None and named is not None and named.route.value != entry.route


def blocked(session: Session, project_id: str, fingerprint: str, now: datetime) -> str:
    """Why a text may not come back, counted where it was refused; empty when it may."""
    refusal = session.get(Refusal, (project_id, fingerprint))
    if refusal is not None:
        count_blocked(session, project_id, fingerprint, now)
        return "refused" + (f": {refusal.reason}" if refusal.reason else "")
    if entry := _entry_with(session, project_id, fingerprint, EntryState.TOMBSTONED, EntryState.SUPERSEDED):
        return f"{entry} said so and was retired"
    return ""


def _sight(session: Session, project_id: str, fingerprint: str, heard: Heard, now: datetime) -> None:
    """Note that this session said so; of one session only the most trusted saying counts."""
    if not heard.session_id:
        return
    seen = session.get(Sighting, (project_id, fingerprint, heard.session_id))
    if seen is None:
        session.add(
            Sighting(
                project_id=project_id,
                fingerprint=fingerprint,
                session_id=heard.session_id,
                origin=heard.origin.value,
                at=heard.said_at or now,
            )
        )
    elif heard.origin.trust > Origin(seen.origin).trust:
        seen.origin = heard.origin.value
    session.flush()
    count = session.exec(
        select(func.count()).where(
            Sighting.project_id == project_id,
            Sighting.fingerprint == fingerprint,
            Sighting.origin == Origin.HUMAN.value,
        )
    ).one()
    session.connection().execute(
        update(Entry)
        .where(col(Entry.project_id) == project_id, col(Entry.fingerprint) == fingerprint)
        .values(sightings=count)
    )
