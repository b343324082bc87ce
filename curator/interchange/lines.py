"""A JSON-lines file as people and merges leave it: read whole, one damaged line costs only itself. Pure.

A line ends at LF only (U+2028 and U+0085 are legal inside texts); CR LF, blank lines, a byte order mark and a missing
last line end are tolerated. Marks of a merge conflict are recognised and reported, and both sides are read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from curator.errors import NotFound

LINE_BYTES = 64 << 20
_MARKS = re.compile(rb"(<{7}|>{7}|\|{7})( |$)|={7}$")


@dataclass(frozen=True)
class Line:
    """Line `number` (from 1): its object, or the reason why there is none (`mark` for a conflict mark)."""

    number: int
    raw: bytes
    value: dict[str, Any] | None
    reason: str = ""

    @property
    def mark(self) -> bool:
        """Is it a mark that a merge conflict left behind?"""
        return self.reason == MARK


MARK = "mark of a merge conflict"


def read(path: Path) -> Iterator[Line]:
    """Every line that is not blank. Raises `NotFound` for what is no file, `OSError` where it cannot be read."""
    return (line for number, whole in wholes(path) if (line := parsed(number, whole)))


def wholes(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line with its line end, by number; of one over 64 MiB only as much as shows that. Raises as `read`."""
    if not path.is_file():
        raise NotFound(f"{path} is not a file")
    with path.open("rb") as file:
        yield from _wholes(file)


def _wholes(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while whole := file.readline(LINE_BYTES + 1):
        number += 1
        yield number, whole
        while len(whole) > LINE_BYTES and not whole.endswith(b"\n"):
            whole = file.readline(LINE_BYTES + 1) or b"\n"


def parsed(number: int, whole: bytes) -> Line | None:
    """A line with its object, or with what is wrong with it; None for a blank one."""
    if len(whole) > LINE_BYTES:
        return Line(number, b"", None, f"longer than {LINE_BYTES >> 20} MiB")
    bare = whole.removesuffix(b"\n").removesuffix(b"\r")
    text = bare.removeprefix(b"\xef\xbb\xbf") if number == 1 else bare
    return _line(number, bare, text) if text.strip() else None


def _line(number: int, raw: bytes, text: bytes) -> Line:
    if _MARKS.match(text):
        return Line(number, raw, None, MARK)
    try:
        value = value_of(text.decode("utf-8"))
    except UnicodeDecodeError:
        return Line(number, raw, None, "not UTF-8")
    except (ValueError, RecursionError):
        return Line(number, raw, None, "not JSON")
    if not isinstance(value, dict):
        return Line(number, raw, None, "not an object")
    return Line(number, raw, value)


def value_of(text: str) -> Any:
    """A JSON text's value. Raises `ValueError` or `RecursionError`."""
    return json.loads(text, parse_int=_whole)


def _whole(digits: str) -> int | float:
    """A number of any length: Python refuses to read one of more than 4,300 digits."""
    return int(digits) if len(digits) < 4_000 else float("inf")
