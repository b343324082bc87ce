"""S10: what this review came to, and what the next session gets. S10e: what stands there when nothing waits."""

from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from curator.desk.views import Queue, Summary
from tui.lines import Lines
from tui.room import Room, bindings
from tui.text import Line, Piece, age, number, pad, piece, plural
from tui.wording import reason


class SummaryScreen(Room[str]):
    """Answers with what comes next: `quit`, `preview`, `memory`, `undo`, `log`, or nothing to go back."""

    SCOPE = "summary"
    BINDINGS: ClassVar[list[BindingType]] = bindings("summary")

    def __init__(self, since: int, seconds: float) -> None:
        super().__init__()
        self.since, self.seconds = since, seconds

    def head(self, width: int) -> Line:
        """The screen's name."""
        return (("curator", "accent"), ("  summary  ", "bold"), piece(self.curator.project, "dim"))

    def body(self) -> ComposeResult:
        """The numbers."""
        yield Lines(id="summary")

    def on_mount(self) -> None:
        """Ask for them."""
        since = self.since
        self.ask(lambda desk: desk.summary(since), self._came, lambda error: self.say(reason(error), "bad"))

    def _came(self, summary: Summary) -> None:
        self.query_one("#summary", Lines).show(summary_lines(summary, self.seconds))
        self.say("saved; nothing left to do" if not summary.left else f"saved; {plural(summary.left, 'proposal')} left")

    def action_summary_quit(self) -> None:
        """Leave."""
        self.dismiss("quit")

    def action_summary_preview(self) -> None:
        """What the next session gets."""
        self.dismiss("preview")

    def action_summary_memory(self) -> None:
        """Search memory."""
        self.dismiss("memory")

    def action_summary_undo(self) -> None:
        """Take back the last decision."""
        self.dismiss("undo")

    def action_summary_log(self) -> None:
        """The decision log."""
        self.dismiss("log")

    def action_summary_close(self) -> None:
        """Back to the queue."""
        self.dismiss(None)


def summary_lines(summary: Summary, seconds: float) -> list[Line]:
    """The summary as lines; fits 60 columns."""
    accepted, rejected = sum(summary.accepted.values()), sum(summary.rejected.values())
    took = f"{int(seconds // 60)} min {int(seconds % 60)} s" if seconds >= 60 else f"{int(seconds)} s"
    rows: list[Line] = [(), ((f"  Reviewed {plural(accepted + rejected, 'proposal')} in {took}", "bold"),), ()]
    counts = (
        ("accepted", accepted, _listed({op.value: n for op, n in summary.accepted.items()})),
        ("edited", summary.edited, "of those, by you"),
        ("rejected", rejected, _listed(summary.rejected)),
        ("snoozed", summary.snoozed, "back in the next sweep"),
        ("conflicts", summary.conflicts, "wait for you"),
        ("left", summary.left, "undecided"),
    )
    for name, count, text in counts:
        if count or name in {"accepted", "rejected"}:
            rows.append(((pad(f"    {name}", 17), "dim"), (f"{count:5}    ", "bold"), (text if count else "", "dim")))
    return [*rows, (), (("  Next session", "bold"), (f"{'before':>19}{'now':>10}", "dim")), *_next(summary)]


def _next(summary: Summary) -> list[Line]:
    values = (
        ("memories", summary.memories_before, summary.memories_now, ""),
        ("tokens", summary.tokens_before, summary.tokens_now, f"   of {number(summary.budget)}"),
        ("knowledge", summary.deferred_before, summary.deferred_now, ""),
    )
    return [
        ((pad(f"    {name}", 21), "dim"), (f"{number(was):>12}", "dim"), (f"{number(now):>10}", "bold"), (rest, "dim"))
        for name, was, now, rest in values
    ]


def _listed(counts: dict[str, int]) -> str:
    return "   ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: -item[1]) if count)


def nothing_waits(queue: Queue, summary: Summary | None, now: datetime) -> list[Line]:
    """First run: what there is, and what brings the first proposal."""
    swept: Piece = (f"sweep {queue.sweep}, {age(queue.swept_at, now)}" if queue.sweep else "none yet", "")
    facts: list[tuple[str, Piece, str]] = [("last sweep", swept, "")]
    facts.append(("next sweep", ("after the next checkpoint, or now: ", "dim"), "curator sweep"))
    if summary is not None:
        stored = (
            f"{plural(summary.memories_now, 'memory', 'memories')} injected, {summary.deferred_now} kept as knowledge"
        )
        facts.append(("memory", (stored, ""), ""))
    if queue.snoozed:
        facts.append(("snoozed", (f"{queue.snoozed}, back in the next sweep", ""), ""))
    rows: list[Line] = [(), (("  Nothing is waiting for you.", "bold"),), ()]
    return rows + [((pad(f"  {name}", 16), "dim"), value, (command, "key")) for name, value, command in facts]
