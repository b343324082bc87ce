"""Reading what was captured: notes and the kept conversation, as values. Changes only a note's state to dropped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.errors import NotFound
from curator.store.engine import Store
from curator.store.prefix import meant
from curator.store.tables import Note, Record
from curator.store.tables import Session as Conversation
from curator.vocab import NoteState, Row, Typed

_PAGE = 1_000


@dataclass(frozen=True)
class NoteView:
    """A raw note and what became of it."""

    note_id: str
    state: str
    kind: str
    marked: bool
    origin: str
    title: str
    body: str
    labels: tuple[str, ...]
    refs: tuple[str, ...]
    source: dict[str, Any]
    became: str
    reason: str
    said_at: datetime | None
    created_at: datetime


@dataclass(frozen=True)
class RowView:
    """A row of the kept conversation."""

    session: str
    seq: int
    kind: str
    typed: str
    origin: str
    sender: str
    mark: str
    text: str
    name: str
    detail: str
    size: int
    at: datetime | None

    @property
    def by_person(self) -> bool:
        """Is it the person's own message?"""
        return self.kind == Row.INPUT.value and Typed(self.typed).by_person


def notes(store: Store, states: Sequence[NoteState] = ()) -> list[NoteView]:
    """Notes in these states (all, when none is named), oldest first."""
    query = select(Note).where(Note.project_id == store.project_id)
    if states:
        query = query.where(col(Note.state).in_([state.value for state in states]))
    with store.read() as session:
        found = [_note(row) for row in session.exec(query)]
    return sorted(
        found, key=lambda each: (each.created_at, each.said_at or each.created_at, _place(each), each.note_id)
    )


def note_by_prefix(store: Store, prefix: str) -> NoteView:
    """The one note whose id is or begins with `prefix`. Raises NotFound."""
    with store.read() as session:
        return _note(_find(session, store.project_id, prefix))


def drop(store: Store, prefix: str) -> NoteView:
    """Mark a note as dropped: no sweep looks at it, nothing is deleted. Raises NotFound."""
    with store.write() as session:
        row = _find(session, store.project_id, prefix)
        row.state = NoteState.DROPPED.value
        session.add(row)
        return _note(row)


def sessions(store: Store) -> list[Conversation]:
    """The sessions with rows, newest first."""
    with store.read() as session:
        rows = session.exec(select(Conversation).where(Conversation.project_id == store.project_id)).all()
    oldest = datetime.min.replace(tzinfo=store.now().tzinfo)
    return sorted(rows, key=lambda row: (row.last_at or oldest, row.session_id), reverse=True)


def session_named(store: Store, prefix: str) -> str:
    """The session whose id is or begins with `prefix`; the newest conversation of a person when it is empty.

    Raises NotFound where there is none, or where several fit.
    """
    found = [row.session_id for row in sessions(store) if row.session_id.startswith(prefix)]
    if prefix in found or (not prefix and found):
        return prefix or next((each for each in found if "/" not in each), found[0])
    if len(found) != 1:
        raise NotFound(f"{prefix or 'no session'}: " + (f"fits {len(found)} sessions" if found else "not found"))
    return found[0]


def rows(store: Store, session_id: str = "", *, typed: bool = False) -> Iterator[RowView]:
    """Rows by session and number; of every session when none is named; only the person's with `typed`."""
    after: tuple[str, int] = ("", 0)
    while True:
        query = select(Record).where(Record.project_id == store.project_id)
        if session_id:
            query = query.where(Record.session_id == session_id, Record.seq > after[1])
        else:
            query = query.where(
                (col(Record.session_id) > after[0])
                | ((col(Record.session_id) == after[0]) & (col(Record.seq) > after[1]))
            )
        with store.read() as session:
            page = session.exec(query.order_by(col(Record.session_id), col(Record.seq)).limit(_PAGE)).all()
        for row in page:
            view = _row(row)
            if view.by_person or not typed:
                yield view
        if len(page) < _PAGE:
            return
        after = (page[-1].session_id, page[-1].seq)


def matching(store: Store, text: str, session_id: str = "", *, typed: bool = False) -> Iterator[RowView]:
    """Rows that hold the text, literally, in any letter case."""
    wanted = text.casefold()
    for row in rows(store, session_id, typed=typed):
        if wanted in row.text.casefold() or wanted in row.detail.casefold():
            yield row


def _place(note: NoteView) -> tuple[int, ...]:
    return tuple(note.source.get("seqs", ()))


def _find(session: Session, project_id: str, prefix: str) -> Note:
    missing = NotFound(f"{prefix}: there is no such note")
    return meant(session, Note, "note_id", project_id, prefix, missing, prefix)


def _note(row: Note) -> NoteView:
    return NoteView(
        row.note_id,
        row.state,
        row.kind,
        row.marked,
        row.origin,
        row.title,
        row.body,
        tuple(row.labels),
        tuple(row.refs),
        dict(row.source),
        row.became,
        row.reason,
        row.said_at,
        row.created_at,
    )


def _row(row: Record) -> RowView:
    return RowView(
        row.session_id,
        row.seq,
        row.kind,
        row.typed,
        row.origin,
        row.sender,
        row.mark,
        row.text,
        row.name,
        row.detail,
        row.size,
        row.at,
    )
