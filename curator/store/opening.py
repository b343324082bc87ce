"""Opening and creating a store: folder, configuration file, schema version.

Owns what happens before the first query: a missing store, an older or newer schema, the project's id. Migrations
run only here and in `curator db`; alembic is imported only when one has to run.
"""

import os
import sqlite3
import tomllib
import uuid
from pathlib import Path

from curator.config import Settings
from curator.errors import CannotLook, CuratorError
from curator.place import FOLDER, Place
from curator.ports import Now
from curator.store.engine import DATABASE, Store, postgres_engine, sqlite_engine

HEAD = "0001"
"""The newest migration this program knows; a test compares it with `migrations/`."""

CONFIG = "config.toml"
SHARED_IGNORE = "*\n!.gitignore\n!config.toml\n!CONTRACT.md\n!TASK_STATE.md\n!HEADER.md\n!memory.jsonl\n"
"""What `.curator/.gitignore` says unless the person keeps the whole folder private: the database is never tracked."""


def open_store(place: Place, settings: Settings, now: Now) -> Store | None:
    """The project's store, or None where there is none. Creates nothing.

    Raises `CannotLook` where a store is there but cannot be used by this program.
    """
    if not place.found:
        return None
    if settings.database_url:
        return Store(postgres_engine(settings.database_url), project_id_of(place), place, settings, now)
    path = place.folder / DATABASE
    if not path.exists() or not path.stat().st_size:  # an empty file is a store that was never finished
        return None
    project_id = project_id_of(place)
    check_version(path)
    return Store(sqlite_engine(path), project_id, place, settings, now)


def create_store(place: Place, settings: Settings, now: Now, *, demo: bool = False) -> Store:
    """The project's store, made if it is missing; safe when several processes do it at once."""
    if store := open_store(place, settings, now):
        return store
    place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write_once(place.folder / ".gitignore", SHARED_IGNORE)
    _write_once(place.folder / CONFIG, f'project_id = "{uuid.uuid4()}"\n' + ("demo = true\n" if demo else ""))
    place = Place(place.root, place.top, place.worktree, True)
    from curator.store.migrate import upgrade  # alembic costs 290 ms

    upgrade(place, settings)
    store = open_store(place, settings, now)
    if store is None:
        raise CuratorError(f"the store {place.folder} could not be made")
    _note_project(store)
    return store


def project_id_of(place: Place) -> str:
    """The id in `.curator/config.toml`; raises `CannotLook` where it is missing or unreadable."""
    path = place.folder / CONFIG
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8-sig")).get("project_id")
    except (OSError, ValueError) as error:
        raise CannotLook(f"{path} could not be read: {error}") from error
    if not isinstance(value, str) or not value:
        raise CannotLook(f"{path} has no project_id; run `curator init` to make one")
    return value


def check_version(path: Path) -> None:
    """Raise `CannotLook` unless the database carries exactly the schema this program knows."""
    found = schema_version(path)
    if found == HEAD:
        return
    raise CannotLook(
        f"{path} has schema {found}, this program knows {HEAD}; "
        + ("run `curator db upgrade`" if found.isdigit() and found < HEAD else "upgrade curator")
    )


def schema_version(path: Path) -> str:
    """The database's schema stamp; raises `CannotLook` where it cannot be read (never taken for a fresh store)."""
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
        try:
            rows = connection.execute("SELECT version_num FROM alembic_version").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise CannotLook(f"{path} could not be read: {error}") from error
    if len(rows) != 1:
        raise CannotLook(f"{path} has no readable schema version")
    return str(rows[0][0])


def _write_once(path: Path, text: str) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _note_project(store: Store) -> None:
    from curator.store.tables import Project

    with store.write() as session:
        if session.get(Project, store.project_id) is None:
            session.add(
                Project(project_id=store.project_id, name=store.place.root.name or FOLDER, created_at=store.now())
            )
