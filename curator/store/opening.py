"""Opening and creating a store: folder, configuration file, schema version.

Owns what happens before the first query: a missing store, an older or newer schema, a damaged file, a folder that
cannot be written, the project's id. An older schema is brought to this program's after a backup; a newer one or a
damaged file is refused with a sentence that says what to do, and is never changed.
"""

import os
import tomllib
import uuid
from pathlib import Path

from curator.config import Settings
from curator.errors import CannotLook, CuratorError
from curator.place import FOLDER, Place
from curator.ports import Now
from curator.store.condition import HEAD, NETWORK, State, examine, on_network, usable, writable
from curator.store.engine import DATABASE, Store, postgres_engine, postgres_reader, reading_engine, sqlite_engine

__all__ = [
    "CONFIG",
    "HEAD",
    "SHARED_IGNORE",
    "check_version",
    "create_store",
    "made_on_server",
    "open_store",
    "project_id_of",
]

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
        return _server_store(place, settings, now)
    path = place.folder / DATABASE
    condition = examine(path)
    if condition.state is State.MISSING:
        return None
    project_id = project_id_of(place)
    if not writable(place.folder):
        usable(condition)
        return Store(reading_engine(path), project_id, place, settings, now, readonly=True)
    notices: tuple[str, ...] = ()
    if condition.state is State.OLDER:
        from curator.store.migrate import upgrade

        if kept := upgrade(place.folder, now):
            notices = (f"brought {path} from schema {condition.version} to {HEAD}; as it was: {kept}",)
    else:
        usable(condition)
    engine = sqlite_engine(path, journal="DELETE" if on_network(place.folder) else "")
    return Store(engine, project_id, place, settings, now, reader=reading_engine(path), notices=notices)


def create_store(place: Place, settings: Settings, now: Now, *, demo: bool = False, afresh: bool = False) -> Store:
    """The project's store, made if it is missing; safe when several processes do it at once.

    `afresh` makes one even where a backup says that one was lost: for imports and restores only.
    """
    place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write_once(place.folder / ".gitignore", SHARED_IGNORE)
    _write_once(place.folder / CONFIG, f'project_id = "{uuid.uuid4()}"\n' + ("demo = true\n" if demo else ""))
    place = place._replace(found=True)
    notices = tighten(place.folder)
    path = place.folder / DATABASE
    if settings.database_url:
        return _noted(made_on_server(place, settings, now), notices)
    empty = not (path.exists() and path.stat().st_size)
    if not (afresh and empty) and (store := open_store(place, settings, now)):
        return _noted(store, notices)
    from curator.store.migrate import upgrade  # alembic costs 290 ms

    upgrade(place.folder, now, afresh=afresh)
    if kind := on_network(place.folder):
        notices += (f"{place.folder} lies on a network file system ({kind}): {NETWORK}",)
    store = open_store(place, settings, now)
    if store is None:
        raise CuratorError(f"the store {place.folder} could not be made")
    _note_project(store)
    return _noted(store, notices)


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
    if not usable(examine(path)):
        raise CannotLook(f"{path} is missing")


def tighten(folder: Path) -> tuple[str, ...]:
    """Take rights on the folder away from group and others; says what it did, or why it could not."""
    mode = folder.stat().st_mode & 0o777
    if not mode & 0o077 or os.name == "nt":
        return ()
    try:
        folder.chmod(mode & 0o700)
    except OSError as error:
        return (f"{folder} can be read by others: {error.strerror}",)
    return (f"{folder} could be read by others; now by you only",)


def _server_store(place: Place, settings: Settings, now: Now) -> Store | None:
    """The project's store on a team's server; None where the server does not hold it. Brings an older schema up."""
    from curator.store.server import empty, ready
    from curator.store.tables import Project

    engine = postgres_engine(settings.database_url)
    if empty(engine):
        return None
    ready(engine)
    store = Store(engine, project_id_of(place), place, settings, now, reader=postgres_reader(engine))
    with store.read() as session:
        return store if session.get(Project, store.project_id) else None


def made_on_server(place: Place, settings: Settings, now: Now) -> Store:
    """The project's store on a team's server, made where it is missing."""
    from curator.store.server import ready

    engine = postgres_engine(settings.database_url)
    ready(engine)
    store = Store(engine, project_id_of(place), place, settings, now, reader=postgres_reader(engine))
    _note_project(store)
    return store


def _noted(store: Store, notices: tuple[str, ...]) -> Store:
    from dataclasses import replace

    return replace(store, notices=notices + store.notices) if notices else store


def _write_once(path: Path, text: str) -> None:
    """Make a small file, whole or not at all; one that is there stays, whoever was first."""
    if path.exists():
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    try:
        os.link(draft, path)  # unlike a rename it fails where another process was faster
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        if not path.exists():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _note_project(store: Store) -> None:
    from curator.store.tables import Project

    with store.write() as session:
        if session.get(Project, store.project_id) is None:
            session.add(
                Project(project_id=store.project_id, name=store.place.root.name or FOLDER, created_at=store.now())
            )
