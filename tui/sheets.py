"""What lies over the home screen: a box of lines, perhaps a field, one answer. `esc` always closes it.

Owns the reject, confirm and help sheets. A sheet never talks to the desk; it gives its answer to who opened it.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from tui.bars import Bar
from tui.footer import flush, words
from tui.keys import APP, DECIDE, LOOK, MARK, MOVE, families, keys_of
from tui.lines import LOOKS, Lines
from tui.room import Small
from tui.text import Line, cut, pad

Answer = TypeVar("Answer")

REASONS: tuple[tuple[str, str], ...] = (
    ("wrong", "the claim is false"),
    ("already known", "an entry says it"),
    ("one-off", "true, but not worth keeping"),
    ("too vague", "no one could act on it"),
    ("private", "must not be stored"),
)


class Sheet(ModalScreen[Answer | None], Generic[Answer]):
    """A box in the middle. Subclasses give the lines and the words of the bottom line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = LOOKS
    AUTO_FOCUS = "#sheet-lines"
    NAME: ClassVar[str] = ""

    def compose(self) -> ComposeResult:
        """Title in the border, lines, whatever `fields` adds, the keys."""
        with Vertical(id="sheet") as box:
            box.border_title = self.NAME
            yield Lines(id="sheet-lines")
            yield from self.fields()
            yield Bar(lambda width: flush(words(self.choices(), width)), id="sheet-keys")
        yield Small()

    def fields(self) -> ComposeResult:
        """Widgets between the lines and the keys."""
        yield from ()

    def choices(self) -> list[tuple[str, str, str]]:
        """Key, word and action of the bottom line."""
        return [("esc", "close", "screen.close")]

    def lines(self, width: int) -> list[Line]:
        """What the sheet says."""
        return []

    def on_mount(self) -> None:
        """Draw the lines once the box has its width."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw the lines for the present width."""
        view = self.query_one("#sheet-lines", Lines)
        lines = [cut(line, view.size.width) for line in self.lines(view.size.width)]
        view.styles.height = len(lines)
        view.show(lines, keep=True)
        self.query_one("#sheet-keys", Bar).refresh()

    def on_resize(self) -> None:
        """The width may be another."""
        self.call_after_refresh(self.redraw)

    def action_scroll(self, step: int) -> None:
        """Lines that do not fit are a key away."""
        self.query_one("#sheet-lines", Lines).scroll_relative(y=step, animate=False, immediate=True)

    def action_close(self) -> None:
        """No answer."""
        self.dismiss(None)


class RejectSheet(Sheet[tuple[str, str]]):
    """S2: digits choose a reason, `enter` rejects. Answers with the reason and a comment."""

    NAME = "Reject"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"choose({digit})", show=False) for digit in range(1, 7)),
        Binding("down,j", "step(1)", show=False),
        Binding("up,k", "step(-1)", show=False),
        Binding("enter", "confirm", show=False),
    ]

    def __init__(self, head: Line, last: str) -> None:
        super().__init__()
        self._head = head
        names = [name for name, _ in REASONS]
        self.chosen = names.index(last) + 1 if last in names else 3
        self._last = last if last and last not in names else ""

    def fields(self) -> ComposeResult:
        """A field for a reason in own words, or a note on a given one."""
        yield Input(self._last, placeholder="a note for the next sweep, or another reason", id="note", compact=True)

    def choices(self) -> list[tuple[str, str, str]]:
        """Reject or not."""
        return [
            ("enter", "reject", "screen.confirm"),
            ("esc", "cancel", "screen.close"),
            ("tab", "note", "app.focus_next"),
        ]

    def lines(self, width: int) -> list[Line]:
        """The proposal and the reasons."""
        rows: list[Line] = [self._head, ()]
        for number, (name, text) in enumerate((*REASONS, ("other", "say it below")), 1):
            mark = "›" if number == self.chosen else " "
            style = "bold" if number == self.chosen else ""
            act = f"@screen.choose({number})"
            rows.append(
                (
                    (f" {mark} ", "accent" + act),
                    (f"{number}  ", "key" + act),
                    (pad(name, 15), style + act),
                    (text, "dim" + act),
                )
            )
        return [*rows, (), (("the next sweep reads the reason", "dim"),)]

    def action_choose(self, number: int) -> None:
        """That reason; the sixth is typed."""
        self.chosen = number
        self.redraw()
        if number == 6:
            self.query_one("#note", Input).focus()

    def action_step(self, step: int) -> None:
        """The reason below or above."""
        self.chosen = (self.chosen - 1 + step) % 6 + 1
        self.redraw()

    @on(Input.Submitted)
    def action_confirm(self) -> None:
        """Answer."""
        note = self.query_one("#note", Input).value.strip()
        if self.chosen <= len(REASONS):
            self.dismiss((REASONS[self.chosen - 1][0], note))
        elif note:
            self.dismiss((note, ""))
        else:
            self.query_one("#note", Input).focus()


