"""The decision log: every decision, newest first, with what took it back. `u` takes the highlighted one back."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from curator.desk.views import LogLine, Outcome
from tui.lines import Lines
from tui.room import Room, bindings
from tui.text import Line, age, pad, piece, plural, spread
from tui.wording import done, reason


class LogScreen(Room[bool]):
    """Answers True when something was taken back."""

    SCOPE = "log"
    BINDINGS: ClassVar[list[BindingType]] = bindings("log")

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[LogLine, ...] = ()
        self.changed = False

    def head(self, width: int) -> Line:
        """How many decisions."""
        left: Line = (("curator", "accent"), ("  decision log  ", "bold"), piece(self.curator.project, "dim"))
        return spread(left, ((plural(len(self.entries), "decision"), "dim"),), width)

    def body(self) -> ComposeResult:
        """One line a decision."""
        yield Lines(id="log")

    def on_mount(self) -> None:
        """Ask for it."""
        self.query_one("#log", Lines).focus()
        self.look()

    def look(self) -> None:
        """Ask for the log as it is now."""
        self.ask(lambda desk: desk.log(500), self._came, lambda error: self.say(reason(error), "bad"), "log")

    def _came(self, entries: tuple[LogLine, ...]) -> None:
        self.entries = entries
        view = self.query_one("#log", Lines)
        self.draw()
        view.cursor = min(max(view.cursor, 0), len(entries) - 1)

    def on_resize(self) -> None:
        """The widths may be others."""
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """The lines for the present width."""
        self.draw_head(self.head)
        view = self.query_one("#log", Lines)
        rows = [self._row(entry, max(40, view.size.width - 1)) for entry in self.entries]
        view.show(rows or [(("  no decision has been made yet", "dim"),)], keep=True)

    def _row(self, entry: LogLine, width: int) -> Line:
        style = "dim" if entry.undone_by else ""
        left: Line = (
            (f" {entry.seq:4}  ", "dim"),
            (pad(entry.verb.value, 10), style or "bold"),
            piece(entry.summary.removeprefix(f"{entry.verb.value} "), style),
        )
        left += (("   ", ""), piece(entry.reason, "dim")) if entry.reason else ()
        left += ((f"   taken back by {entry.undone_by}", "warn"),) if entry.undone_by else ()
        right: Line = ((f"  {entry.reviewer}" + (f" ({entry.via})" if entry.via != "terminal" else ""), "dim"),)
        return spread(left, (*right, (f"  {age(entry.at, self.curator.clock()):>10}", "dim")), width)

    @on(Lines.Chosen, "#log")
    def _clicked(self, event: Lines.Chosen) -> None:
        self._to(event.at)

    def _to(self, at: int) -> None:
        if 0 <= at < len(self.entries):
            self.query_one("#log", Lines).cursor = at

    def action_log_next(self) -> None:
        """The next line."""
        self._to(self.query_one("#log", Lines).cursor + 1)

    def action_log_prev(self) -> None:
        """The line before."""
        self._to(self.query_one("#log", Lines).cursor - 1)

    def action_log_undo(self) -> None:
        """Take the highlighted decision back; one that later ones were built on says which must go first."""
        at = self.query_one("#log", Lines).cursor
        if not 0 <= at < len(self.entries):
            return
        seq = self.entries[at].seq

        def came(outcome: Outcome) -> None:
            self.changed = True
            self.say(done(outcome, ""))
            self.look()

        self.ask(lambda desk: desk.undo(seq), came, lambda error: self.say(reason(error), "bad"))

    def action_log_close(self) -> None:
        """Back."""
        self.dismiss(self.changed)
