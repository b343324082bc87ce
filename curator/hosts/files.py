"""Another program's settings file: read exactly, replaced whole or not at all, with a dated copy kept beside it.

A copy's name carries the digest of what was written in its place, so that removal knows whether the file is still
as we left it. Links are followed, mode is kept. Standard library only.
"""

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
from datetime import datetime
from pathlib import Path

from curator.errors import Conflict, CuratorError


def read(path: Path) -> str | None:
    """The text with its byte order mark and line ends; None where there is no file."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CuratorError(f"{path} could not be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CuratorError(f"{path} is not UTF-8 (byte {error.start}); nothing was changed") from error


def is_read_only(path: Path) -> bool:
    """Does the file say that its owner must not write it? The folder would let us replace it all the same."""
    return path.exists() and not path.stat().st_mode & stat.S_IWUSR


def replace(path: Path, old: str | None, new: str) -> None:
    """Put `new` in the place of `old` in one step.

    Raises `Conflict` where the file is no longer `old`, `CuratorError` where it may not or cannot be written; then
    nothing has changed and nothing is left over.
    """
    target = path.resolve()
    if read(target) != old:
        raise Conflict(f"{path} changed meanwhile; nothing was written, try again")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, new, target if old is not None else None)
    except OSError as error:
        raise CuratorError(f"{path} could not be written: {error.strerror}; nothing was changed") from error


def back_up(path: Path, old: str, new: str, at: datetime) -> Path:
    """A dated copy of what stands in the file now, before it becomes `new`."""
    target = path.resolve()
    copy = target.with_name(f"{target.name}.curator-{at:%Y%m%dT%H%M%SZ}-{_digest(new)}.bak")
    try:
        _write(copy, old, target)
    except OSError as error:
        raise CuratorError(f"{copy} could not be written: {error.strerror}; nothing was changed") from error
    return copy


def copies(path: Path) -> list[Path]:
    """The dated copies beside a file, oldest first."""
    target = path.resolve()
    return sorted(target.parent.glob(f"{target.name}.curator-*.bak"))


def original(path: Path, text: str) -> Path | None:
    """The copy that `text` was made from, if it is still exactly what was written then."""
    ending = f"-{_digest(text)}.bak"
    return next((copy for copy in copies(path) if copy.name.endswith(ending)), None)


def _write(target: Path, text: str, like: Path | None) -> None:
    """Write a file whole, with the mode and owner of another one; without one it is the person's alone."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if like:
            shutil.copymode(like, name)
            with contextlib.suppress(OSError, AttributeError):  # another's file, or a system without owners
                os.chown(name, like.stat().st_uid, like.stat().st_gid)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
