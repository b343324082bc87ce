"""How a file writes its JSON, and changing one field of a line without touching the rest. Pure.

A line is edited as text: the spans of its fields are found, and only the values that change are written anew, in the
file's own way. So key order, numbers, escapes and doubled keys stay as they were.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)  # numbers of any length; their spelling is never used
_HTML_ESCAPED = re.compile(rb"\\u00(?:3[cCeE]|26)")
_HTML_RAW = re.compile(rb"[<>&]")
_LETTER_ESCAPED = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?!00[01]|003[cCeE]|0026|202[89]|007[fF])[0-9a-fA-F]{4}")
_LETTER_RAW = re.compile(rb"[\x80-\xff]")


class Json(str):
    """A value that is JSON text already."""

    __slots__ = ()


@dataclass(frozen=True)
class Dialect:
    """What the file does where JSON leaves a choice; the default is what Go's encoder, and so `bd`, writes."""

    comma: str = ","
    colon: str = ":"
    html: bool = True
    """`<`, `>` and `&` are escaped, and so are U+2028 and U+2029."""
    ascii: bool = False
    """Every other character is escaped too."""

    def text(self, value: Any) -> str:
        """A value as this file would write it. Lone surrogates are always escaped: UTF-8 has none."""
        if isinstance(value, Json):
            return str(value)
        out = json.dumps(value, ensure_ascii=self.ascii, separators=(self.comma, self.colon))
        for char in "<>&\u2028\u2029" if self.html else "":
            out = out.replace(char, f"\\u{ord(char):04x}")
        return out.encode("utf-8", "backslashreplace").decode("utf-8")


def dialect(lines: Iterable[bytes], otherwise: Dialect | None = None) -> Dialect:
    """Told from the lines; what none of them shows is as `otherwise`, or else as `bd` writes it."""
    escaped = raw = spaced = compact = letters = names = 0
    for line in lines:
        escaped += bool(_HTML_ESCAPED.search(line))
        raw += bool(_HTML_RAW.search(line))
        letters += bool(_LETTER_RAW.search(line))
        names += bool(_LETTER_ESCAPED.search(line))
        spaced += b'": ' in line[:400]
        compact += b'":' in line[:400] and b'": ' not in line[:400]
    wide = spaced > compact
    usual = otherwise or Dialect(html=not wide)
    html = escaped >= raw if escaped or raw else usual.html
    plain = not letters if letters or names else usual.ascii
    return Dialect(", " if wide else ",", ": " if wide else ":", html, plain)


@dataclass(frozen=True)
class _Field:
    key: str
    start: int
    end: int


def edited(line: str, changes: Mapping[str, Any], how: Dialect) -> str:
    """The object with these fields set. A doubled key is changed where it counts, the last; new fields come last.

    Raises `ValueError` for what is no object.
    """
    fields, end = _fields(line)
    last = {field.key: field for field in fields}
    new = "".join(
        f"{how.comma if fields or number else ''}{how.text(key)}{how.colon}{how.text(value)}"
        for number, (key, value) in enumerate(each for each in changes.items() if each[0] not in last)
    )
    line = line[:end] + new + line[end:]
    for key in sorted(changes.keys() & last.keys(), key=lambda key: last[key].start, reverse=True):
        line = line[: last[key].start] + how.text(changes[key]) + line[last[key].end :]
    return line


def inner(line: str, key: str) -> str | None:
    """The text of a field's value as it stands; None where there is no such field."""
    found = [field for field in _fields(line)[0] if field.key == key]
    return line[found[-1].start : found[-1].end] if found else None


def _fields(line: str) -> tuple[list[_Field], int]:
    """The fields in order, and where the last one ends (before white space and the closing brace)."""
    at = _after_space(line, 0)
    if line[at : at + 1] != "{":
        raise ValueError("not an object")
    fields: list[_Field] = []
    at, end = _after_space(line, at + 1), at + 1
    while line[at : at + 1] == '"':
        key, at = _DECODER.raw_decode(line, at)
        at = _after_space(line, at)
        start = _after_space(line, at + 1)
        _, end = _DECODER.raw_decode(line, start)
        fields.append(_Field(key, start, end))
        at = _after_space(line, end)
        if line[at : at + 1] == ",":
            at = _after_space(line, at + 1)
    return fields, end


def _after_space(line: str, at: int) -> int:
    found = _SPACE.match(line, at)
    return found.end() if found else at
