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
    if not path.is_file():
        raise NotFound(f"{path} is not a file")
    with path.open("rb") as file:
        yield from _lines(file)


def _lines(file: BinaryIO) -> Iterator[Line]:
    number = 0
    while raw := file.readline(LINE_BYTES + 1):
        number += 1
        if len(raw) > LINE_BYTES:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(LINE_BYTES)
            yield Line(number, b"", None, f"longer than {LINE_BYTES >> 20} MiB")
            continue
        bare = raw.removesuffix(b"\n").removesuffix(b"\r")
        text = bare.removeprefix(b"\xef\xbb\xbf") if number == 1 else bare
        if text.strip():
            yield _line(number, bare, text)


def _line(number: int, raw: bytes, text: bytes) -> Line:
    if _MARKS.match(text):
        return Line(number, raw, None, MARK)
    try:
        value = json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        return Line(number, raw, None, "not UTF-8")
    except (ValueError, RecursionError):
        return Line(number, raw, None, "not JSON")
    if not isinstance(value, dict):
        return Line(number, raw, None, "not an object")
    return Line(number, raw, value)
