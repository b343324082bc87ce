"""A drawn screen as a small SVG that asks no other host for anything: every word stands at its own cell.

Used for the tape and the pictures in the docs, and to look at a screen as an image.
"""

from collections.abc import Sequence
from html import escape

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

WIDE, HIGH = 9, 19
"""Pixels of a cell."""
EDGE = 12
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace"


def svg(strips: Sequence[Strip], title: str) -> str:
    """The rows as a picture; `title` is what a screen reader says of it."""
    cells = max(strip.cell_length for strip in strips)
    width, height = cells * WIDE + 2 * EDGE, len(strips) * HIGH + 2 * EDGE
    paper = _colour(_style(list(strips[-1])[-1]).bgcolor, "#121212")
    rows = [part for y, strip in enumerate(strips) for part in _row(strip, y, paper)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="6" fill="{paper}"/>',
            f'<g font-family="{FONTS}" font-size="15" fill="#e0e0e0" xml:space="preserve">',
            *rows,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _row(strip: Strip, y: int, paper: str) -> list[str]:
    backs, texts, at = [], [], 0
    for segment in strip:
        style, size = _style(segment), cell_len(segment.text)
        front, back = _colour(style.color, "#e0e0e0"), _colour(style.bgcolor, paper)
        if style.reverse:
            front, back = back, front
        if back != paper:
            box = f'x="{EDGE + at * WIDE}" y="{EDGE + y * HIGH}" width="{size * WIDE}" height="{HIGH}"'
            backs.append(f'<rect {box} fill="{back}"/>')
        if segment.text.strip("─ ") == "" and "─" in segment.text:
            line = f'x1="{EDGE + at * WIDE}" x2="{EDGE + (at + size) * WIDE}"'
            level = EDGE + y * HIGH + HIGH // 2
            backs.append(f'<line {line} y1="{level}" y2="{level}" stroke="{front}"/>')
        else:
            texts += _words(segment.text, at, y, front, style)
        at += size
    return backs + texts


def _words(text: str, at: int, y: int, front: str, style: Style) -> list[str]:
    """The words of a segment, each at its cell: no viewer's idea of a space's or a letter's width can move them."""
    looks = f' fill="{front}"' if front != "#e0e0e0" else ""
    looks += ' font-weight="bold"' if style.bold else ""
    lines = [name for name, on in (("underline", style.underline), ("line-through", style.strike)) if on]
    looks += f' text-decoration="{" ".join(lines)}"' if lines else ""
    out = []
    for word in text.split(" "):
        if word:
            size = cell_len(word)
            place = f'x="{EDGE + at * WIDE}" y="{EDGE + y * HIGH + 15}" textLength="{size * WIDE}"'
            out.append(f"<text {place}{looks}>{escape(word)}</text>")
        at += cell_len(word) + 1
    return out


def _style(segment: Segment) -> Style:
    return segment.style or Style.null()


def _colour(colour: object, default: str) -> str:
    triplet = getattr(colour, "triplet", None)
    return triplet.hex if triplet is not None else default