class ConfirmSheet(Sheet[str]):
    """Lines and one thing to do. Answers with the id of what was chosen: `yes`, or one of the other choices."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer('yes')", show=False),
        Binding("p", "answer('preview')", show=False),
    ]

    def __init__(self, name: str, lines: Sequence[Line], do: str, preview: bool = False) -> None:
        super().__init__()
        self._name, self._rows, self._do, self._preview = name, lines, do, preview

    def on_mount(self) -> None:
        """The box's title is this sheet's own."""
        self.query_one("#sheet").border_title = self._name
        super().on_mount()

    def lines(self, width: int) -> list[Line]:
        """As given."""
        return list(self._rows)

    def choices(self) -> list[tuple[str, str, str]]:
        """Do it, look first, or not."""
        look = [("p", "preview first", "screen.answer('preview')")] if self._preview else []
        return [("enter", self._do, "screen.answer('yes')"), *look, ("esc", "cancel", "screen.close")]

    def action_answer(self, answer: str) -> None:
        """Give the answer."""
        if answer != "preview" or self._preview:
            self.dismiss(answer)


class HelpSheet(Sheet[str]):
    """S11: every key of the home screen, from the action table: what it does where there is room, else its word."""

    NAME = "Keys"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,q,enter", "close", show=False)]
    COLUMNS = ((MOVE, MARK), (DECIDE,), (LOOK, APP))

    def __init__(self, remapped: Mapping[str, str]) -> None:
        super().__init__()
        self._remapped = remapped
        self.add_class("wide-sheet")

    def lines(self, width: int) -> list[Line]:
        """Three columns of groups."""
        size = width // len(self.COLUMNS)
        stacks = [self._stack(groups, size) for groups in self.COLUMNS]
        tall = max(len(stack) for stack in stacks)
        return [
            tuple(piece for stack in stacks for piece in (stack[at] if at < len(stack) else ((" " * size, ""),)))
            for at in range(tall)
        ]

    def choices(self) -> list[tuple[str, str, str]]:
        """Close, and where the keys come from."""
        return [*super().choices(), ("", "yours to change: [keys] in config.toml", "")]

    def _stack(self, groups: tuple[str, ...], size: int) -> list[Line]:
        rows: list[Line] = []
        for group in groups:
            rows += [((" " * size, ""),)] if rows else []
            rows.append(((pad(group.upper(), size), "title"),))
            for actions in families(group):
                keys = " ".join(key for action in actions for key in keys_of(action, self._remapped)[:2])
                first, last = actions[0], actions[-1]
                short, long = first.word, first.help
                if first is not last:
                    short, long = "Section", f"{first.word.lower()} to {last.word.lower()}"
                text = long if size >= 36 else short
                rows.append(((pad(keys, 10), "key"), (pad(text, size - 10), "")))
        return rows


class ReasonSheet(Sheet[str]):
    """Lines and a field that must be filled. Answers with what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "confirm", show=False)]
    AUTO_FOCUS = "#note"

    def __init__(
        self, name: str, lines: Sequence[Line], do: str, placeholder: str = "the reason", start: str = ""
    ) -> None:
        super().__init__()
        self._name, self._rows, self._do, self._placeholder, self._start = name, lines, do, placeholder, start

    def on_mount(self) -> None:
        """The box's title is this sheet's own."""
        self.query_one("#sheet").border_title = self._name
        super().on_mount()

    def fields(self) -> ComposeResult:
        """The field."""
        yield Input(self._start, placeholder=self._placeholder, id="note", compact=True)

    def lines(self, width: int) -> list[Line]:
        """As given."""
        return list(self._rows)

    def choices(self) -> list[tuple[str, str, str]]:
        """Do it or not."""
        return [("enter", self._do, "screen.confirm"), ("esc", "cancel", "screen.close")]

    @on(Input.Submitted)
    def action_confirm(self) -> None:
        """Answer, once something is typed."""
        if note := self.query_one("#note", Input).value.strip():
            self.dismiss(note)
