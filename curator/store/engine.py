"""The opened store: connections, transactions, locks.

Owns how SQLite and PostgreSQL are opened so that no accepted write is lost: WAL, a busy timeout, BEGIN IMMEDIATE
for writers, one file lock around write transactions, FULL synchronous for decisions. It holds no queries.
"""

import shutil
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.pool import NullPool
from sqlmodel import Session

from curator.config import Settings
from curator.errors import Busy, CannotLook
from curator.place import Place
from curator.ports import Now
from curator.store.condition import BUSY_SECONDS, reading
from curator.store.lock import held
from curator.store.turn import take_turn

DATABASE = "curator.db"
TURN_SECONDS = 20.0
"""Wait for a turn among the program's own writers: many at once on a slow machine need longer than one does."""


@dataclass(frozen=True)
class Store:
    """One project's store. `read` and `write` give a session whose transaction ends with the block."""

    engine: Engine
    project_id: str
    place: Place
    settings: Settings
    now: Now
    readonly: bool = False
    reader: Engine | None = None
    """What reads; None where the one engine does both."""
    notices: tuple[str, ...] = ()
    """What opening did or found that a person should know."""

    @property
    def sqlite(self) -> bool:
        """Is this the file in `.curator/` (else PostgreSQL)?"""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view; nothing written in it is kept. Raises `CannotLook` where the store cannot be read."""
        try:
            with Session(self.reader or self.engine, expire_on_commit=False, autoflush=False) as session:
                yield session  # closing rolls back; a rollback here would empty the rows already read
        except DatabaseError as error:
            raise self._trouble("read", error) from error

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[Session]:
        """A write transaction: all or nothing, serialised with every other writer; `durable` survives power loss.

        Raises `Busy` where the store is locked for longer than the busy timeout or cannot be written now.
        """
        if self.readonly:
            raise CannotLook(f"{self.place.folder} is read-only: nothing was written")
        engine = self.engine.execution_options(curator_write=True, curator_durable=durable)
        # Held until the connection is closed: a writer that closes may reset the log (SQLite before 3.51.3).
        with held(self.place.folder / "lock", TURN_SECONDS if self.sqlite else 0.0):
            try:
                with Session(engine, expire_on_commit=False) as session:
                    if not self.sqlite:
                        take_turn(session, self.project_id, TURN_SECONDS)
                    yield session
                    session.commit()
            except DatabaseError as error:
                raise self._trouble("written", error) from error

    def _trouble(self, what: str, error: DatabaseError) -> Exception:
        """What a person can do something about as one sentence; a fault of the program as it is."""
        if isinstance(error, IntegrityError | ProgrammingError | DataError | InternalError):
            return error
        reason = str(error.orig).splitlines()[0] if str(error.orig) else type(error.orig).__name__
        if "disk is full" in reason or ("disk I/O error" in reason and self._no_room()):
            reason = "No space left on device"
        where = self.place.folder / DATABASE if self.sqlite else self.engine.url.render_as_string(hide_password=True)
        kind = Busy if isinstance(error, OperationalError) else CannotLook
        return kind(f"{where} could not be {what}: {reason}")

    def _no_room(self) -> bool:
        """Is there too little room even for the side files of a log?"""
        return shutil.disk_usage(self.place.folder).free < _SIDE_FILES


_SIDE_FILES = 1 << 16


def sqlite_engine(path: Path, journal: str = "") -> Engine:
    """An engine on one database file with the settings that keep accepted writes.

    `journal` is set at creation only (`WAL`, or `DELETE` where WAL is not safe): the file remembers it.
    """
    engine = create_engine("sqlite://", poolclass=NullPool, creator=lambda: _writing(path, journal))
    event.listen(engine, "begin", _begin)
    return engine


def reading_engine(path: Path) -> Engine:
    """An engine that can only read, also where the folder cannot be written.

    The reader that is last to close leaves the log as it is; one that could write would move it into the file.
    """
    engine = create_engine("sqlite://", poolclass=NullPool, creator=lambda: _reading(path))
    event.listen(engine, "begin", _begin)
    return engine


def postgres_engine(url: str) -> Engine:
    """An engine on a team's server; `postgres://` and `postgresql://` take the driver that the extra brings.

    Raises `CannotLook` where the URL is none or the driver is missing.
    """
    scheme, colon, rest = url.partition("://")
    if scheme not in {"postgres", "postgresql", "postgresql+psycopg"}:
        raise CannotLook("the database's URL must begin with postgresql://")
    try:
        engine = create_engine(
            f"postgresql+psycopg{colon}{rest}",
            pool_pre_ping=True,
            connect_args={"connect_timeout": int(BUSY_SECONDS)},
        )
    except ImportError as error:
        raise CannotLook("PostgreSQL needs the driver: pip install 'curator-memory[postgres]'") from error
    except (ArgumentError, ValueError) as error:
        raise CannotLook("the database's URL could not be read: postgresql://USER@HOST:PORT/DATABASE") from error
    weakref.finalize(engine, engine.pool.dispose)  # at the latest when the program ends
    return engine


def postgres_reader(engine: Engine) -> Engine:
    """The same connections for reading: one view for the whole transaction, and no right to write."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _writing(path: Path, journal: str) -> sqlite3.Connection:
    # isolation_level: the driver's own BEGIN is deferred and loses updates.
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.executescript(_PRAGMAS + (f"PRAGMA journal_mode = {journal};" if journal else ""))
    return connection


def _reading(path: Path) -> sqlite3.Connection:
    connection = reading(path)
    connection.executescript(_PRAGMAS)
    return connection


_PRAGMAS = "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL;"


def _begin(connection: Any) -> None:
    options = connection.get_execution_options()
    if options.get("curator_durable"):
        connection.exec_driver_sql("PRAGMA synchronous = FULL")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("curator_write") else "BEGIN")
