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

from tui.bars import Bar, words
from tui.keys import ACTIONS, APP, DECIDE, LOOK, MARK, MOVE, keys_of
from tui.lines import Lines
from tui.text import Line, cells, fit, pad, piece

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

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]
    AUTO_FOCUS = "#sheet-lines"
    NAME: ClassVar[str] = ""

    def compose(self) -> ComposeResult:
        """Title in the border, lines, whatever `fields` adds, the keys."""
        with Vertical(id="sheet") as box:
            box.border_title = self.NAME
            yield Lines(id="sheet-lines")
            yield from self.fields()
            yield Bar(lambda width: words(self.choices(), width), id="sheet-keys")

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
        lines = self.lines(view.size.width)
        view.styles.height = len(lines)
        view.show(lines, keep=True)
        self.query_one("#sheet-keys", Bar).refresh()

    def on_resize(self) -> None:
        """The width may be another."""
        self.call_after_refresh(self.redraw)

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
    """S11: every key, from the action table."""

    NAME = "Keys"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,q,enter", "close", show=False)]

    def __init__(self, remapped: Mapping[str, str]) -> None:
        super().__init__()
        self._remapped = remapped
        self.add_class("wide-sheet")

    def lines(self, width: int) -> list[Line]:
        """Two or three columns of groups."""
        columns = [(MOVE, LOOK), (DECIDE,), (MARK, APP)] if width >= 90 else [(MOVE, MARK, APP), (DECIDE, LOOK)]
        size = width // len(columns)
        stacks = [self._stack(groups, size - 1) for groups in columns]
        rows: list[Line] = []
        for at in range(max(len(stack) for stack in stacks)):
            row: Line = ()
            for number, stack in enumerate(stacks):
                part = stack[at] if at < len(stack) else ()
                gap = size * (number + 1) - cells(row) - cells(part)
                row = (*row, *part, (" " * max(0, gap), ""))
            rows.append(row)
        return [*rows, (), (("keys are yours to change: [keys] in config.toml", "dim"),)]

    def _stack(self, groups: tuple[str, ...], size: int) -> list[Line]:
        rows: list[Line] = []
        for group in groups:
            rows += [()] if rows else []
            rows.append(((group.upper(), "title"),))
            for action in ACTIONS:
                if action.group == group:
                    keys = " ".join(keys_of(action, self._remapped)[:2])
                    rows.append(((pad(keys, 11), "key"), (fit(action.help, size - 11), "")))
        return rows


def head(sign: str, proposal_id: str, what: str, title: str, style: str) -> Line:
    """A sheet's first line: which proposal it is about."""
    return ((f"{sign} ", style), (what, "bold"), (f"  {proposal_id}  ", "dim"), piece(title))


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
