"""A lock between processes on a file: taken in turn and in bounded time, freed by the system when its holder dies.

Owns fairness. Who asks again and again (a harvest of many batches) cannot pass those who wait: everybody goes through
an anteroom, which the next one in turn leaves only with the lock in hand; the system wakes who waits in order.
"""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from curator.errors import Busy

try:
    import fcntl
except ImportError:  # Windows: SQLite's own locks remain
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def held(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock for the block; `seconds` 0 takes none. Raises `Busy` when it stays taken for `seconds`."""
    if not seconds or fcntl is None:
        yield
        return
    deadline = time.monotonic() + seconds
    anteroom = _taken(path.with_name(path.name + ".next"), deadline)
    try:
        handle = None if anteroom is None else _taken(path, deadline)
    finally:
        if anteroom is not None:
            os.close(anteroom)
    if handle is None:
        raise Busy(f"{path.parent} is in use by another process; tried for {seconds:.0f} s")
    try:
        yield
    finally:
        os.close(handle)


def _taken(path: Path, deadline: float) -> int | None:
    """The locked file; None where the time ran out first."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return handle if _waited(handle, deadline) else None
    except BaseException:
        os.close(handle)
        raise
    return handle


def _waited(handle: int, deadline: float) -> bool:
    """Wait in the system's queue, which has no time limit of its own: so in a thread that may be left behind.

    Who gives up leaves the file to that thread, which closes it as soon as its turn comes.
    """
    settle = threading.Lock()
    state = {"taken": False, "given_up": False}

    def queue() -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with settle:
            state["taken"] = True
            if state["given_up"]:
                os.close(handle)

    waiter = threading.Thread(target=queue, daemon=True)
    waiter.start()
    try:
        waiter.join(max(0.0, deadline - time.monotonic()))
    finally:
        with settle:
            state["given_up"] = True
            taken = state["taken"]
    return taken
