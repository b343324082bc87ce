"""S3: a proposal's text edited in place, with what was before, the evidence and the live change beside it.

Answers with `accept` or `save` and the drafts; the home screen has the desk do it.
"""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, TextArea

from curator.desk.views import Dossier
from curator.draft import Draft, draft
from curator.errors import CuratorError
from curator.plain import clean
from curator.vocab import DEFERRED_LABEL, OP_SIGNS, Kind, Route
from tui.choice import Choice
from tui.field import Field, Reading, counted
from tui.lines import Fitted, Lines
from tui.page import changes
from tui.room import Room, bindings
from tui.sections import who
from tui.text import Line, piece, spread, wrap
from tui.wording import reason

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk

Edited = tuple[str, tuple[Draft, ...]]


class EditScreen(Room[Edited]):
    """Edits the results of a proposal, one (`at`) after the other."""

    SCOPE = "edit"
    BINDINGS: ClassVar[list[BindingType]] = bindings("edit")

    def __init__(self, dossier: Dossier) -> None:
        super().__init__()
        self.dossier = dossier
        self.made = list(dossier.after)
        self.at = 0

    @property
    def proposed(self) -> Draft:
        """The result at hand, as it was proposed."""
        return self.dossier.after[self.at]

    def left_out(self) -> tuple[str, ...]:
        """Only a proposal with several results has a next one."""
        return () if len(self.made) > 1 else ("edit_part",)

    def head(self, width: int) -> Line:
        """Which proposal."""
        row = self.dossier.row
        left: Line = (
            ("edit ", "bold"),
            (row.proposal_id, "dim"),
            (f"  {OP_SIGNS[row.op]} {row.op.value}", f"op-{row.op.value}"),
        )
        left += ((f" {self.proposed.entry_id}" if self.proposed.entry_id else "", "dim"), ("  ", ""), piece(row.title))
        several = f"part {self.at + 1} of {len(self.made)}" if len(self.made) > 1 else ""
        return spread(left, ((several, "dim"),), width)

    def body(self) -> ComposeResult:
        """Before and evidence left; title, text, change, kind, route and labels right."""
        start = self.proposed
        with Horizontal(id="body"):
            yield Reading(id="before", classes="left")
            with Vertical(id="fields", classes="right"):
                yield Field("title", start.title, id="title")
                yield TextArea(clean(start.body), id="text", compact=True, soft_wrap=True, show_line_numbers=False)
                yield Fitted(id="count")
                yield Fitted(id="change", classes="room-above")
                yield Choice("kind", tuple(Kind), start.kind.value, id="kind", classes="room-above")
                yield Choice("route", tuple(Route), start.route.value, id="route")
                yield Field("labels", labels_of(start), id="labels", placeholder="separated by commas")

    def on_mount(self) -> None:
        """The cursor goes to the end of the text."""
        area = self.query_one("#text", TextArea)
        area.move_cursor(area.document.end)
        area.focus()
        self.redraw()

    def on_resize(self) -> None:
        """Everything is wrapped for its width."""
        self.call_after_refresh(self.redraw)

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(Choice.Changed)
    def redraw(self) -> None:
        """Change, count and message for what stands there now."""
        old = self.dossier.before[0].body if self.dossier.before else None
        text = self.query_one("#text", TextArea).text
        change = self.query_one("#change", Fitted)
        rows = wrap(changes(old, text, self.app.no_color), max(20, change.size.width - 1)) if old else []
        change.show([(("change", "title"),), *rows] if rows else [])
        self._before()
        self._count(text, old)
        same = self._quietly() == self.proposed
        self.say("" if same else "this will be recorded as edited by you", "warn")

    def _before(self) -> None:
        view = self.query_one("#before", Lines)
        width = max(16, view.size.width - 1)
        rows: list[Line] = []
        for draft_ in self.dossier.before:
            rows += [((f"before  {draft_.entry_id}", "title"),), *wrap([(draft_.body, "dim")], width), ()]
        rows += [(("evidence", "title"),)] if self.dossier.evidence else []
        for item in self.dossier.evidence:
            rows += wrap(
                [
                    (f"{who(item)}  ", "dim"),
                    (f"“{item.text}”", ""),
                ],
                width,
            )
        view.show(rows, keep=True)

    def _count(self, text: str, old: str | None) -> None:
        def count(tokens: tuple[int, int | None]) -> None:
            self.query_one("#count", Fitted).show([counted(*tokens, self.curator.settings)])

        def call(desk: "Desk") -> tuple[int, int | None]:
            return desk.tokens.count(text), None if old is None else desk.tokens.count(old)

        self.ask(call, count, lambda _: None, "count")

    def drafted(self) -> Draft:
        """What the fields say. Raises `CuratorError` for an empty text."""
        return draft(
            self.query_one("#title", Input).value,
            self.query_one("#text", TextArea).text,
            self.query_one("#kind", Choice).value,
            self.query_one("#route", Choice).value,
            tuple(self.query_one("#labels", Input).value.split(",")),
            self.proposed.refs,
            self.proposed.entry_id,
        )

    def _quietly(self) -> Draft | None:
        try:
            return self.drafted()
        except CuratorError:
            return None

    def take(self, value: Draft) -> None:
        """Put a draft into the fields."""
        self.query_one("#title", Input).value = clean(value.title)
        self.query_one("#text", TextArea).load_text(clean(value.body))
        self.query_one("#kind", Choice).choose(value.kind.value)
        self.query_one("#route", Choice).choose(value.route.value)
        self.query_one("#labels", Input).value = clean(labels_of(value))

    def _kept(self) -> bool:
        """Keep what the fields say; False, with the reason said, where they say nothing that can be."""
        try:
            self.made[self.at] = self.drafted()
        except CuratorError as error:
            self.say(f"{reason(error)}; esc leaves", "bad")
            return False
        return True

    def _done(self, how: str) -> None:
        if self._kept():
            self.dismiss((how, tuple(self.made)))

    def action_edit_accept(self) -> None:
        """Accept the text as it stands."""
        self._done("accept")

    def action_edit_save(self) -> None:
        """Keep the text, decide later."""
        self._done("save")

    def action_edit_editor(self) -> None:
        """Go on in `$EDITOR`."""
        now = self._quietly() or self.proposed
        try:
            self.take(self.curator.edit(now))
        except CuratorError as error:
            self.say(reason(error), "bad")

    def action_edit_part(self) -> None:
        """The next result, where there are several."""
        if len(self.made) > 1 and self._kept():
            self.at = (self.at + 1) % len(self.made)
            self.take(self.made[self.at])
            self.draw_head(self.head)

    def action_edit_reset(self) -> None:
        """Back to the proposal's text."""
        self.take(self.proposed)

    def action_edit_close(self) -> None:
        """Leave everything as it was."""
        self.dismiss(None)


def labels_of(value: Draft) -> str:
    """The labels that a person sees and changes: all but the one that every deferred entry carries."""
    return ", ".join(label for label in value.labels if label != DEFERRED_LABEL)
