"""A message cut into what can stand alone: lines and sentences, without code blocks and quotations. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(```|~~~)")
_QUOTE = re.compile(r"^\s{0,3}>")
_BULLET = re.compile(r"^\s*(?:[-*+•●]|\d{1,2}[.)]|\(?[a-z]\))\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+|^\s*\*\*[^*]{1,120}\*\*:?\s*$|^\s*\*\*[^*]{1,120}:\*\*\s*$")
_STOP = re.compile(r"(?<=[.!?])[\"')\]*]*\s+(?=[\"'`(\[*]*[A-Z0-9\u4e00-\u9fff`*])|(?<=[。！？；])\s*")
_CASUAL = re.compile(r"(?<=[.!?])[\"')\]*]*\s+|(?<=[。！？；])\s*")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|dr|mr|ms|st)|\b[A-Z]|\d)\.$", re.IGNORECASE)
_BREAKS = re.compile("[\u2028\u2029\x85\x0b\x0c]|\r\n?")


@dataclass(frozen=True)
class Line:
    """One line of prose: its text without bullet, whether it is a list item, and the heading it stands under."""

    text: str
    item: bool = False
    heading: str = ""
    indent: int = 0


def prose(text: str) -> list[Line]:
    """Lines outside code blocks, quotations and tables; blank ones are kept as empty. A heading ends with its list."""
    lines: list[Line] = []
    fence, heading = "", ""
    for raw in _joined(text).split("\n"):
        if mark := _FENCE.match(raw):
            fence = "" if fence == mark.group(1) else fence or mark.group(1)
            continue
        if fence or _QUOTE.match(raw) or raw.lstrip().startswith(("|", "</", "❯ ", "$ ")):
            continue
        if _HEADING.match(raw):
            heading = raw.strip().strip("#*: ").strip()
            lines.append(Line("", heading=heading))
            continue
        bullet = _BULLET.match(raw)
        if raw.strip() and not bullet and any(line.item and line.heading == heading for line in lines[-2:]):
            heading = ""
        body = raw[bullet.end() :] if bullet else raw
        lines.append(Line(body.strip(), bool(bullet), heading, len(raw) - len(raw.lstrip())))
    return lines


def sentences(line: str) -> Iterator[str]:
    """The sentences of a line; a stop inside an abbreviation, a number or a code span does not end one.

    Who begins a line in lower case writes the sentences after it so too.
    """
    start = 0
    for stop in (_CASUAL if line[:1].islower() else _STOP).finditer(line):
        piece = line[start : stop.start()]
        if _ABBREVIATION.search(piece) or piece.count("`") % 2:
            continue
        if piece.strip():
            yield line[start : stop.end()].strip()
        start = stop.end()
    if line[start:].strip():
        yield line[start:].strip()


def words_in(text: str) -> int:
    """Words, where each Chinese, Japanese or Korean character counts half a word."""
    cjk = sum("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in text)
    return len(re.findall(r"[^\W\u3040-\u9fff\uac00-\ud7af]+", text)) + cjk // 2


def _joined(text: str) -> str:
    """The text with the line separators that are no LF as spaces: they stand inside a statement, not between two."""
    return _BREAKS.sub(lambda found: "\n" if found.group().startswith("\r") else " ", text)
