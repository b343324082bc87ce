"""What every screen but the home screen shares: a head, a body, the message line, the footer from the action table.

`esc` always goes back. A room may ask the desk; its widgets may not.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from tui.bars import Bar, Rule
from tui.footer import Draw, words
from tui.keys import keys_of, of_scope
from tui.lines import LOOKS
from tui.text import Line, piece, spread

if TYPE_CHECKING:
    from curator.desk.desk import Desk
    from tui.app import CuratorApp
    from tui.work import Failed

Answer = TypeVar("Answer")


def bindings(scope: str) -> list[BindingType]:
    """The bindings of a screen, from the action table."""
    return [Binding(action.keys, action.id, action.help, show=False, id=action.id) for action in of_scope(scope)]


class Small(Widget):
    """What a terminal below 60 x 16 shows instead of any screen; the style sheet says when."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def render(self) -> Content:
        """The terminal's size, and the way out."""
        size = self.app.size
        return Content(
            f"This terminal is {size.width} x {size.height}, the review needs 60 x 16. Enlarge it, or press q and run\n"
            "curator review --plain"
        )


class Room(Screen[Answer | None]):
    """A full screen over the home screen. Subclasses name their `SCOPE` in the action table and give `body`."""

    SCOPE: ClassVar[str] = ""
    COMPONENT_CLASSES: ClassVar[set[str]] = LOOKS
    AUTO_FOCUS = ""

    @property
    def curator(self) -> "CuratorApp":
        """The application, by its own type."""
        return cast("CuratorApp", self.app)

    def compose(self) -> ComposeResult:
        """Head, rule, body, rule, message, footer."""
        yield Bar(self.head, id="header")
        yield Rule()
        yield from self.body()
        yield Rule()
        yield Bar(id="message")
        yield Bar(self._footer, id="footer")
        yield Small()

    def head(self, width: int) -> Line:
        """The first line."""
        return ()

    def body(self) -> ComposeResult:
        """What stands between the rules."""
        yield from ()

    def ask(self, call: Callable[["Desk"], Any], then: Callable[[Any], None], failed: "Failed", look: str = "") -> None:
        """As the application's `ask`; an answer that comes when this screen has closed is let go."""

        def here(deliver: Callable[[Any], None]) -> Callable[[Any], None]:
            return lambda answer: deliver(answer) if self in self.app.screen_stack else None

        self.curator.ask(call, here(then), here(failed), look)

    def say(self, text: str, style: str = "") -> None:
        """Put one line on the message line."""
        self.query_one("#message", Bar).put(lambda width: spread((piece(text, style),), (), width))

    def draw_head(self, draw: Draw) -> None:
        """Another first line."""
        self.query_one("#header", Bar).put(draw)

    def left_out(self) -> tuple[str, ...]:
        """Ids that the footer leaves out now."""
        return ()

    def _footer(self, width: int) -> Line:
        keymap = self.curator.settings.keys
        left_out = self.left_out()
        pairs = [
            (_caret(keys_of(action, keymap)[0]), action.word, f"screen.{action.id}")
            for action in of_scope(self.SCOPE)
            if action.id not in left_out and action.word not in {"Next", "Previous"}
        ]
        return words(pairs, width)


def _caret(key: str) -> str:
    return {"escape": "esc"}.get(key, key.replace("ctrl+", "^"))
