"""One-line bars: drawn from a function of the width, so that a resize needs nothing from anyone."""

from textual import events

from tui.footer import Draw
from tui.lines import Lines
from tui.text import Line, cut


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
