"""Whole copies of the database: made while others write, found again, put back.

Owns `.curator/backups/`. A backup is an ordinary SQLite file; restoring one keeps what was there before.
"""

import contextlib
import os
import sqlite3
from datetime import datetime
from pathlib import Path

from curator.errors import CannotLook

FOLDER = "backups"
_KEPT = 5


def folder_of(database: Path) -> Path:
    """Where the backups of a database lie."""
    return database.parent / FOLDER


def newest(database: Path) -> Path | None:
    """The newest backup; None where there is none."""
    found = sorted(folder_of(database).glob("curator-*.db"))
    return found[-1] if found else None


def name_of(now: datetime, version: str) -> str:
    """A name that sorts by time and says the schema."""
    return f"curator-{now:%Y%m%dT%H%M%S.%f}Z-{version or 'unknown'}.db"


def copy(database: Path, target: Path) -> Path:
    """Copy a database, consistently, whoever writes; raises `CannotLook` where it is damaged, `OSError` on a full disk.

    The copy is one file, whole and readable by its owner only, or it is not there.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as source,
            contextlib.closing(sqlite3.connect(draft)) as there,
        ):
            source.backup(there)
            if (answer := there.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise CannotLook(f"{database} is damaged: {answer}")
            there.execute("PRAGMA journal_mode = DELETE")
        _settle(draft)
        draft.replace(target)
        return target
    except sqlite3.Error as error:
        raise CannotLook(f"{database} could not be copied to {target}: {error}") from error
    finally:
        draft.unlink(missing_ok=True)


def make(database: Path, now: datetime, version: str) -> Path:
    """A backup in the usual place; of those only the newest five stay."""
    folder = folder_of(database)
    folder.mkdir(mode=0o700, exist_ok=True)
    _sweep_out(folder)
    made = copy(database, folder / name_of(now, version))
    for old in sorted(folder.glob("curator-*.db"))[:-_KEPT]:
        old.unlink()
    return made


def _sweep_out(folder: Path) -> None:
    """Remove half a copy, and its journal, that a killed program left; one that a living process makes stays."""
    for part in folder.glob(".curator-*.part*"):
        try:
            os.kill(int(part.name.split(".")[-2]), 0)
        except (ProcessLookupError, ValueError):
            part.unlink(missing_ok=True)
        except OSError:
            continue


def is_database(path: Path) -> bool:
    """Does the file begin as an SQLite database does?"""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def put_aside(database: Path, now: datetime) -> Path | None:
    """Keep what is in the database's place under another name; returns that name. Call under the lock."""
    kept = None
    if database.exists() and database.stat().st_size:
        kept = database.with_name(f"{database.name}.replaced-{now:%Y%m%dT%H%M%S}")
        database.replace(kept)
    for side in ("-wal", "-shm", "-journal"):
        path = database.with_name(database.name + side)
        if path.exists() and kept is not None:
            path.replace(kept.with_name(kept.name + side))
        else:
            path.unlink(missing_ok=True)
    return kept


def put_back(backup: Path, database: Path, now: datetime) -> Path | None:
    """Put a backup in the database's place; what was there is kept under the returned name. Call under the lock."""
    draft = database.with_name(f".{database.name}.restore")
    copy(backup, draft)
    kept = put_aside(database, now)
    draft.replace(database)
    _settle(database.parent)
    return kept


def _settle(path: Path) -> None:
    """On disk before anything rests on it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
