"""A client's files to record and notes, a batch at a time: rows, notes and cursor in one transaction.

Owns the loop. Safe to repeat, to run in parallel and to be killed: rows are unique by id, notes by fingerprint, and
a cursor never runs ahead of what was written.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from sqlmodel import Session, col, select

from curator.harvest.noting import Heard, Noted, Outcome, note
from curator.harvest.recording import Fresh, Units, take
from curator.harvest.statements import Said, Statement, statements
from curator.hosts import claude
from curator.hosts.transcripts import Reader, client_of, reader
from curator.ports import Count
from curator.store import tables
from curator.store.engine import Store
from curator.transcript import Cursor, Damaged, Message, Record, believed, cursor_at, open_file, records
from curator.vocab import Client, Origin, Row, Typed

_BATCH = 100  # messages: the write lock is held for about 0.2 s, so that others get their turn
_BATCH_CHARACTERS = 300_000
_BEFORE = 12  # rows of context: enough to find the message that an answer belongs to
_DAMAGED_KEPT = 1_000


@dataclass
class Harvested:
    """What was read and what came of it. `damaged` holds line numbers by file, of this reading only."""

    files: int = 0
    rows: int = 0
    typed: int = 0
    outcomes: dict[Outcome, int] = field(default_factory=dict)
    redacted: int = 0
    damaged: dict[str, list[int]] = field(default_factory=dict)

    def count(self, noted: Noted) -> None:
        """Add one text's outcome."""
        self.outcomes[noted.outcome] = self.outcomes.get(noted.outcome, 0) + 1

    def add(self, other: "Harvested") -> None:
        """Add another file's numbers."""
        self.files, self.rows, self.typed = self.files + other.files, self.rows + other.rows, self.typed + other.typed
        self.damaged |= other.damaged
        for outcome, number in other.outcomes.items():
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + number


def transcripts(path: Path) -> list[Path]:
    """The transcripts that a file or folder stands for. A missing path is found out when it is read."""
    return claude.transcripts(path) if path.is_dir() else [path]


def harvest_file(store: Store, path: Path, count: Count, client: Client | None = None) -> Harvested:
    """Read what is new in one file; without `client` the file tells whose it is.

    Raises NotFound, CannotLook, or BadUsage for a client that is not read; a damaged line is counted, never raised.
    """
    client = client or client_of(path)
    result = Harvested(files=1)
    with open_file(path) as file, open_file(path) as probe:
        started = _started(store, path, file)
        reads = reader(client, path.stem, started.state.get("reader"))
        units = Units(dict(started.state.get("units", {})))
        for batch in _batches(records(file, started.cursor), reads):
            cursor = cursor_at(probe, batch.end, batch.lines)
            with store.write() as session:
                fresh = take(session, store.project_id, batch.messages, units, client.value, count)
                for noted in _notes(session, store, fresh, client):
                    result.count(noted)
                state = {"reader": reads.state(), "units": units.state()}
                _keep(session, store, path, cursor, state, batch.damaged)
            result.rows += len(fresh)
            result.typed += sum(each.message.by_person and bool(each.text.strip()) for each in fresh)
            if batch.damaged:
                result.damaged.setdefault(str(path), []).extend(batch.damaged)
    return result


@dataclass
class _Batch:
    messages: list[Message] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    end: int = 0
    lines: int = 0
    size: int = 0


def _batches(lines: Iterable[Record | Damaged], reads: Reader) -> Iterator[_Batch]:
    batch = _Batch()
    for line in lines:
        batch.end, batch.lines = line.end, line.lines
        if isinstance(line, Damaged):
            batch.damaged.append(line.line)
        else:
            try:
                found = list(reads.messages(line))
            except (ValueError, TypeError, AttributeError, KeyError):  # a shape that is not the client's
                batch.damaged.append(line.line)
                found = []
            batch.messages += found
            batch.size += sum(len(message.text) for message in found)
        if len(batch.messages) >= _BATCH or batch.size >= _BATCH_CHARACTERS:
            yield batch
            batch = _Batch()
    if batch.end:
        yield batch


@dataclass(frozen=True)
class _Start:
    cursor: Cursor | None
    state: dict[str, Any]


def _started(store: Store, path: Path, file: BinaryIO) -> _Start:
    """Where to go on: the kept cursor while the file still fits it, else the beginning."""
    with store.read() as session:
        row = session.get(tables.Cursor, (store.project_id, str(path.resolve())))
    if row is None:
        return _Start(None, {})
    cursor = Cursor(row.offset, row.line, row.digest)
    return _Start(cursor, row.state) if believed(file, cursor) else _Start(None, {})


def _keep(
    session: Session, store: Store, path: Path, cursor: Cursor, state: dict[str, Any], damaged: Sequence[int]
) -> None:
    key = str(path.resolve())
    row = session.get(tables.Cursor, (store.project_id, key)) or tables.Cursor(
        project_id=store.project_id, path=key, read_at=store.now()
    )
    row.offset, row.line, row.digest, row.state = cursor.offset, cursor.lines, cursor.digest, state
    row.damaged = sorted({*row.damaged, *damaged})[:_DAMAGED_KEPT]
    row.read_at = store.now()
    session.add(row)


def _notes(session: Session, store: Store, fresh: Sequence[Fresh], client: Client) -> Iterator[Noted]:
    """Notes from new rows, session by session, each with the rows before it as context."""
    firsts: dict[str, int] = {}
    for each in fresh:
        firsts.setdefault(each.session_id, each.seq)
    agents = {each.session_id: each.message.agent for each in fresh}
    for session_id, first in firsts.items():
        if agents[session_id] and not store.settings.subagents:
            continue
        for statement, at in heard_in(session, store.project_id, session_id, first):
            source = {"client": client.value, "session": session_id, "seqs": list(statement.seqs)}
            source |= {"agent": agents[session_id], "why": statement.why}
            yield note(
                session,
                store.project_id,
                Heard(
                    statement.text,
                    statement.origin,
                    session_id,
                    statement.kind,
                    statement.marked,
                    source=source,
                    said_at=at,
                ),
                store.settings.note_bytes,
                store.now(),
            )


def heard_in(session: Session, project_id: str, session_id: str, first: int) -> Iterator[tuple[Statement, Any]]:
    """Statements of a session that were completed at row `first` or later, each with the time it was said."""
    record = tables.Record
    before = session.exec(
        select(record)
        .where(record.project_id == project_id, record.session_id == session_id, record.seq < first)
        .order_by(col(record.seq).desc())
        .limit(_BEFORE)
    ).all()
    after = session.exec(
        select(record)
        .where(record.project_id == project_id, record.session_id == session_id, record.seq >= first)
        .order_by(col(record.seq))
    ).all()
    rows = [*reversed(before), *after]
    times = {row.seq: row.at for row in rows}
    for statement in statements([said(row) for row in rows if is_said(row)]):
        if statement.at >= first:
            yield statement, times[statement.seqs[0]]


def is_said(row: tables.Record) -> bool:
    """Is a row part of what was said: not the host's summary, a boundary or injected text, nor our own words?"""
    return not row.mark and row.origin != Origin.ECHO.value and row.kind in {Row.INPUT.value, Row.RESPONSE.value}


def said(row: tables.Record) -> Said:
    """A stored row as the rules see it."""
    by_person = row.kind == Row.INPUT.value and Typed(row.typed).by_person
    return Said(row.seq, Row(row.kind), Origin(row.origin), row.text, by_person)
