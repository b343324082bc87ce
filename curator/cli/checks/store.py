"""The store: there, readable by its owner only, whole, of this program's version, taken in, with nothing left over."""

import contextlib
import re
import shlex
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from curator import spool
from curator.brief import snapshot_file
from curator.cli.checks.finding import Finding, broken, note, ok
from curator.config import Settings
from curator.errors import Busy, CannotLook
from curator.place import Place

if TYPE_CHECKING:
    from curator.store.condition import Condition


_WRITING = 60.0  # seconds after which nobody writes on a file that did not change


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
        yield from _network(place.folder)
    if problem := snapshot_file.read(str(place.folder)).problem:
        yield broken("snapshot", f"hooks cannot read the memory: {problem}", "curator ingest")
    else:
        yield ok("snapshot", "hooks can read the memory")
    if spool.waiting(str(place.folder)):
        yield note("spool", "hooks left something that is not taken in yet", "curator ingest")
    if spool.waiting(str(place.folder), spool.REMEMBERED):
        yield note("spool", "`remember` could not write when it was called; its texts wait", "curator ingest")
    if (place.folder / "off").exists():
        yield note("hooks", "they are switched off here", "curator on")
    for path in sorted(each for each in place.folder.iterdir() if _left_over(each)):
        yield note("leftovers", f"{path} was left by an interrupted write", f"rm {shlex.quote(str(path))}")


def _left_over(path: Path) -> bool:
    """A half-written file whose writer is not at it any more: drafts are named `.NAME.PID…` until they are whole."""
    draft = re.fullmatch(r"\..+\.(?:\d+|\d+\.part|restore)", path.name)
    return bool(draft) and path.is_file() and time.time() - path.stat().st_mtime > _WRITING


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
    from curator.store.condition import State, examine
    from curator.store.engine import DATABASE  # sqlmodel costs 290 ms

    path = folder / DATABASE
    try:
        found = examine(path)
        if found.state is not State.CURRENT:
            return _unusable(path, found)
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as database:
            answers = [str(row[0]) for row in database.execute("PRAGMA quick_check(3)")]
    except Busy as error:
        return note("store", str(error), "curator doctor")
    except sqlite3.Error as error:
        answers = [str(error)]
    if answers != ["ok"]:
        return broken("store", f"{path} is damaged: {answers[0]}", _restoring(path))
    return ok("store", f"{path} is whole, {path.stat().st_size / 1e6:.1f} MB")


def _unusable(path: Path, found: "Condition") -> Finding:
    """A file that this program does not use as it is, and what makes it usable."""
    from curator.store.condition import State

    mends = {
        State.MISSING: "curator init",
        State.OLDER: "curator db upgrade",
        State.NEWER: "pipx upgrade curator-memory",
    }
    return broken("store", found.reason or f"{path} is missing", mends.get(found.state) or _restoring(path))


def _restoring(path: Path) -> str:
    """The command that brings the newest copy back; with FILE to fill in where none is known."""
    from curator.store.backup import newest

    exported = path.parent / "memory.jsonl"
    if newest(path):
        return "curator db restore"
    return f"curator db restore {shlex.quote(str(exported)) if exported.exists() else 'FILE'}"


def _network(folder: Path) -> Iterator[Finding]:
    from curator.store.condition import NETWORK, on_network

    if kind := on_network(folder):
        yield note("store", f"{folder} lies on a network file system ({kind}): {NETWORK}", "curator db migrate-to URL")


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
