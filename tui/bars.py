"""One-line bars: drawn from a function of the width, so that a resize needs nothing from anyone."""

from collections.abc import Callable, Mapping, Sequence

from textual import events

from tui.keys import Action, footer
from tui.lines import Lines
from tui.text import Line, cells, cut

Draw = Callable[[int], Line]


class Bar(Lines, can_focus=False):
    """One line, never focused. `draw` says what stands on it at a width."""

    def __init__(self, draw: Draw | None = None, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._draw: Draw = draw or (lambda _: ())

    def put(self, draw: Draw) -> None:
        """Draw this from now on."""
        self._draw = draw
        self.refresh()

    def count(self) -> int:
        """Always one."""
        return 1

    def line(self, y: int) -> Line:
        """The line at the present width."""
        return cut(self._draw(self.size.width), self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Words that act carry their action; the bar itself is no choice."""


class Rule(Bar):
    """A horizontal rule."""

    def line(self, y: int) -> Line:
        """Dashes over the whole width."""
        return (("─" * self.size.width, "rule"),)


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
