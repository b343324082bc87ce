"""Reading a growing file of JSON records, one at a time, in memory that does not grow with the file.

Owns where a record ends (at LF only, or at the end of the file when it is complete), what counts as damaged, and the
cursor. Knows nothing of what a record means.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from curator.errors import CannotLook, NotFound

MAX_LINE = 64 * 1024 * 1024
"""Bytes of the longest record taken; a longer one is passed over as damaged without being held in memory."""

_CHUNK = 1024 * 1024
_SAMPLE = 64 * 1024


@dataclass(frozen=True)
class Cursor:
    """How far a file was read: bytes and line ends before that place, and a digest of what precedes it.

    The digest covers the first and the last 64 KB before `offset`: enough to tell a replaced file from a grown one
    without reading it again. What it cannot see costs nothing, because rows are unique by their record's id.
    """

    offset: int = 0
    lines: int = 0
    digest: str = ""


@dataclass(frozen=True)
class Record:
    """A complete record, the line it stands on (from 1), and where the next one begins."""

    line: int
    data: dict[str, Any]
    end: int
    lines: int


@dataclass(frozen=True)
class Damaged:
    """A line that holds no record, and why."""

    line: int
    reason: str
    end: int
    lines: int


def records(file: BinaryIO, cursor: Cursor | None = None) -> Iterator[Record | Damaged]:
    """Every complete record from the cursor on, and every damaged line.

    A cursor that no longer fits the file (shrunk, replaced) is not believed: reading begins at the start. A last
    line without LF waits, unless it is a whole object already. Invalid UTF-8 is repaired, never a reason to skip.
    """
    start = cursor if cursor and believed(file, cursor) else Cursor()
    file.seek(start.offset)
    offset, ends = start.offset, start.lines
    for line in _lines(file):
        offset += line.size
        ended = line.raw.endswith(b"\n") or line.too_long
        number, ends = ends + 1, ends + ended
        if line.too_long:
            yield Damaged(number, f"longer than {MAX_LINE} bytes", offset, ends)
        elif line.raw.strip():
            data = _decoded(line.raw)
            if isinstance(data, dict):
                yield Record(number, data, offset, ends)
            elif ended:
                yield Damaged(number, data, offset, ends)


def believed(file: BinaryIO, cursor: Cursor) -> bool:
    """Does the file still begin with what was read up to the cursor?"""
    return cursor.digest == _digest(file, cursor.offset)


def cursor_at(file: BinaryIO, offset: int, lines: int) -> Cursor:
    """The cursor for a place in the file."""
    return Cursor(offset, lines, _digest(file, offset))


def open_file(path: Path) -> BinaryIO:
    """The file's bytes, unpacked when its name ends in `.gz`. Raises NotFound or CannotLook."""
    try:
        return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {path}") from error
    except OSError as error:
        raise CannotLook(f"{path} could not be read: {error.strerror or error}") from error


@dataclass(frozen=True)
class _Line:
    raw: bytes
    size: int
    too_long: bool = False


def _lines(file: BinaryIO) -> Iterator[_Line]:
    """Lines with their LF; the last may lack it. One over the limit comes without its bytes, once its LF was seen."""
    while raw := file.readline(MAX_LINE + 1):
        if len(raw) <= MAX_LINE or raw.endswith(b"\n"):
            yield _Line(raw, len(raw))
            continue
        size, rest = len(raw), b""
        del raw
        while rest := file.readline(_CHUNK):
            size += len(rest)
            if rest.endswith(b"\n"):
                yield _Line(b"", size, too_long=True)
                break


def _decoded(raw: bytes) -> dict[str, Any] | str:
    try:
        data = json.loads(raw.decode("utf-8-sig", errors="replace"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"[:200]
    return data if isinstance(data, dict) else f"a {type(data).__name__}, not a record"


def _digest(file: BinaryIO, offset: int) -> str:
    """Digest of the samples before `offset`; empty when the file is shorter."""
    digest = hashlib.sha256(str(offset).encode())
    for begin, end in ((0, min(offset, _SAMPLE)), (max(0, offset - _SAMPLE), offset)):
        file.seek(begin)
        sample = file.read(end - begin)
        if len(sample) < end - begin:
            return ""
        digest.update(sample)
    return digest.hexdigest()
