"""S9: search what is stored and read it; edit, reroute, pin and retire an entry. Titles are an index: the text stands
beside them."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from curator.desk.texts import other_route
from curator.desk.views import Entry, Outcome
from curator.errors import CuratorError
from tui.field import Reading
from tui.lines import Lines
from tui.room import Room, bindings
from tui.sheets import ReasonSheet
from tui.text import Line, age, fit, pad, piece, plural, spread, wrap
from tui.wording import done, reason

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk


class MemoryScreen(Room[bool]):
    """Answers True when an entry was changed. `start` is an id to read at once."""

    SCOPE = "memory"
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory")

    def __init__(self, start: str = "") -> None:
        super().__init__()
        self.start = start
        self.hits: tuple[Entry, ...] = ()
        self.entry: Entry | None = None
        self.changed = False

    def head(self, width: int) -> Line:
        """Where, and how many."""
        left: Line = (("curator", "accent"), ("  memory  ", "bold"), piece(self.curator.project, "dim"))
        return spread(left, ((plural(len(self.hits), "hit"), "dim"),), width)

    def body(self) -> ComposeResult:
        """Search line, hits, the entry."""
        yield Input(id="search", compact=True, placeholder="search: every word must be in title, text, label or id")
        with Horizontal(id="memory-body"):
            yield Lines(id="hits", classes="left")
            yield Reading(id="entry", classes="right")

    def on_mount(self) -> None:
        """Everything at first, the newest on top."""
        self.query_one("#hits" if self.start else "#search").focus()
        self.say("titles are an index, not an answer: read the text before relying on it")
        self.search("")

    def on_resize(self) -> None:
        """Wrap for the present width."""
        self.call_after_refresh(self.draw)

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted, "#search")
    def _submitted(self) -> None:
        self.query_one("#hits", Lines).focus()

    def search(self, words: str) -> None:
        """Ask for what holds all the words."""
        start = self.start

        def call(desk: "Desk") -> tuple[tuple[Entry, ...], Entry | None]:
            hits = desk.search(words)
            return hits, desk.entry(start) if start else None

        self.ask(call, lambda answer: self._came(*answer), self._failed, "search")

    def _came(self, hits: tuple[Entry, ...], first: Entry | None) -> None:
        self.start = ""
        if first is not None and all(hit.entry_id != first.entry_id for hit in hits):
            hits = (first, *hits)
        self.hits = hits
        at = next((n for n, hit in enumerate(hits) if first and hit.entry_id == first.entry_id), 0 if hits else -1)
        view = self.query_one("#hits", Lines)
        view.set_reactive(Lines.cursor, -1)
        self.draw()
        view.cursor = at
        self.read()

    def _failed(self, error: Exception) -> None:
        self.say(reason(error), "bad")

    def read(self) -> None:
        """Show the highlighted entry whole."""
        at = self.query_one("#hits", Lines).cursor
        if not 0 <= at < len(self.hits):
            self.entry = None
            self.draw()
            return
        wanted = self.hits[at].entry_id

        def came(entry: Entry) -> None:
            self.entry = entry
            self.draw()

        self.ask(lambda desk: desk.entry(wanted), came, self._failed, "entry")

    def draw(self) -> None:
        """Hits and entry for the present widths."""
        self.draw_head(self.head)
        hits, text = self.query_one("#hits", Lines), self.query_one("#entry", Lines)
        width = max(30, hits.size.width - 1)
        rows = [
            ((" ", ""), (f"{hit.draft.route.value:9}", "dim"), (f"{hit.entry_id}  ", "key"), piece(hit.draft.title))
            for hit in self.hits
        ]
        hits.show(
            [_cut(row, width) for row in rows] or [((" nothing stored holds all of these words", "dim"),)], keep=True
        )
        text.show(entry_lines(self.entry, max(30, text.size.width - 2), self.curator.clock) if self.entry else [])

    @on(Lines.Chosen, "#hits")
    def _clicked(self, event: Lines.Chosen) -> None:
        self._to(event.at)

    def _to(self, at: int) -> None:
        if 0 <= at < len(self.hits):
            self.query_one("#hits", Lines).cursor = at
            self.read()

    def action_memory_search(self) -> None:
        """Into the search line."""
        self.query_one("#search").focus()

    def action_memory_next(self) -> None:
        """The next hit."""
        self._to(self.query_one("#hits", Lines).cursor + 1)
        self.query_one("#hits").focus()

    def action_memory_prev(self) -> None:
        """The hit before."""
        self._to(self.query_one("#hits", Lines).cursor - 1)

    def _change(self, call: Callable[["Desk", Entry], Outcome]) -> None:
        entry = self.entry
        if entry is None:
            self.say("nothing is highlighted")
            return

        def came(outcome: Outcome) -> None:
            self.changed = True
            self.say(done(outcome, entry.draft.title))
            self.start = entry.entry_id
            self.search(self.query_one("#search", Input).value)

        self.ask(lambda desk: call(desk, entry), came, self._failed)

    def action_memory_edit(self) -> None:
        """Edit the entry in `$EDITOR`."""
        if self.entry is None:
            return
        try:
            made = self.curator.edit(self.entry.draft)
        except CuratorError as error:
            self.say(reason(error), "bad")
            return
        self._change(lambda desk, entry: desk.edit(entry.entry_id, entry.rev, made))

    def action_memory_route(self) -> None:
        """The other store."""
        self._change(lambda desk, entry: desk.edit(entry.entry_id, entry.rev, other_route(entry.draft)))

    def action_memory_pin(self) -> None:
        """Always inject it, or stop that."""
        self._change(lambda desk, entry: desk.pin(entry.entry_id, entry.rev, pinned=not entry.pinned))

    def action_memory_promote(self) -> None:
        """To the person's own store, for every project."""
        self._change(lambda desk, entry: desk.promote(entry.entry_id, entry.rev))

    def action_memory_tombstone(self) -> None:
        """Retire it, with a reason."""
        entry = self.entry
        if entry is None:
            return

        def answered(why: str | None) -> None:
            if why:
                self._change(lambda desk, entry: desk.tombstone(entry.entry_id, entry.rev, why))

        line: Line = ((entry.entry_id, "key"), ("  ", ""), piece(entry.draft.title))
        self.app.push_screen(ReasonSheet("Tombstone", [line], "retire it"), answered)

    def action_memory_copy(self) -> None:
        """The id to the clipboard."""
        if self.entry is not None:
            self.app.copy_to_clipboard(self.entry.entry_id)
            self.say(f"copied {self.entry.entry_id} (where the terminal allows it)")

    def action_memory_close(self) -> None:
        """Back."""
        self.dismiss(self.changed)


