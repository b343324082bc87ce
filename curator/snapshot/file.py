"""Replacing files of the store's folder as a whole: a reader sees the old one or the new one, never a half."""

import contextlib
import os
from pathlib import Path

from curator.brief.snapshot_file import NAME, Snapshot, encode


def replace(folder: Path, snapshot: Snapshot) -> None:
    """Replace the snapshot; raises `OSError` and leaves the old one, and no half file, when that fails."""
    put(folder / NAME, encode(snapshot))


def put(path: Path, data: bytes) -> None:
    """Write a file of mode 0600 beside its final place, then rename it there."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        aside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise
