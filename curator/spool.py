"""The spool: what was left for later, one JSON object a line, appended by many processes, taken in by one at a time.

Owns the file, the append and the draining; knows nothing of what the lines mean. Standard library only, and cheap:
every hook appends. No line is lost or torn when writers and the drainer race or are killed: the drainer renames the
file, and a writer that holds the old one notices under its lock and writes to the new one. A line can be handed out
again only if its drainer died; `Batch.name` and line numbers let the store remember what it has taken.
"""

import os
import time

from curator.light import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, parsed, written

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

FOLDER = "spool"
REMEMBERED = "spool/remembered"
"""The queue of what `remember` could not note at once; the other one holds what hooks leave."""

NAME = "events.jsonl"
VERSION = 1
"""Version of a line, in `v`. A line of a newer version waits for a newer program."""

LINE_BYTES = 1 << 20
FILE_BYTES = 64 << 20

try:
    import fcntl
except ImportError:  # Windows: appends are atomic there too, but a drain may race with one
    fcntl = None  # type: ignore[assignment]


class Batch(NamedTuple):
    """Lines that nobody appends to any more. `lines` are (number, object), numbers from 1; damaged ones are left out.

    `damaged` counts lines that could not be read; `waiting` says that the rest is for a newer program.
    """

    name: str
    path: str
    lines: tuple[tuple[int, dict[str, Any]], ...]
    damaged: int
    waiting: bool

    def done(self) -> None:
        """Everything was taken in: the file goes, unless some of it waits for a newer program."""
        if not self.waiting:
            from contextlib import suppress

            with suppress(FileNotFoundError):
                os.remove(self.path)


def append(folder: str, event: Mapping[str, Any], queue: str = FOLDER) -> None:
    """Append one event to a spool of a store's folder; on disk when this returns, unless the power fails.

    Raises `OSError` where it cannot be written, is larger than 1 MiB, or the spool holds 64 MiB already.
    """
    # The line feed before it: what a full disk tore off earlier costs itself only, not this line.
    data = b"\n" + written({"v": VERSION, **event}, ascii_only=False).encode("utf-8", "replace") + b"\n"
    path = os.path.join(folder, queue, NAME)
    if len(data) > LINE_BYTES:
        raise OSError(27, "too large for the spool", path)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    while not _appended(path, data):
        pass


def drained(folder: str, queue: str = FOLDER) -> "AbstractContextManager[list[Batch] | None]":
    """All that was appended so far, oldest first; None while another process is at it. Raises `OSError`.

    Call `Batch.done` for each batch that the store has taken; the others are handed out again next time.
    """
    from contextlib import contextmanager

    return contextmanager(_drained)(os.path.join(folder, queue))


def _drained(spool: str) -> Iterator[list[Batch] | None]:
    if not os.path.isdir(spool):
        yield []
        return
    handle = os.open(os.path.join(spool, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _locked(handle, wait=False):
            yield None
            return
        _set_aside(spool)
        names = sorted(name for name in os.listdir(spool) if name.startswith("batch-"))
        yield [_batch(os.path.join(spool, name)) for name in names]
    finally:
        os.close(handle)


def waiting(folder: str, queue: str = FOLDER) -> bool:
    """Is there anything to take in?"""
    try:
        names = os.listdir(os.path.join(folder, queue))
    except OSError:
        return False
    return any(name == NAME or name.startswith("batch-") for name in names)


def _appended(path: str, data: bytes) -> bool:
    """Write to the file that has this path while we hold it; false where it was set aside in between."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        _locked(handle, wait=True, shared=True)
        here = os.fstat(handle)
        try:
            there = os.stat(path)
        except FileNotFoundError:
            return False
        if (here.st_ino, here.st_dev) != (there.st_ino, there.st_dev):
            return False
        if here.st_size > FILE_BYTES:
            raise OSError(28, "the spool is full; run `curator ingest`", path)
        if os.write(handle, data) != len(data):
            raise OSError(28, "No space left on device", path)
        return True
    finally:
        os.close(handle)


def _set_aside(spool: str) -> None:
    """Rename the file and wait until the last writer that still holds it is done."""
    batch = os.path.join(spool, f"batch-{time.time_ns():020d}-{os.getpid()}.jsonl")
    try:
        os.rename(os.path.join(spool, NAME), batch)
    except FileNotFoundError:
        return
    handle = os.open(batch, os.O_RDWR)
    try:
        _locked(handle, wait=True)
    finally:
        os.close(handle)


def _batch(path: str) -> Batch:
    lines: list[tuple[int, dict[str, Any]]] = []
    damaged = 0
    waits = False
    with open(path, "rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            value = _object(raw)
            if value is None:
                damaged += 1
            elif value.get("v", 1) > VERSION:
                waits = True
                break
            else:
                lines.append((number, value))
    return Batch(os.path.basename(path), path, tuple(lines), damaged, waits)


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        value = parsed(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and type(value.get("v", 1)) is int else None


def _locked(handle: int, *, wait: bool, shared: bool = False) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
