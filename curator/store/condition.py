"""What state a database file is in, found without changing it and before any table is read.

Owns the question "may this program use that file?". A stamp that cannot be read is damage, never a fresh store.
"""

import contextlib
import os
import re
import sqlite3
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from curator.errors import Busy, CannotLook
from curator.store.backup import newest

KNOWN = ("0001", "0002", "0003", "0004")
"""Every schema this program can open, oldest first; the last one is its own. A test compares it with `migrations/`."""

HEAD = KNOWN[-1]

BUSY_SECONDS = 5.0
"""How long SQLite waits for a lock of another program."""

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ncpfs", "fuse.sshfs", "vboxsf", "ceph"})


_NO_ROOM = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL})


NETWORK = (
    "it is written with a rollback journal, slower, and is safe for one machine at a time; a team takes PostgreSQL"
)


class State(StrEnum):
    """What can be done with a file."""

    MISSING = "missing"
    CURRENT = "current"
    OLDER = "older"
    NEWER = "newer"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class Condition:
    """The state, the schema's stamp ("" where there is none) and, for a file not to be used, one sentence of why."""

    state: State
    version: str = ""
    reason: str = ""


def examine(path: Path) -> Condition:
    """Look at a database file. A file that another process is just making counts as missing.

    Raises `Busy` where it cannot be read now: locked as a whole, or a disk that fails.
    """
    try:
        tables, rows = _look(path)
    except FileNotFoundError:
        return _absent(path, f"{path} is missing")
    except sqlite3.OperationalError as error:
        raise Busy(f"{path} could not be read: {error}") from error
    except sqlite3.Error as error:
        return _damaged(path, f"{path} could not be read ({error})")
    if not tables:
        return _absent(path, f"{path} is empty")
    if len(rows) != 1:
        return _damaged(path, f"{path} has no schema version")
    version = str(rows[0])
    if version == HEAD:
        return Condition(State.CURRENT, version)
    if version in KNOWN:
        return Condition(State.OLDER, version, f"{path} has the older schema {version}; this program's is {HEAD}")
    if re.fullmatch(r"[0-9a-f]{4,40}", version) and version > HEAD:
        reason = f"{path} has schema {version} of a newer curator; this program knows {HEAD}: upgrade curator"
        return Condition(State.NEWER, version, reason)
    return _damaged(path, f"{path} has an unreadable schema version {version[:40]!r}")


def usable(condition: Condition) -> bool:
    """Can it be read as it is? Raises `CannotLook` for what is newer, damaged or older; false for what is missing."""
    if condition.state is State.CURRENT:
        return True
    if condition.state is State.MISSING:
        return False
    raise CannotLook(condition.reason)


def reading(path: Path) -> sqlite3.Connection:
    """A connection that reads a file and never changes it, whatever its folder allows and however full the disk is."""
    log = path.with_name(path.name + "-wal")
    if writable(path.parent) or log.exists():
        connection = _connected(path, "mode=ro")
        try:
            connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF not in _NO_ROOM or (log.exists() and log.stat().st_size):
                raise
        else:
            return connection
    # SQLite cannot make the side files of a WAL database; without a log nothing is in them.
    return _connected(path, "immutable=1")


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    # isolation_level: the driver's own BEGIN is deferred and loses updates.
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def writable(folder: Path) -> bool:
    """May this process write in the folder? (For root this sees read-only media only.)"""
    return os.access(folder, os.W_OK | os.X_OK)


def on_network(folder: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """The kind of network file system that a folder lies on, on which WAL loses data; "" where there is none."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    here = str(folder.resolve())
    best, kind = "", ""
    for line in lines:
        words = line.split(" ")
        if len(words) < 3:
            continue
        point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), words[1])
        inside = here == point or here.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, words[2]
    return kind if kind in _NETWORK else ""


def _look(path: Path) -> tuple[int, list[object]]:
    """The number of tables, and the rows of the stamp."""
    path.stat()
    with contextlib.closing(reading(path)) as connection:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (stamps,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
        return tables, [
            row[0] for row in connection.execute("SELECT version_num FROM alembic_version")
        ] if stamps else []


def _absent(path: Path, reason: str) -> Condition:
    """Nothing there is a fresh store, unless something says that there was one."""
    kept = path.parent / "memory.jsonl"
    if newest(path) is None and not kept.exists():
        return Condition(State.MISSING)
    if newest(path) is None and not path.exists():
        return Condition(State.MISSING)  # a fresh clone that brings its memory along
    return _damaged(path, reason)


def _damaged(path: Path, reason: str) -> Condition:
    backup = newest(path)
    exported = path.parent / "memory.jsonl"
    if backup is not None:
        mend = f"the newest backup is {backup}: `curator db restore` brings it back and keeps the damaged file"
    elif exported.exists():
        mend = f"`curator db restore {exported}` makes a new store from {exported.name} and keeps the damaged file"
    else:
        mend = "no backup was found; `curator db restore FILE` takes one, or an export"
    return Condition(State.DAMAGED, reason=f"{reason}; nothing was changed; {mend}")
