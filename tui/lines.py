"""The one widget that draws rows: lines of styled pieces, only those in view, without markup.

Owns drawing, the cursor among lines that can be chosen, and the mouse on them. What the lines say is decided by
pure functions elsewhere; a subclass gives `count` and `line`.
"""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from curator.plain import plain
from curator.vocab import Op
from tui.text import Line

STYLES = (
    "dim", "bold", "title", "accent", "good", "bad", "warn", "added", "removed", "rule", "key", "label", "match",
    "cursor", "cursor-blurred", *(f"op-{op.value}" for op in Op),
)  # fmt: skip
"""Names that a piece may carry; the style sheet gives each its look. `name@action` makes a piece a button."""

LOOKS: set[str] = {f"lines--{name}" for name in STYLES}
"""Component classes of a screen that shows lines: resolved once a screen, not once a widget (45 ms at the start)."""


class Lines(ScrollView, can_focus=True, inherit_bindings=False):
    """Lines of pieces. `cursor` is the chosen line, -1 for none."""

    BINDINGS: ClassVar[list[BindingType]] = []
    ALLOW_SELECT = False

    cursor: reactive[int] = reactive(-1, repaint=False)

    class Chosen(Message):
        """A line was clicked; `twice` for a double click."""

        def __init__(self, lines: "Lines", at: int, twice: bool) -> None:
            super().__init__()
            self.lines = lines
            self.at = at
            self.twice = twice

        @property
        def control(self) -> "Lines":
            """The widget, for `@on` selectors."""
            return self.lines

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line], *, keep: bool = False) -> None:
        """Draw these lines from now on, from the top unless `keep`."""
        self._lines = lines
        self.virtual_size = Size(self.scrollable_content_region.width, len(lines))
        if not keep:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.refresh()

    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def line(self, y: int) -> Line:
        """The pieces of line `y`."""
        return self._lines[y]

    def selectable(self, y: int) -> bool:
        """Can the cursor stand on this line?"""
        return True

    def reveal(self, y: int) -> None:
        """Scroll just so far that line `y` is in view."""
        self.scroll_to_region(Region(0, y, 1, 1), animate=False, force=True, immediate=True)

    def watch_cursor(self, old: int, new: int) -> None:
        """Only the two lines that changed are drawn again."""
        for y in (old, new):
            if y >= 0:
                self.redraw(y)
        if new >= 0:
            self.reveal(new)

    def redraw(self, y: int) -> None:
        """Draw one line again."""
        self.refresh(Region(0, y - self.scroll_offset.y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """The strip of row `y` of the view (Textual's line protocol)."""
        at = y + self.scroll_offset.y
        width = self.size.width
        base = self.rich_style
        if at >= self.count():
            return Strip.blank(width, base)
        chosen = at == self.cursor
        if chosen:
            name = "cursor" if self.has_focus or not self.screen.is_active else "cursor-blurred"
            base += self._style(name)
        segments = [Segment(_drawable(text), base + self._style(style)) for text, style in self.line(at)]
        return Strip(segments).adjust_cell_length(width, base)

    def _style(self, name: str) -> Style:
        if not name:
            return Style.null()
        first, _, action = name.partition("@")
        style = self.screen.get_component_rich_style(f"lines--{first}", partial=True) if first else Style.null()
        if action:
            style += Style.from_meta({"@click": action})
        return style

    def on_click(self, event: events.Click) -> None:
        """A click chooses the line under it."""
        at = event.y + self.scroll_offset.y
        if at < self.count() and self.selectable(at):
            self.post_message(self.Chosen(self, at, event.chain == 2))


class Fitted(Lines, can_focus=False):
    """As tall as what it shows, up to the style sheet's `max-height`; never focused."""

    def show(self, lines: Sequence[Line], *, keep: bool = True) -> None:
        """Draw these lines and take their height."""
        self.styles.height = len(lines)
        super().show(lines, keep=keep)


def _drawable(text: str) -> str:
    """The last door before the terminal: what was not made visible where it came in is made so here."""
    return text if text.isprintable() else plain(text).translate({9: " ", 10: " "})
