"""Running the migrations: backup first, one transaction, and the same rows afterwards.

Imported only when one has to run, because alembic is slow to import (290 ms).
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, inspect, text

from curator.errors import CannotLook, CuratorError
from curator.ports import Now
from curator.store import backup
from curator.store.condition import KNOWN, State, examine, on_network
from curator.store.engine import DATABASE, TURN_SECONDS, sqlite_engine
from curator.store.lock import held

_LOCK = 7_203_961_548  # advisory lock of a server while a schema changes; any number that others do not use


def scripts() -> Path:
    """The folder of migrations: inside the wheel, or beside the package in a checkout."""
    package = Path(__file__).parent.parent
    packed = package / "_migrations"
    return packed if packed.is_dir() else package.parent / "migrations"


def upgrade(folder: Path, now: Now, *, afresh: bool = False) -> Path | None:
    """Bring the folder's database to this program's schema, one process at a time; returns the backup, if one was due.

    `afresh` makes a missing one even where a backup says that one was lost.
    Raises `CannotLook` where the file is newer or damaged, or the disk is full; the file is then as it was.
    """
    path = folder / DATABASE
    with held(folder / "lock", TURN_SECONDS * 2):
        condition = examine(path)
        if condition.state is State.CURRENT:
            return None
        empty = not (path.exists() and path.stat().st_size)
        if condition.state in (State.NEWER, State.DAMAGED) and not (afresh and empty):
            raise CannotLook(condition.reason)
        kept = backup.make(path, now(), condition.version) if condition.state is State.OLDER else None
        if kept is None:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        engine = sqlite_engine(path, journal="DELETE" if on_network(folder) else "WAL")
        _run(engine, lambda config: command.upgrade(config, "head"))
        return kept


def downgrade(folder: Path, version: str, now: Now) -> Path:
    """Take the schema back to an earlier one, for an older program; returns the backup made before."""
    path = folder / DATABASE
    if version not in KNOWN:
        raise CuratorError(f"there is no schema {version}; there are {', '.join(KNOWN)}")
    with held(folder / "lock", TURN_SECONDS * 2):
        condition = examine(path)
        if condition.state not in (State.CURRENT, State.OLDER):
            raise CannotLook(condition.reason or f"{path} is missing")
        if version > condition.version:
            raise CuratorError(f"{path} has schema {condition.version}, which is older than {version}")
        kept = backup.make(path, now(), condition.version)
        _run(sqlite_engine(path), lambda config: command.downgrade(config, version))
        return kept


def upgrade_server(engine: Engine) -> None:
    """Bring a server's schema to this program's, one process at a time."""
    _run(engine, lambda config: command.upgrade(config, "head"))


def downgrade_server(engine: Engine, version: str) -> None:
    """Take a server's schema back to an earlier one; the server's own tools make the backup."""
    if version not in KNOWN:
        raise CuratorError(f"there is no schema {version}; there are {', '.join(KNOWN)}")
    _run(engine, lambda config: command.downgrade(config, version))


def _run(engine: Engine, act: Callable[[Config], None]) -> None:
    config = Config()
    config.set_main_option("script_location", str(scripts()).replace("%", "%%"))
    options = {"curator_write": True, "curator_durable": True}
    try:
        with engine.execution_options(**options).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            before = counts(connection)
            config.attributes["connection"] = connection
            act(config)
            _same(before, counts(connection))
    finally:
        engine.dispose()


def counts(connection: Connection) -> dict[str, int]:
    """Rows by table, of the tables that hold a person's data."""
    names = [name for name in inspect(connection).get_table_names() if not name.startswith(("alembic_", "entry_words"))]
    return {name: int(connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one()) for name in names}


def _same(before: dict[str, int], after: dict[str, Any]) -> None:
    """A migration may add and drop tables that are empty; it loses no row."""
    lost = [name for name, count in before.items() if count and after.get(name) != count]
    if lost:
        raise CuratorError(f"the migration would change the number of rows in {', '.join(lost)}; it was not done")
