"""The words at the foot of every screen: which keys are named at a width. Pure; imports no Textual."""

from collections.abc import Callable, Mapping, Sequence

from tui.keys import Action, footer
from tui.text import Line, cells

Draw = Callable[[int], Line]
"""What stands on a bar at a width in cells."""


def words(pairs: list[tuple[str, str, str]], width: int) -> Line:
    """Footer words as buttons: (key, word, Textual action); as many as fit."""
    line: Line = ()
    for key, word, action in pairs:
        part = ((f" {key}", f"key@{action}"), (f" {word} ", f"dim@{action}"))
        if cells(line) + cells(part) > width:
            break
        line += part
    return line


def flush(line: Line) -> Line:
    """The same words without the blank before the first."""
    return ((line[0][0].removeprefix(" "), line[0][1]), *line[1:]) if line else line


def review_footer(remapped: Mapping[str, str], swap: str, ids: Sequence[str] = ()) -> Draw:
    """The footer of the home screen: `ids`, else eight words below 120 columns and ten from there on."""

    def draw(width: int) -> Line:
        chosen: tuple[tuple[str, Action], ...] = footer(remapped, 8 if width < 120 else 10, ids)
        pairs = [(key, swap if action.id == "swap" else action.word, f"screen.{action.id}") for key, action in chosen]
        return words(pairs, width)

    return draw
