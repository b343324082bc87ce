"""The store: there, readable by its owner only, whole, of this program's version, taken in, with nothing left over."""

import contextlib
import shlex
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from curator import spool
from curator.brief import snapshot_file
from curator.cli.checks.finding import Finding, broken, note, ok
from curator.config import Settings
from curator.errors import Busy, CannotLook
from curator.place import Place


def check(place: Place, settings: Settings) -> Iterator[Finding]:
    """Everything about a project's store that can be seen without changing it."""
    if not place.found:
        yield note("store", f"no store at {place.root}", "curator init")
        return
    yield from _permissions(place.folder)
    if settings.database_url:
        yield from _postgres(place, settings)
    else:
        yield _database(place.folder)
    if problem := snapshot_file.read(str(place.folder)).problem:
        yield broken("snapshot", f"hooks cannot read the memory: {problem}", "curator ingest")
    else:
        yield ok("snapshot", "hooks can read the memory")
    if spool.waiting(str(place.folder)):
        yield note("spool", "hooks left something that is not taken in yet", "curator ingest")
    if (place.folder / "off").exists():
        yield note("hooks", "they are switched off here", "curator on")
    for path in sorted(place.folder.glob("*.tmp*")):
        yield note("leftovers", f"{path} was left by an interrupted write", f"rm {shlex.quote(str(path))}")


def _permissions(folder: Path) -> Iterator[Finding]:
    open_to_others = [
        path
        for path in (folder, *folder.glob("curator.db*"), folder / "snapshot.json")
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    if open_to_others:
        names = ", ".join(str(path) for path in open_to_others)
        yield broken("permissions", f"others can read {names}", f"chmod -R go-rwx {shlex.quote(str(folder))}")
    else:
        yield ok("permissions", "only you can read the store")


def _database(folder: Path) -> Finding:
    from curator.store.engine import DATABASE  # sqlmodel costs 290 ms
    from curator.store.opening import check_version

    path = folder / DATABASE
    if not path.exists():
        return broken("store", f"{path} is missing", "curator init")
    try:
        check_version(path)
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as database:
            answers = [str(row[0]) for row in database.execute("PRAGMA quick_check(3)")]
    except Busy as error:
        return note("store", str(error), "curator doctor")
    except CannotLook as error:
        return broken("store", str(error), "curator db upgrade" if "db upgrade" in str(error) else "curator db restore")
    except sqlite3.Error as error:
        return broken("store", f"{path}: {error}", "curator db restore")
    if answers != ["ok"]:
        return broken("store", f"{path} is damaged: {answers[0]}", "curator db restore")
    return ok("store", f"{path} is whole, {path.stat().st_size / 1e6:.1f} MB")


def _postgres(place: Place, settings: Settings) -> Iterator[Finding]:
    from curator.edge.clock import now
    from curator.store.opening import open_store

    try:
        store = open_store(place, settings, now)
        if store:
            with store.read() as session:
                session.connection()
    except CannotLook as error:
        yield broken("store", str(error), "curator config --origin")
    else:
        yield ok("store", "the database answers")
