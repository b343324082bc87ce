"""A store with a recorded session, for tests of what is made of it."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from curator.checkpoint import Row
from curator.config import Settings
from curator.edge.tokens import tokens
from curator.place import find
from curator.store import tables
from curator.store.engine import Store
from curator.store.opening import create_store
from curator.vocab import Row as Kind

MOMENT = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)
COUNTER = tokens()


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.moment = MOMENT

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **passed: float) -> None:
        """Let time pass."""
        self.moment += timedelta(**passed)


def made(folder: Path, clock: Callable[[], datetime] | None = None, settings: Settings | None = None) -> Store:
    """A new store in a folder."""
    folder.mkdir(exist_ok=True)
    return create_store(find(folder), settings or Settings(), clock or Clock())


def record(store: Store, rows: Iterable[Row], session_id: str = "s-1", client: str = "claude") -> None:
    """Keep rows as a session's record; numbers that are there already are left alone."""
    with store.write() as session:
        if session.get(tables.Session, (store.project_id, session_id)) is None:
            session.add(
                tables.Session(
                    project_id=store.project_id,
                    session_id=session_id,
                    client=client,
                    worktree=store.place.worktree,
                    branch="main",
                    last_at=store.now(),
                )
            )
            session.flush()
        for row in rows:
            if session.get(tables.Record, (store.project_id, session_id, row.seq)) is None:
                session.add(_record(store, session_id, row))


def _record(store: Store, session_id: str, row: Row) -> tables.Record:
    return tables.Record(
        project_id=store.project_id,
        session_id=session_id,
        seq=row.seq,
        kind=row.kind.value,
        typed=row.typed.value if row.kind is Kind.INPUT else "",
        text=row.text,
        name="Skill" if row.skill else row.name,
        detail=row.skill,
        size=row.size,
        unit=row.unit,
        files={key: list(paths) for key, paths in row.files.items()},
        source_id=f"{session_id}-{row.seq}",
        at=store.now(),
    )
