"""The page of a dossier: lines for one width, sections, what the cursor can reach. And a word diff as pieces.

Pure: no widget, no desk. What stands on the page is decided in `sections` and `change`.
"""

from dataclasses import dataclass, field
from datetime import datetime

from curator.desk.views import Evidence, Lost, Similar
from tui.text import Line, Piece, cells, pad, wrap

Stop = Evidence | Similar | Lost
KEPT = 0.4
"""Share of the longer text that must stay for a word diff to be easier to read than both texts."""


@dataclass
class Page:
    """Lines, where each of the four sections begins, and what stands on the lines that the cursor can reach."""

    width: int
    now: datetime
    marks: bool
    lines: list[Line] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    stops: dict[int, Stop] = field(default_factory=dict)

    def add(self, *line: Piece) -> None:
        """One line as it is."""
        self.lines.append(tuple(line))

    def text(self, pieces: list[Piece], indent: str = "") -> None:
        """Wrapped text."""
        self.lines += wrap(pieces, self.width, indent)

    def hanging(self, label: str, style: str, pieces: list[Piece], size: int) -> None:
        """A label of `size` cells, with the wrapped text standing beside it."""
        rows = wrap(pieces, self.width - size - 2)
        for at, row in enumerate(rows):
            self.add(("  ", ""), (pad(label if at == 0 else "", size), style), *row)

    def beside(self, label: str, pieces: list[Piece], style: str = "dim") -> None:
        """A label of six cells at the margin, with the wrapped text beside it."""
        for at, row in enumerate(wrap(pieces, self.width - 6)):
            self.add((pad(label if at == 0 else "", 6), style), *row)

    def section(self, name: str) -> None:
        """A rule with the section's number and name."""
        self.add()
        self.sections.append(len(self.lines))
        head = f"{len(self.sections)} {name} "
        self.add((head, "title"), ("─" * max(0, self.width - cells(((head, ""),))), "rule"))

    def changed(self, before: str, after: str, indent: str = "  ") -> None:
        """The word diff of two texts; with marks it can be read without any colour."""
        self.text(changes(before, after, self.marks), indent)


def changes(before: str, after: str, marks: bool) -> list[Piece]:
    """A word diff as pieces: removed and added words styled, and marked `[-gone-] {+new+}` when asked.

    Texts with less than `KEPT` in common stand one below the other: their diff would be confetti.
    """
    from curator.worddiff import diff  # compiles 7 ms of patterns

    segments = diff(before, after)
    kept = sum(len(segment.text) for segment in segments if segment.sign == "=")
    if before and after and kept < KEPT * max(len(before), len(after)):
        return [gone(before, marks), ("\n", ""), new(after, marks)]
    pieces: list[Piece] = []
    for segment in segments:
        if segment.sign == "=":
            pieces.append((segment.text, ""))
            continue
        head, body, tail = _trimmed(segment.text)
        if segment.sign == "+" and pieces and pieces[-1][1] == "removed":
            head = head or " "
        changed = gone(body, marks) if segment.sign == "-" else new(body, marks)
        pieces += [piece for piece in ((head, ""), changed, (tail, "")) if piece[0]]
    return pieces


def gone(text: str, marks: bool) -> Piece:
    """Text that goes; with marks it can be read without any colour."""
    return (f"[-{text}-]" if marks and text else text, "removed")


def new(text: str, marks: bool) -> Piece:
    """Text that comes."""
    return (f"{{+{text}+}}" if marks and text else text, "added")


def _trimmed(text: str) -> tuple[str, str, str]:
    body = text.strip()
    if not body:
        return "", text, ""
    head, _, tail = text.partition(body)
    return head, body, tail
