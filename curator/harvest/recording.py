"""Messages to rows of the record: append-only, unique by the client's own id, numbered per session.

Owns numbers and units, and what is taken out of a text before it is written. Everything happens in the caller's
write transaction, so that rows, notes and cursor stand or fall together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import Session, col, func, select

from curator import place
from curator.door import kept, redact
from curator.errors import CuratorError
from curator.ports import Count
from curator.store import tables
from curator.transcript import Message
from curator.vocab import Origin, Row, Typed

_REMEMBERED = 400


@dataclass(frozen=True)
class Fresh:
    """A message that became a row just now: its session, its number, and the text as it was kept."""

    session_id: str
    seq: int
    message: Message
    text: str


@dataclass
class Units:
    """Which unit an open response or tool call belongs to, by `session` + its id. Goes with the cursor, as JSON."""

    known: dict[str, int] = field(default_factory=dict)

    def note(self, session_id: str, ids: Iterable[str], unit: int) -> None:
        """Remember the unit of a response's group and calls."""
        for each in filter(None, ids):
            self.known.pop(f"{session_id}/{each}", None)
            self.known[f"{session_id}/{each}"] = unit

    def of(self, session_id: str, each: str) -> int | None:
        """The unit, when it is known."""
        return self.known.get(f"{session_id}/{each}") if each else None

    def state(self) -> dict[str, int]:
        """The newest ones."""
        return dict(list(self.known.items())[-_REMEMBERED:])


def session_of(message: Message) -> str:
    """The id under which a message is kept; a sub-agent's turns are a session of their own."""
    return f"{message.session}/{message.agent}" if message.agent else message.session


def take(
    session: Session, project_id: str, messages: Sequence[Message], units: Units, client: str, count: Count
) -> list[Fresh]:
    """Add what is new, in order; what is there already is passed over. Returns the new rows."""
    erased = session.get(tables.Fact, (project_id, "purged"))
    gone = set(erased.value.get("sessions", ())) if erased else set()
    messages = [message for message in messages if message.session not in gone]
    there = _existing(session, project_id, [message.source for message in messages])
    last: dict[str, tuple[int, int]] = {}
    fresh: list[Fresh] = []
    for message in messages:
        session_id = session_of(message)
        if (unit := there.get(message.source)) is None:
            if session_id not in last:
                _begin(session, project_id, session_id, message, client)
                last[session_id] = _last(session, project_id, session_id)
            seq, newest = last[session_id]
            unit = _unit(message, session_id, units, newest)
            row = _row(project_id, session_id, seq + 1, unit, message, count)
            session.add(row)
            last[session_id], there[message.source] = (seq + 1, max(newest, unit)), unit
            fresh.append(Fresh(session_id, seq + 1, message, row.text))
        units.note(session_id, (message.group, *(call.id for call in message.calls)), unit)
    _end(session, project_id, fresh)
    session.flush()
    return fresh


def _existing(session: Session, project_id: str, sources: Sequence[str]) -> dict[str, int]:
    """Unit by id of the rows that are there already."""
    found: dict[str, int] = {}
    for start in range(0, len(sources), 500):
        query = select(tables.Record.source_id, tables.Record.unit).where(
            tables.Record.project_id == project_id, col(tables.Record.source_id).in_(sources[start : start + 500])
        )
        found.update(dict(session.exec(query).all()))
    return found


def _last(session: Session, project_id: str, session_id: str) -> tuple[int, int]:
    query = select(func.max(tables.Record.seq), func.max(tables.Record.unit)).where(
        tables.Record.project_id == project_id, tables.Record.session_id == session_id
    )
    seq, unit = session.exec(query).one()
    return seq or 0, unit or 0


def _unit(message: Message, session_id: str, units: Units, newest: int) -> int:
    if message.row is Row.RESPONSE:
        return units.of(session_id, message.group) or newest + 1
    if message.row is Row.TOOL_RESULT:
        return units.of(session_id, message.call) or max(newest, 1)
    return newest + 1


def _row(project_id: str, session_id: str, seq: int, unit: int, message: Message, count: Count) -> tables.Record:
    text = kept(message.text).text
    origin, typed = message.origin, message.typed
    if message.text.strip() and not text.strip() and message.row is Row.INPUT:
        origin, typed = Origin.ECHO, Typed.MACHINE  # nothing but our own block: nobody said anything
    files = {name: list(paths) for name, paths in (("read", message.read), ("written", message.written)) if paths}
    return tables.Record(
        project_id=project_id,
        session_id=session_id,
        seq=seq,
        unit=unit,
        kind=message.row.value,
        typed=typed.value if message.row is Row.INPUT else "",
        origin=origin.value,
        sender=message.sender,
        mark=message.mark.value,
        text=text,
        name=message.tool,
        detail=redact(message.detail).text,
        size=message.size,
        tokens=count(text) if text else 0,
        files=files,
        source_id=message.source,
        at=message.at,
    )


def _begin(session: Session, project_id: str, session_id: str, message: Message, client: str) -> None:
    if session.get(tables.Session, (project_id, session_id)) is not None:
        return
    session.add(
        tables.Session(
            project_id=project_id,
            session_id=session_id,
            client=client,
            worktree=_worktree(message.cwd),
            branch=message.branch,
            path=message.cwd,
            parent_id=message.session if message.agent else "",
            started_at=message.at,
            last_at=message.at,
        )
    )
    session.flush()


def _end(session: Session, project_id: str, fresh: Sequence[Fresh]) -> None:
    """Move each session's last moment and branch on to its newest row."""
    for session_id, message in {each.session_id: each.message for each in fresh}.items():
        row = session.get(tables.Session, (project_id, session_id))
        if row is not None:
            row.branch = message.branch or row.branch
            if message.at and (row.last_at is None or message.at > row.last_at):
                row.last_at = message.at


def _worktree(cwd: str) -> str:
    folder = Path(cwd)
    if not cwd or not folder.is_dir():
        return ""
    try:
        return place.find(folder).worktree
    except (OSError, CuratorError):
        return ""
