"""The opened store: connections, transactions, locks.

Owns how SQLite and PostgreSQL are opened so that no accepted write is lost: WAL, a busy timeout, BEGIN IMMEDIATE
for writers, one file lock around write transactions, FULL synchronous for decisions. It holds no queries.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool
from sqlmodel import Session

from curator.config import Settings
from curator.errors import CannotLook
from curator.place import Place
from curator.ports import Now
from curator.store.lock import held

DATABASE = "curator.db"
BUSY_SECONDS = 5.0


@dataclass(frozen=True)
class Store:
    """One project's store. `read` and `write` give a session whose transaction ends with the block."""

    engine: Engine
    project_id: str
    place: Place
    settings: Settings
    now: Now

    @property
    def sqlite(self) -> bool:
        """Is this the file in `.curator/` (else PostgreSQL)?"""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A consistent view; nothing written in it is kept. Raises `CannotLook` where the store cannot be read."""
        try:
            with Session(self.engine, expire_on_commit=False, autoflush=False) as session:
                yield session  # closing rolls back; a rollback here would empty the rows already read
        except OperationalError as error:
            raise CannotLook(f"the store {self.place.folder} could not be read: {error.orig}") from error

    @contextmanager
    def write(self, *, durable: bool = False) -> Iterator[Session]:
        """A write transaction: all or nothing, serialised with every other writer; `durable` survives power loss.

        Raises `CannotLook` where the store is locked for longer than the busy timeout or cannot be written.
        """
        engine = self.engine.execution_options(curator_write=True, curator_durable=durable)
        with held(self.place.folder / "lock", BUSY_SECONDS if self.sqlite else 0.0):
            try:
                with Session(engine, expire_on_commit=False) as session:
                    yield session
                    session.commit()
            except OperationalError as error:
                raise CannotLook(f"the store {self.place.folder} could not be written: {error.orig}") from error


def sqlite_engine(path: Path) -> Engine:
    """An engine on one database file with the settings that keep accepted writes."""
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def postgres_engine(url: str) -> Engine:
    """An engine on a team's server."""
    return create_engine(url, pool_pre_ping=True)


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver's own BEGIN is deferred and loses updates
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin(connection: Any) -> None:
    options = connection.get_execution_options()
    if options.get("curator_durable"):
        connection.exec_driver_sql("PRAGMA synchronous = FULL")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("curator_write") else "BEGIN")
