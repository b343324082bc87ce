"""Deciding on the home screen: each key's way from the highlighted proposal to the desk and back.

A decision shows at once and the cursor moves on; the desk's answer follows. One that could not be saved is kept and
tried again until it is.
"""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on

from curator.desk.texts import other_route, restored, sheet
from curator.desk.views import Dossier, Lost, Outcome, Row, Shown, Similar
from curator.draft import Draft
from curator.errors import BadUsage, Conflict, CuratorError, NotAllowed, NotFound
from curator.vocab import DEFERRED_LABEL, Verb
from tui.board import shown
from tui.bulk import bulk_lines, first_line
from tui.dossier import DossierView
from tui.home import Home
from tui.text import Line, plural
from tui.wording import done, reason

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk

REFUSALS = (BadUsage, Conflict, NotAllowed, NotFound)
"""Answers that stay the same however often one asks; every other failure of a decision is tried again."""
DECIDING = (Verb.ACCEPT, Verb.REJECT, Verb.SNOOZE)
RETRY = 1.0
"""Seconds until a decision that could not be saved is tried again."""
Decide = Callable[["Desk", list[Shown]], Outcome]


class Deciding(Home):
    """What `a r z e E s m t l + u A R` do."""

    last_reason = ""
    decided = 0

    def ready(self, action: str) -> Dossier | None:
        """The dossier on screen if it can be decided on now; else the reason stands in the message line.

        A key pressed before the dossier has come waits for it: what is decided on is what is on screen.
        """
        row = self.row()
        if self.has_class("-tiny") or self.has_class("-flat"):
            return None
        if row is None:
            self.say("nothing is highlighted")
        elif not self.board.open(row):
            self.say(f"{row.proposal_id} is already decided; {self.key('undo')} takes the last decision back")
        elif self.view.dossier is None or self.view.dossier.row.proposal_id != row.proposal_id:
            self.waiting = f"screen.{action}"
        else:
            return self.view.dossier
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
            if isinstance(error, REFUSALS) or type(error) is CuratorError:
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
        if outcome.verb is Verb.REVISE or outcome.verb is Verb.SPLIT:
            self.board.reopen([item.id for item in outcome.items])
        for item in outcome.items:
            if not item.done:
                self.board.reopen([item.id])
                if item.outcome == "conflict":
                    self.board.conflicted(item.id)
        if outcome.verb in DECIDING:
            self.decided += sum(item.done for item in outcome.items)
        told = done(outcome, title)
        if outcome.verb in DECIDING and not any(self.board.open(row) for row in self.board.rows.values()):
            told += f"; nothing is left, {self.key('quit')} sums up"
        self.say(told, "" if outcome.complete else "warn", undo=outcome.decision is not None)
        self.rows.refresh()
        self.refresh_queue()

    # one proposal

    def action_accept(self) -> None:
        """Accept the highlighted proposal."""
        dossier = self.ready("accept")
        if dossier is None:
            return
        if dossier.row.conflict:
            self.say(f"{dossier.row.proposal_id}: the stored text changed; {self.key('open')} shows both", "warn")
            return
        self.decide(Verb.ACCEPT, [dossier.row], lambda desk, seen: desk.accept(seen))

    def action_reject(self) -> None:
        """Reject the highlighted proposal, with a reason."""

        dossier = self.ready("reject")
        if dossier is not None:
            self._reject([dossier.row], first_line(dossier.row))

    def _reject(self, rows: list[Row], first: Line) -> None:
        from tui.sheets import RejectSheet  # after the first frame

        def answered(answer: tuple[str, str] | None) -> None:
            if answer is None:
                return
            why, comment = answer
            self.last_reason = why
            self.decide(Verb.REJECT, rows, lambda desk, seen: desk.reject(seen, why, comment))

        self.app.push_screen(RejectSheet(first, self.last_reason), answered)

    def action_snooze(self) -> None:
        """Put the highlighted proposal off until the next sweep."""
        dossier = self.ready("snooze")
        if dossier is not None:
            self.decide(Verb.SNOOZE, [dossier.row], lambda desk, seen: desk.snooze(seen))

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

    # changing one

    def with_text(self, action: str) -> Dossier | None:
        """As `ready`, for what needs a text to change and no conflict to settle first."""
        dossier = self.ready(action)
        if dossier is None:
            return None
        if not dossier.after:
            self.say(f"{dossier.row.proposal_id} takes an entry out: there is no text to change")
        elif dossier.row.conflict:
            self.say(f"{dossier.row.proposal_id}: the stored text changed; {self.key('open')} shows both", "warn")
        else:
            return dossier
        return None

    def revise(self, dossier: Dossier, after: tuple[Draft, ...]) -> None:
        """Have the proposal's results changed; it stays pending."""
        if after == dossier.after:
            self.say("nothing was changed")
            return
        seen_now = dossier.now
        self.decide(Verb.REVISE, [dossier.row], lambda desk, seen: desk.revise(seen[0], after, seen_now))

    def action_edit(self) -> None:
        """Edit in place."""
        from tui.editor import EditScreen  # a screen of its own: after the first frame

        dossier = self.with_text("edit")
        if dossier is None:
            return

        def answered(answer: tuple[str, tuple[Draft, ...]] | None) -> None:
            if answer is None:
                return
            how, after = answer
            if how == "save" or after == dossier.after:
                self.revise(dossier, after) if how == "save" else self.action_accept()
                return
            seen_now = dossier.now
            self.decide(Verb.ACCEPT, [dossier.row], lambda desk, seen: desk.accept_as(seen[0], after, seen_now))

        self.app.push_screen(EditScreen(dossier), answered)

    def action_edit_external(self) -> None:
        """Edit in `$EDITOR`; it stays pending."""
        dossier = self.with_text("edit_external")
        if dossier is None:
            return
        if len(dossier.after) > 1:
            self.say(f"{dossier.row.proposal_id} has several parts: {self.key('edit')} edits each")
            return
        try:
            made = self.curator.edit(dossier.after[0])
        except CuratorError as error:
            self.say(reason(error), "bad")
            return
        self.revise(dossier, (made, *dossier.after[1:]))

    def action_route(self) -> None:
        """The other store."""
        dossier = self.with_text("route")
        if dossier is not None:
            self.revise(dossier, tuple(other_route(draft) for draft in dossier.after))

    def action_labels(self) -> None:
        """Route, kind and labels."""
        from tui.dialogs import LabelsSheet  # a screen of its own: after the first frame

        dossier = self.with_text("labels")
        if dossier is None:
            return
        known = Counter(label for row in self.board.rows.values() for label in row.labels if label != DEFERRED_LABEL)

        def answered(made: Draft | None) -> None:
            if made is not None:
                self.revise(dossier, (made, *dossier.after[1:]))

        self.app.push_screen(LabelsSheet(first_line(dossier.row), dossier.after[0], known.most_common()), answered)

    def action_restore_lost(self) -> None:
        """Put the missing detail under the cursor, or the first one, back into the text."""
        dossier = self.with_text("restore_lost")
        if dossier is None:
            return
        stop = self.view.stop()
        lost = stop if isinstance(stop, Lost) else next(iter(dossier.lost), None)
        if lost is None:
            self.say("nothing of the sources is missing from this text")
            return
        self.revise(dossier, (restored(dossier.after[0], lost, dossier.before), *dossier.after[1:]))

    def action_split(self) -> None:
        """Split into parts."""
        from tui.split import SplitScreen  # a screen of its own: after the first frame

        dossier = self.with_text("split")
        if dossier is None:
            return
        if len(dossier.after) > 1:
            self.say(f"{dossier.row.proposal_id} is split already: {self.key('edit')} edits each part")
            return

        def answered(answer: tuple[tuple[Draft, ...], tuple[tuple[int, ...], ...]] | None) -> None:
            if answer is not None:
                parts, shares = answer
                self.decide(Verb.SPLIT, [dossier.row], lambda desk, seen: desk.split(seen[0], parts, shares))

        self.app.push_screen(SplitScreen(dossier), answered)

    @on(DossierView.Fold)
    def _fold(self, event: DossierView.Fold) -> None:
        similar: Similar = event.similar
        dossier = self.with_text("accept")
        if dossier is not None:
            self.decide(Verb.REVISE, [dossier.row], lambda desk, seen: desk.fold(seen[0], similar.entry_id))

    def settle(self, dossier: Dossier) -> None:
        """S6: the person chooses between what is stored and what was proposed."""
        from tui.conflict import ConflictScreen  # a screen of its own: after the first frame

        def answered(answer: tuple[str, tuple[Draft, ...]] | None) -> None:
            if answer is None:
                self.say("nothing was overwritten; it waits")
                return
            how, after = answer
            seen_now = dossier.now
            if how == "accept":
                self.decide(Verb.ACCEPT, [dossier.row], lambda desk, seen: desk.accept_as(seen[0], after, seen_now))
            elif how == "snooze":
                self.decide(Verb.SNOOZE, [dossier.row], lambda desk, seen: desk.snooze(seen))
            else:
                why = "the stored text was kept"
                self.decide(Verb.REJECT, [dossier.row], lambda desk, seen: desk.reject(seen, why))

        self.app.push_screen(ConflictScreen(dossier), answered)

    # several

    def action_accept_marked(self) -> None:
        """Accept the marked proposals, after a sheet that lists them."""
        from tui.sheets import ConfirmSheet  # after the first frame

        marked = self.board.marked()
        plan = sheet(tuple(marked))
        if not plan.rows:
            self.say(f"nothing to accept is marked: {self.marking()}")
            return

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self.decide(Verb.ACCEPT, list(plan.rows), lambda desk, seen: desk.accept(seen))
            elif answer == "preview":
                self.call_later(self.run_action, "screen.preview")

        lines = bulk_lines(plan, self.queue.next_tokens if self.queue else 0, self.filter_text)
        self.app.push_screen(ConfirmSheet("Accept marked", lines, f"accept {len(plan.rows)}", preview=True), answered)

    def action_reject_marked(self) -> None:
        """Reject the marked proposals with one reason."""
        marked = self.board.marked()
        if not marked:
            self.say(f"nothing is marked: {self.marking()}")
            return
        self._reject(
            marked, ((f"Reject {plural(len(marked), 'proposal')}", "bold"), ("   one undo takes all back", "dim"))
        )