def entry_lines(entry: Entry, width: int, clock: Callable[[], datetime]) -> list[Line]:
    """An entry whole: what it is, its text, where it came from, its history."""
    now = clock()
    draft = entry.draft
    labels = ", ".join(draft.labels)
    state = "" if entry.state == "active" else f"  {entry.state}"
    head: Line = (
        (entry.entry_id, "key"),
        (f"  {draft.kind.value} → {draft.route.value}  rev {entry.rev}", "dim"),
        (state, "bad"),
    )
    head += (("  pinned", "warn"),) if entry.pinned else ()
    rows: list[Line] = [spread(head, ((f"{labels}  ", "label"), (f"{entry.tokens} tok", "dim")), width)]
    rows += [*wrap([piece(draft.title, "bold")], width), (), *wrap([(draft.body, "")], width), ()]
    facts = [("origin", entry.origin.value)]
    facts += [("replaced by", entry.superseded_by)] if entry.superseded_by else []
    facts += [("reason", entry.reason)] if entry.reason else []
    facts += [("anchors", f"{', '.join(draft.refs)} {entry.anchor_state}")] if draft.refs else []
    for name, value in facts:
        rows.append(((pad(name, 13), "dim"), piece(fit(value, width - 13))))
    for change in entry.history:
        left: Line = (
            (pad(f"rev {change.rev}", 13), "dim"),
            piece(change.what),
            (f"  by {change.by}" if change.by else "", "dim"),
        )
        rows.append(spread(left, ((age(change.at, now), "dim"),), width))
    return rows


def _cut(line: Line, width: int) -> Line:
    return spread(line, (), width)
