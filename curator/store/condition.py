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

from curator.errors import CannotLook
from curator.store.backup import newest

KNOWN = ("0001", "0002", "0003")
"""Every schema this program can open, oldest first; the last one is its own. A test compares it with `migrations/`."""

HEAD = KNOWN[-1]

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ncpfs", "fuse.sshfs", "vboxsf", "ceph"})


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
    """Look at a database file. A file that another process is just making counts as missing."""
    try:
        tables, rows = _look(path)
    except FileNotFoundError:
        return _absent(path, f"{path} is missing")
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


def reading(path: Path) -> str:
    """The SQLite URI that reads a file whatever its folder allows."""
    # Without write access to the folder SQLite cannot make the side files of a WAL database.
    mode = "mode=ro" if writable(path.parent) or path.with_name(path.name + "-wal").exists() else "immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"


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
    with contextlib.closing(sqlite3.connect(reading(path), uri=True, timeout=5)) as connection:
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
