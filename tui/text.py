"""Text for rows and pages: pieces with a style's name, measured and cut in terminal cells.

Owns widths, cutting, wrapping and the short forms of numbers and times. A piece is text and the name of a style
(see `lines.STYLES`), so nothing stored is ever parsed as markup. Imports no Textual.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.cells import cell_len

from curator.plain import plain

Piece = tuple[str, str]
Line = tuple[Piece, ...]

_WORDS = re.compile(
    r"[ ]*(?:[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[!-~]+|[^ ]+?(?=[ -~\u2e80-\u9fff]|$))"
)


def piece(text: str, style: str = "") -> Piece:
    """One row's worth of stored text: everything that steers a terminal or breaks the row is made visible."""
    return (" ".join(plain(text).split()), style)


def cells(line: Iterable[Piece]) -> int:
    """Width of a line in terminal cells."""
    return sum(cell_len(text) for text, _ in line)


def fit(text: str, width: int) -> str:
    """The text in at most `width` cells, ending in `…` where it was cut."""
    if cell_len(text) <= width:
        return text
    kept, used = [], 0
    for char in text[: max(width, 0) * 4]:
        used += cell_len(char)
        if used > width - 1:
            break
        kept.append(char)
    return "".join(kept) + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text cut or filled to exactly `width` cells."""
    text = fit(text, width)
    return text + " " * (width - cell_len(text))


def spread(left: Line, right: Line, width: int) -> Line:
    """Left part, gap, right part; the left part is cut first where both do not fit."""
    room = width - cells(right)
    if room < 1:
        return cut(right, width)
    left = cut(left, room - 1)
    return (*left, (" " * (room - cells(left)), ""), *right)


def cut(line: Line, width: int) -> Line:
    """The line in at most `width` cells."""
    if cells(line) <= width:
        return line
    kept: list[Piece] = []
    for text, style in line:
        room = width - cells(kept)
        if cell_len(text) > room or (cell_len(text) == room and text is not line[-1][0]):
            kept.append((fit(text + " ", room) if cell_len(text) >= room else text, style))
            break
        kept.append((text, style))
    return tuple(kept)


def wrap(pieces: Iterable[Piece], width: int, indent: str = "") -> list[Line]:
    """Lines of at most `width` cells; breaks between words and between wide characters, never inside a character.

    A newline in a piece begins a new line. Every line begins with `indent`, which counts towards `width`.
    """
    room = max(width - cell_len(indent), 8)
    lines: list[Line] = []
    row: list[Piece] = []
    used = 0
    for atom, style in _atoms(pieces):
        text = atom
        if text == "\n" or (used + cell_len(text) > room and used):
            lines.append(_joined(indent, row))
            row, used = [], 0
            text = text.lstrip(" \n")
        while cell_len(text) > room:
            head = fit_exact(text, room)
            lines.append(_joined(indent, [(head, style)]))
            text = text[len(head) :]
        row.append((text, style))
        used += cell_len(text)
    lines.append(_joined(indent, row))
    return lines


def fit_exact(text: str, width: int) -> str:
    """The longest beginning that fits in `width` cells, at least one character."""
    if text.isascii():
        return text[:width]
    used = 0
    for at, char in enumerate(text):
        used += cell_len(char)
        if used > width and at:
            return text[:at]
    return text


def _atoms(pieces: Iterable[Piece]) -> Iterator[Piece]:
    for text, style in pieces:
        for number, part in enumerate(plain(text).expandtabs(4).split("\n")):
            if number:
                yield ("\n", "")
            at = 0
            for match in _WORDS.finditer(part):
                yield (match.group(), style)
                at = match.end()
            if at < len(part):
                yield (part[at:], style)


def _joined(indent: str, row: list[Piece]) -> Line:
    merged: list[Piece] = [(indent, "")] if indent else []
    for text, style in row:
        if merged and merged[-1][1] == style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return tuple(merged)


def number(value: int) -> str:
    """Thousands apart: 1,648."""
    return f"{value:,}"


def signed(value: int) -> str:
    """With its sign: +9, -3, 0 as `±0`."""
    return f"{value:+,}" if value else "±0"


def score(value: float) -> str:
    """A share as the screen writes it: `.92`, `1.0`."""
    return f"{value:.2f}".lstrip("0") if value < 0.995 else "1.0"


AHEAD = 300
"""Seconds that two machines' clocks may differ before a time in the future is called that."""


def age(then: datetime | None, now: datetime) -> str:
    """How long ago, in the largest unit that fits: `4 min ago`."""
    if then is None:
        return ""
    seconds = int((now - then).total_seconds())
    if seconds < -AHEAD:
        return "ahead of the clock"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now"


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 proposal`, `2 proposals`."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
