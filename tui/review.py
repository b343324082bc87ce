"""The home screen's keys: deciding, marking, moving, and the sheets that open over it.

A decision shows at once and the cursor moves on; the desk's answer follows. One that could not be saved is kept and
tried again until it is.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from curator.desk.views import Outcome, Row, Shown
from curator.errors import BadUsage, Conflict, NotAllowed, NotFound
from curator.vocab import OP_SIGNS, Verb
from tui.board import shown
from tui.home import Home
from tui.keys import ACTIONS
from tui.lines import Lines
from tui.port import Desk
from tui.sheets import HelpSheet, RejectSheet, head
from tui.text import Line
from tui.wording import done, reason

REFUSALS = (BadUsage, Conflict, NotAllowed, NotFound)
"""Answers that stay the same however often one asks; every other failure is tried again."""
RETRY = 1.0
"""Seconds until a decision that could not be saved is tried again."""
Decide = Callable[[Desk, list[Shown]], Outcome]


class Review(Home):
    """S1 with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.id, action.help, show=False, id=action.id)
        for action in ACTIONS
        if action.scope == "review"
    ]

    last_reason = ""

    # moving

    def move_to(self, at: int) -> None:
        """Highlight that row and show its dossier."""
        if 0 <= at < len(self.board):
            self.rows.cursor = at
            self.redraw_bars()
            self.load()

    def action_next(self) -> None:
        """The next row."""
        self.move_to(self.rows.cursor + 1)

    def action_prev(self) -> None:
        """The row before."""
        self.move_to(self.rows.cursor - 1)

    def action_first(self) -> None:
        """The first row."""
        self.move_to(0)

    def action_last(self) -> None:
        """The last row."""
        self.move_to(len(self.board) - 1)

    def action_swap(self) -> None:
        """Queue or dossier: the focus, and in a narrow terminal the pane."""
        if self.has_class("-wide"):
            (self.rows if self.view.has_focus else self.view).focus()
        else:
            self.toggle_class("show-queue")
            (self.rows if self.has_class("show-queue") else self.view).focus()
        self.redraw_bars()
        self.redraw_footer()

    def action_section_1(self) -> None:
        """Section Change."""
        self.view.to_section(1)

    def action_section_2(self) -> None:
        """Section Evidence."""
        self.view.to_section(2)

    def action_section_3(self) -> None:
        """Section Similar."""
        self.view.to_section(3)

    def action_section_4(self) -> None:
        """Section History."""
        self.view.to_section(4)

    def action_section_next(self) -> None:
        """The section after the one in view."""
        self.view.to_section(min(4, self.view.section() + 1))

    def action_section_prev(self) -> None:
        """The section before the one in view."""
        self.view.to_section(max(1, self.view.section() - 1))

    def action_scroll_down(self) -> None:
        """The dossier, half a view down."""
        self.view.page_by(1)

    def action_scroll_up(self) -> None:
        """The dossier, half a view up."""
        self.view.page_by(-1)

    @on(Lines.Chosen, "#queue")
    def _row_clicked(self, event: Lines.Chosen) -> None:
        self.move_to(event.at)
        if event.twice:
            self.call_later(self.run_action, "open")

    @on(Lines.Chosen, "#dossier")
    def _stop_clicked(self, event: Lines.Chosen) -> None:
        self.view.cursor = event.at
        self.view.focus()
        if event.twice:
            self.call_later(self.run_action, "open")

    # deciding

    def ready(self, action: str) -> Row | None:
        """The highlighted row if it can be decided on now; else the reason stands in the message line.

        A key pressed before the dossier has come waits for it: what is decided on is what is on screen.
        """
        row = self.row()
        if self.has_class("-tiny") or self.has_class("-flat"):
            return None
        if row is None:
            self.say("nothing is highlighted")
        elif not self.board.open(row):
            self.say(f"{row.proposal_id} is already decided; u takes the last decision back")
        elif self.view.dossier is None or self.view.dossier.row.proposal_id != row.proposal_id:
            self.waiting = f"screen.{action}"
        else:
            return self.view.dossier.row
        return None

    def decide(self, verb: Verb, rows: list[Row], call: Decide) -> None:
        """Show the decision, move on, and have the desk make it."""
        keys = [row.proposal_id for row in rows]
        self.board.decide(keys, verb)
        if self.curator.settings.advance and verb is not Verb.REVISE:
            self.rows.cursor = self.board.next_open(self.rows.cursor)
        self.rows.refresh()
        self.redraw_bars()
        self.load()
        self._send(keys, rows[0].title if len(rows) == 1 else "", [shown(row) for row in rows], call)

    def _send(self, keys: list[str], title: str, seen: list[Shown], call: Decide) -> None:
        def failed(error: Exception) -> None:
            if isinstance(error, REFUSALS):
                self._settled(keys)
                self.board.reopen(keys)
                self.rows.refresh()
                self.say(f"not done: {reason(error)}", "bad")
                return
            self.unsaved.update(dict.fromkeys(keys, reason(error)))
            self.say(f"not saved yet, trying again: {reason(error)}", "bad")
            self.set_timer(RETRY, lambda: self._send(keys, title, seen, call))

        def came(outcome: Outcome) -> None:
            self._settled(keys)
            self.answered(outcome, title)

        self.curator.ask(lambda desk: call(desk, seen), came, failed)

    def _settled(self, keys: list[str]) -> None:
        self.board.busy -= set(keys)
        for key in keys:
            self.unsaved.pop(key, None)

    def answered(self, outcome: Outcome, title: str = "") -> None:
        """Take the desk's answer: signs of what was not done, the message, and the queue as it is now."""
        for item in outcome.items:
            if not item.done:
                self.board.reopen([item.id])
                if item.outcome == "conflict":
                    self.board.conflicted(item.id)
        self.say(done(outcome, title), "" if outcome.complete else "warn", undo=outcome.decision is not None)
        self.rows.refresh()
        self.refresh_queue()

    def action_accept(self) -> None:
        """Accept the highlighted proposal."""
        row = self.ready("accept")
        if row is None:
            return
        if row.conflict:
            self.say(f"{row.proposal_id}: the stored text changed since the sweep; enter shows both", "warn")
            return
        self.decide(Verb.ACCEPT, [row], lambda desk, seen: desk.accept(seen))

    def action_reject(self) -> None:
        """Reject the highlighted proposal, with a reason."""
        row = self.ready("reject")
        if row is not None:
            self._reject([row], head(OP_SIGNS[row.op], row.proposal_id, row.op.value, row.title, f"op-{row.op.value}"))

    def _reject(self, rows: list[Row], first: Line) -> None:
        def answered(answer: tuple[str, str] | None) -> None:
            if answer is None:
                return
            reason, comment = answer
            self.last_reason = reason
            self.decide(Verb.REJECT, rows, lambda desk, seen: desk.reject(seen, reason, comment))

        self.app.push_screen(RejectSheet(first, self.last_reason), answered)

    def action_snooze(self) -> None:
        """Put the highlighted proposal off until the next sweep."""
        row = self.ready("snooze")
        if row is not None:
            self.decide(Verb.SNOOZE, [row], lambda desk, seen: desk.snooze(seen))

    def action_undo(self) -> None:
        """Take back the last decision."""

        def came(outcome: Outcome) -> None:
            keys = [item.id for item in outcome.items if item.done]
            self.board.reopen(keys)
            self.answered(outcome)
            here = self.board.position(keys[0]) if keys else -1
            if here >= 0:
                self.move_to(here)

        self.curator.ask(lambda desk: desk.undo(), came, lambda error: self.say(reason(error), "warn"))

    # looking

    def action_help(self) -> None:
        """Every key."""
        self.app.push_screen(HelpSheet(self.curator.settings.keys))

    # leaving

    def action_quit(self) -> None:
        """Leave; decisions that are not saved ask once more."""
        if self.unsaved and not self.leaving:
            self.leaving = True
            self.say(
                f"{len(self.unsaved)} not saved: {next(iter(self.unsaved.values()))}; q again leaves anyway", "bad"
            )
            return
        self.app.exit(0)
