"""A lock between processes on a file: taken in bounded time, freed by the system when its holder dies."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from curator.errors import CannotLook

try:
    import fcntl
except ImportError:  # Windows: SQLite's own locks remain
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock for the block; `seconds` 0 takes none. Raises `CannotLook` when it stays taken for `seconds`."""
    if not seconds or fcntl is None:
        yield
        return
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(handle, path, seconds)
        yield
    finally:
        os.close(handle)


def _take(handle: int, path: Path, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    pause = 0.001
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise CannotLook(f"{path.parent} is in use by another process; tried for {seconds:.0f} s") from None
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
        else:
            return
