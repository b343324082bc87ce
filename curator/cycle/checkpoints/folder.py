"""The files of an open checkpoint: `mind.md`, `memo.md` and our own note beside them.

Owns that nothing but these names in this one folder is ever read or written: no link, no other folder, no half file.
Every file has mode 0600 and is written beside its place and renamed; what fails leaves nothing behind.
"""

import contextlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

from curator.errors import Conflict, CuratorError

MIND = "mind.md"
MEMO = "memo.md"
STATE = "open.json"
NAMES = (MIND, MEMO, STATE)
LARGEST = 4 * 1024 * 1024
"""Bytes of a file that are read at most; a mind is some kilobytes."""

_LINKS = getattr(os, "O_NOFOLLOW", 0)


def folder_of(store: Path, session_id: str) -> Path:
    """Where the files of a session's checkpoint stand. Ids from outside cannot lead elsewhere."""
    safe = re.sub(r"[^A-Za-z0-9-]", "-", session_id)[:64]
    mark = "" if safe and safe == session_id else "-" + sha256(session_id.encode("utf-8", "replace")).hexdigest()[:8]
    return store / "checkpoints" / f"{safe or 'session'}{mark}"


def write(folder: Path, name: str, text: str) -> None:
    """Replace one file as a whole. Raises `CuratorError` where the folder or the name is not plainly ours."""
    with _opened(folder, create=True) as place:
        _plain(place, name)
        part = f".{name}.{os.getpid()}"
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _LINKS, 0o600, dir_fd=place)
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
            os.replace(part, name, src_dir_fd=place, dst_dir_fd=place)
        except OSError as error:
            raise CuratorError(f"{folder / name} could not be written: {error.strerror}") from error
        finally:
            with contextlib.suppress(OSError):
                os.unlink(part, dir_fd=place)


def read(folder: Path, name: str) -> str:
    """One file's text as it is, BOM and line ends included.

    Raises `CuratorError` where it is missing, a link, no plain file, too large or not UTF-8, and `Conflict` where it
    changed while it was read.
    """
    with _opened(folder) as place:
        try:
            handle = os.open(name, os.O_RDONLY | _LINKS | getattr(os, "O_NONBLOCK", 0), dir_fd=place)
        except FileNotFoundError as error:
            raise CuratorError(f"{folder / name} is gone") from error
        except OSError as error:
            raise CuratorError(f"{folder / name} is not a plain file of ours: {error.strerror}") from error
        try:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode) or before.st_nlink != 1 or before.st_size > LARGEST:
                raise CuratorError(f"{folder / name} is not a plain file of ours")
            data = _bytes(handle)
            if _same(before) != _same(os.fstat(handle)):
                raise Conflict(f"{folder / name} changed while it was read; try again")
        finally:
            os.close(handle)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CuratorError(f"{folder / name} is not UTF-8: {error.reason}") from error


def exists(folder: Path, name: str) -> bool:
    """Is anything there under this name?"""
    return os.path.lexists(folder / name)


def clear(folder: Path) -> None:
    """Take our files away, and the folder when nothing else is in it."""
    with contextlib.suppress(OSError, CuratorError), _opened(folder) as place:
        for name in NAMES:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=place)
    with contextlib.suppress(OSError):
        folder.rmdir()


def keep_copy(folder: Path, name: str, text: str) -> None:
    """Write a read-only copy, once and whole, under a name that tells its content. One that is there stays."""
    with _opened(folder, create=True) as place:
        if os.path.lexists(folder / name):
            return
        part = f".{name}.{os.getpid()}"
        try:
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _LINKS, 0o444, dir_fd=place)
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
                os.fchmod(handle, 0o444)
            os.replace(part, name, src_dir_fd=place, dst_dir_fd=place)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(part, dir_fd=place)


@contextmanager
def _opened(folder: Path, create: bool = False) -> Iterator[int]:
    """The folder by handle, so that what is done in it cannot be led elsewhere by a later swap."""
    flags = os.O_RDONLY | os.O_DIRECTORY | _LINKS
    if create:
        with contextlib.suppress(FileExistsError):
            folder.parent.mkdir(mode=0o700)
    with ExitStack() as open_now:
        try:
            above = os.open(folder.parent, flags)
            open_now.callback(os.close, above)
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(folder.name, 0o700, dir_fd=above)
            place = os.open(folder.name, flags, dir_fd=above)
            open_now.callback(os.close, place)
        except OSError as error:
            raise CuratorError(f"{folder} is not a plain folder of ours: {error.strerror}") from error
        yield place


def _bytes(handle: int) -> bytes:
    """Everything up to the largest size."""
    data = b""
    while len(data) <= LARGEST and (part := os.read(handle, LARGEST)):
        data += part
    return data


def _plain(place: int, name: str) -> None:
    """Refuse a name that is not one of ours, or that something other than a plain file stands under."""
    if name not in NAMES:
        raise CuratorError(f"{name} is not one of the checkpoint's own files")
    try:
        found = os.stat(name, dir_fd=place, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        raise CuratorError(f"{name} is not a plain file of ours")


def _same(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino
