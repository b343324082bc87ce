"""What several rooms have in them: a named line to type in, a pane to read with the arrow keys, a count of tokens."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input, Static

from curator.config import Settings
from curator.plain import clean
from tui.lines import Lines
from tui.text import Line, number, signed


class Field(Horizontal):
    """A name of eight cells and an input with an id."""

    def __init__(self, name: str, value: str, *, id: str, placeholder: str = "") -> None:  # noqa: A002
        super().__init__(classes="field")
        self._name, self._value, self._id_of, self._hint = name, value, id, placeholder

    def compose(self) -> ComposeResult:
        """The name and the input."""
        yield Static(str(self._name), classes="name", markup=False)
        yield Input(clean(self._value), id=self._id_of, placeholder=self._hint, compact=True, select_on_focus=False)


class Reading(Lines):
    """Lines to read: where the focus is on them, arrows and page keys scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_by(1)", show=False),
        Binding("up,k", "scroll_by(-1)", show=False),
        Binding("pagedown,J,ctrl+d", "half(1)", show=False),
        Binding("pageup,K,ctrl+u", "half(-1)", show=False),
    ]

    def action_scroll_by(self, step: int) -> None:
        """Some lines down, or up."""
        self.scroll_relative(y=step, animate=False, immediate=True)

    def action_half(self, step: int) -> None:
        """Half a view down, or up."""
        self.action_scroll_by(step * max(1, self.size.height // 2))


def counted(now: int, was: int | None, settings: Settings) -> Line:
    """Tokens of a text, against those of the text it changes (None for a new one) and the cap."""
    style = "bad" if now > settings.entry_max_tokens else "warn" if now > settings.entry_warn_tokens else "dim"
    change = f" ({signed(now - was)})" if was is not None else ""
    return ((f"{number(now)} tok", style), (change, "dim"), (f"   cap {number(settings.entry_max_tokens)}", "dim"))
