"""The home screen without its keys: layout, bars, and how queue and dossier come from the desk and stay current.

`review.Review` adds what each key does.
"""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen

from curator.desk.views import Dossier, Filter, LogLine, Preview, Queue, Row, Summary
from tui.bars import Bar, Rule
from tui.board import Board
from tui.dossier import DossierView
from tui.footer import review_footer
from tui.heading import WIDE, counts, header, repeats, strip
from tui.keys import BY_ID, IN_QUEUE, NOTHING, keys_of
from tui.lines import LOOKS
from tui.page import Page
from tui.queue import QueueList
from tui.room import Small
from tui.sections import page
from tui.text import Line, piece, plural, spread
from tui.wording import reason

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk
    from tui.app import CuratorApp

POLL = 3.0
"""Seconds between looks at what others did."""


class Home(Screen[int]):
    """S1 and S1n. `warnings` are problems with the person's key table, said once at the start."""

    SCOPE = "review"
    COMPONENT_CLASSES: ClassVar[set[str]] = LOOKS
    AUTO_FOCUS = ""

    def __init__(self, warnings: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.board = Board()
        self.queue: Queue | None = None
        self.wanted = Filter()
        self.filter_text = ""
        self.loaded = ""
        self.waiting: str | None = None
        self.unsaved: dict[str, str] = {}
        self.leaving = False
        self._warnings = warnings
        self._afresh = True
        self.began = self.curator.clock()
        self.since = 0
        self.first_preview: Preview | None = None

    @property
    def curator(self) -> "CuratorApp":
        """The application, by its own type."""
        return cast("CuratorApp", self.app)

    def compose(self) -> ComposeResult:
        """Header, context line, queue and dossier, message line, footer."""
        yield Bar(self._header, id="header")
        yield Bar(self._counts, id="context")
        yield Rule()
        with Horizontal(id="body"):
            yield QueueList(self.board, id="queue", classes="left")
            yield DossierView(id="dossier", classes="right")
        yield Rule()
        yield Bar(id="message")
        yield Bar(id="footer")
        yield Small()

    def on_mount(self) -> None:
        """Ask for the queue; keep looking for what others do."""
        self.rows.focus()
        self.redraw_footer()
        self.say(self._warnings[0] if self._warnings else "", "warn")
        self.refresh_queue()
        self.curator.ask(lambda desk: (desk.log(1), desk.preview()), self._began, lambda _: None)
        self.set_interval(POLL, self.refresh_queue)

    def move_to(self, at: int) -> None:
        """Highlight that row and show its dossier."""
        if 0 <= at < len(self.board):
            self.rows.cursor = at
            self.redraw_bars()
            self.load()

    # widgets

    @property
    def rows(self) -> QueueList:
        """The queue."""
        return self.query_one("#queue", QueueList)

    @property
    def view(self) -> DossierView:
        """The dossier."""
        return self.query_one("#dossier", DossierView)

    def row(self) -> Row | None:
        """The highlighted proposal."""
        return self.board.at(self.rows.cursor)

    def say(self, text: str, style: str = "", undo: bool = False) -> None:
        """Put the last result on the message line."""
        hint: Line = ((self.key("undo"), "key@screen.undo"), (" undo", "dim@screen.undo")) if undo else ()
        self.query_one("#message", Bar).put(lambda width: spread((piece(text, style),), hint, width))

    def key(self, action: str) -> str:
        """The person's key for an action, for a sentence that names it."""
        return next(iter(keys_of(BY_ID[action], self.curator.settings.keys)), action)

    def marking(self) -> str:
        """How to mark, in words."""
        return f"{self.key('mark')} marks, {self.key('range')} a range, {self.key('mark_shown')} all that are shown"

    # bars

    def _header(self, width: int) -> Line:
        return header(self.queue, self.curator.project, self.curator.clock(), width, self.app.no_color)

    def _counts(self, width: int) -> Line:
        if self.queue is None:
            return ()
        if width + 2 < WIDE and not self.has_class("show-queue") and len(self.board):
            return strip(self.board, self.rows.cursor, width)
        return counts(self.queue, self.filter_text, len(self.board.marks), self.curator.clock(), width)

    def redraw_bars(self) -> None:
        """Progress, counts and position as they are now."""
        for name in ("header", "context"):
            self.query_one(f"#{name}", Bar).refresh()

    def redraw_footer(self) -> None:
        """The footer's words for the pane in focus."""
        alone = self.has_class("show-queue") and not self.has_class("-wide")
        swap = "Dossier" if alone or (self.has_class("-wide") and not self.view.has_focus) else "Queue"
        nothing = self.queue is not None and not len(self.board)
        ids = NOTHING if nothing else IN_QUEUE if alone else ()
        self.query_one("#footer", Bar).put(review_footer(self.curator.settings.keys, swap, ids))

    def on_resize(self) -> None:
        """The page is wrapped for its width."""
        self.call_after_refresh(self.load, True)

    def _began(self, answer: tuple[tuple[LogLine, ...], Preview]) -> None:
        """Where the ledger and the next session stood when this review began."""
        log, self.first_preview = answer
        self.since = log[0].seq if log else 0

    # the queue

    def refresh_queue(self) -> None:
        """Ask for the queue as it is now."""
        wanted = self.wanted
        self.curator.ask(lambda desk: desk.queue(wanted), self._queue_came, self._look_failed, "queue")

    def narrow_to(self, wanted: Filter, text: str) -> None:
        """Show another part of the queue."""
        self.wanted, self.filter_text, self._afresh = wanted, text, True
        self.rows.match_words = wanted.words
        self.refresh_queue()

    def _queue_came(self, queue: Queue) -> None:
        first, afresh, self._afresh = self.queue is None, self._afresh, False
        here = self.row()
        arrived, gone = self.board.take(queue.rows, afresh=afresh)
        self.queue = queue
        self.rows.rows_changed()
        if afresh or here is None:
            start = 0 if len(self.board) else -1
            self.rows.cursor = start
        if first:
            self._first_came(queue)
        elif not afresh:
            self._elsewhere(arrived, gone)
        self.redraw_bars()
        if first or afresh:
            self.redraw_footer()
        self.load()

    def _first_came(self, queue: Queue) -> None:
        """What was kept out is said once, where nothing is wrong with the keys."""
        if not self._warnings and queue.blocked:
            self.say(repeats(queue), "dim")

    def _elsewhere(self, arrived: list[str], gone: list[str]) -> None:
        if arrived:
            self.notify(f"{plural(len(arrived), 'new proposal')} arrived", timeout=6, markup=False)
        if gone:
            self.notify(f"{plural(len(gone), 'proposal')} decided elsewhere", timeout=6, markup=False)

    def _look_failed(self, error: Exception) -> None:
        self.say(f"could not look: {reason(error)}", "bad")

    def load(self, again: bool = False) -> None:
        """Show the highlighted proposal; `again` even if it is the one on screen."""
        row = self.row()
        if row is None:
            self.loaded = ""
            self._nothing()
            return
        key = f"{row.proposal_id} {row.rev} {row.conflict}"
        if key == self.loaded and not again:
            return
        width, now, marks = self._page_width(), self.curator.clock(), self.app.no_color
        proposal = row.proposal_id

        def call(desk: "Desk") -> Any:
            dossier = desk.dossier(proposal)
            return dossier, page(dossier, width, now, marks)

        def came(answer: Any) -> None:
            same = self.view.dossier is not None and self.view.dossier.row.proposal_id == proposal
            self.loaded = key
            dossier, made = answer
            self._dossier_came(dossier, made, same)

        self.curator.ask(call, came, self._look_failed, "dossier")

    def _nothing(self) -> None:
        """S10e where nothing waits, one line where the filter shows nothing."""
        queue = self.queue
        if queue is None:
            return
        if self.filter_text:
            self.view.put_lines([((" no proposal matches this filter", "dim"),)])
            return
        since = self.since

        def came(summary: Summary | None) -> None:
            if self.row() is None:
                from tui.summary import nothing_waits  # after the first frame

                self.view.put_lines(nothing_waits(queue, summary, self.curator.clock()))

        self.curator.ask(lambda desk: desk.summary(since), came, lambda _: came(None), "dossier")

    def _page_width(self) -> int:
        width = self.view.size.width or self.size.width - 2
        return max(20, min(width - 2, 110))

    def _dossier_came(self, dossier: Dossier, made: Page, keep: bool) -> None:
        self.view.put(dossier, made, keep=keep)
        if self.waiting:
            action, self.waiting = self.waiting, None
            self.call_later(self.run_action, action)
