"""The home screen's keys: moving, marking, filtering, looking, leaving. What decides stands in `deciding`."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from curator.desk.views import Evidence, Filter, Lost, Queue, Similar
from curator.desk.views import Line as Said
from curator.errors import CuratorError
from tui.deciding import Deciding
from tui.lines import Lines
from tui.room import bindings
from tui.wording import reason


class Review(Deciding):
    """S1 with its keys."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("review")

    # moving

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

    # marking and filtering

    def action_mark(self) -> None:
        """Mark or unmark the highlighted proposal, and go on."""
        row = self.row()
        if row is None or not self.board.open(row):
            self.say("only what is undecided can be marked")
            return
        self.board.toggle(row.proposal_id)
        self.rows.refresh()
        self.action_next()
        self.redraw_bars()

    def action_range(self) -> None:
        """The first press sets the start, the second marks everything between."""
        row = self.row()
        if row is not None:
            ended = self.board.mark_range(row.proposal_id)
            self.say(
                f"{len(self.board.marks)} marked"
                if ended
                else f"range begins here; {self.key('range')} at its end marks it"
            )
            self.rows.refresh()
            self.redraw_bars()

    def action_mark_shown(self) -> None:
        """Mark all that the filter shows; again unmarks them."""
        self.board.mark_shown()
        accept, reject = self.key("accept_marked"), self.key("reject_marked")
        self.say(f"{len(self.board.marks)} marked: {accept} accepts, {reject} rejects them")
        self.rows.refresh()
        self.redraw_bars()

    def action_filter(self) -> None:
        """The filter line."""
        from tui.dialogs import FilterSheet  # after the first frame

        def count(wanted: Filter, then: Callable[[int], None]) -> None:
            self.curator.ask(lambda desk: len(desk.queue(wanted).rows), then, self._look_failed, "count")

        def save(line: str) -> None:
            self.curator.ask(lambda desk: desk.save_tab(line, line), lambda _: None, self._look_failed)

        def answered(answer: tuple[str, Filter] | None) -> None:
            if answer is not None:
                self.narrow_to(answer[1], answer[0])

        self.app.push_screen(FilterSheet(self.filter_text, count, save), answered)

    def action_facets(self) -> None:
        """Facets with counts, and the saved filters."""
        from curator.desk.filters import parse  # after the first frame
        from tui.dialogs import FacetSheet

        def answered(line: str | None) -> None:
            if line is not None:
                self.narrow_to(parse(line), line)

        def came(answer: tuple[Queue, dict[str, str]]) -> None:
            self.app.push_screen(FacetSheet(answer[0].rows, answer[1]), answered)

        self.curator.ask(lambda desk: (desk.queue(), desk.tabs()), came, self._look_failed, "facets")

    def _match(self, step: int) -> None:
        count = len(self.board)
        for distance in range(1, count + 1):
            at = (self.rows.cursor + step * distance) % count
            if self.rows.matches(at):
                self.move_to(at)
                return
        self.say("no title matches: / filters by words")

    def action_match_next(self) -> None:
        """The next row whose title holds the filter's words."""
        self._match(1)

    def action_match_prev(self) -> None:
        """The one before."""
        self._match(-1)

    # looking

    def action_open(self) -> None:
        """What is under the cursor: a conflict, a similar memory, the source of evidence; else the dossier."""
        row, stop = self.row(), self.view.stop() if self.view.has_focus else None
        if isinstance(stop, Similar):
            self._memory(stop.entry_id)
        elif isinstance(stop, Evidence):
            self.action_source()
        elif isinstance(stop, Lost):
            self.action_restore_lost()
        elif row is not None and row.conflict and self.board.open(row):
            dossier = self.ready("open")
            if dossier is not None:
                self.settle(dossier)
        elif not self.view.has_focus:
            self.action_swap()

    def action_source(self) -> None:
        """The kept conversation at this evidence, in `$PAGER`."""
        dossier, stop = self.view.dossier, self.view.stop()
        evidence = stop if isinstance(stop, Evidence) else next(iter(dossier.evidence), None) if dossier else None
        if evidence is None:
            self.say("this proposal has no evidence to open")
            return

        def came(lines: tuple[Said, ...]) -> None:
            text, at = conversation(lines)
            if not lines:
                self.say("the conversation at this message is not kept")
                return
            try:
                self.curator.page(text, at)
            except CuratorError as error:
                self.say(reason(error), "bad")

        self.curator.ask(lambda desk: desk.source(evidence, 40), came, self._look_failed, "source")

    def action_copy(self) -> None:
        """The proposal's id to the clipboard."""
        row = self.row()
        if row is not None:
            self.app.copy_to_clipboard(row.proposal_id)
            self.say(f"copied {row.proposal_id} (where the terminal allows it)")

    def action_preview(self) -> None:
        """What the next session gets."""
        from tui.preview import PreviewScreen  # a screen of its own: after the first frame

        self.app.push_screen(PreviewScreen(self.first_preview), lambda entry: self._memory(entry) if entry else None)

    def action_memory(self) -> None:
        """Search memory."""
        self._memory("")

    def _memory(self, entry_id: str) -> None:
        from tui.memory import MemoryScreen  # a screen of its own: after the first frame

        self.app.push_screen(MemoryScreen(entry_id), lambda changed: self.refresh_queue() if changed else None)

    def action_log(self) -> None:
        """The decision log."""
        from tui.logbook import LogScreen  # a screen of its own: after the first frame

        self.app.push_screen(LogScreen(), lambda changed: self.refresh_queue() if changed else None)

    def action_help(self) -> None:
        """Every key."""
        from tui.sheets import HelpSheet  # after the first frame

        self.app.push_screen(HelpSheet(self.curator.settings.keys))

    def action_palette(self) -> None:
        """The command palette."""
        self.app.action_command_palette()

    # leaving

    def action_quit(self) -> None:
        """Leave; decisions that are not saved ask once more, and a summary ends a review that decided anything."""
        if self.unsaved and not self.leaving:
            self.leaving = True
            self.say(
                f"{len(self.unsaved)} not saved: {next(iter(self.unsaved.values()))}; q again leaves anyway", "bad"
            )
        elif self.decided and not self.unsaved:
            self.summary()
        else:
            self.app.exit(0)

    def summary(self) -> None:
        """S10: what this review came to."""
        from tui.summary import SummaryScreen  # after the first frame

        def answered(answer: str | None) -> None:
            if answer == "quit":
                self.app.exit(0)
            elif answer:
                self.call_later(self.run_action, f"screen.{answer}")

        seconds = (self.curator.clock() - self.began).total_seconds()
        self.app.push_screen(SummaryScreen(self.since, seconds), answered)


def conversation(lines: Sequence[Said]) -> tuple[str, int]:
    """A kept conversation as text for a pager, and the line of the message that was cited (1 = first)."""
    rows: list[str] = []
    cited = 1
    for said in lines:
        if said.cited:
            cited = len(rows) + 1
        when = f"  {said.at.astimezone():%Y-%m-%d %H:%M}" if said.at else ""
        mark = "  <<< the evidence" if said.cited else ""
        rows += [f"#{said.seq} {said.kind}{when}{mark}", *said.text.splitlines(), ""]
    return "\n".join(rows), cited
