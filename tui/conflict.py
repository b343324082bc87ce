"""S6: what the sweep saw, what is stored now, what was proposed, and a merged text to edit. Nothing is overwritten.

Answers with `reject`, `accept` (and the drafts that stand on what was seen) or `snooze`.
"""

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import TextArea

from curator.desk.views import Dossier
from curator.draft import Draft
from curator.errors import CuratorError
from curator.plain import clean
from curator.vocab import OP_SIGNS
from tui.field import Reading, counted
from tui.lines import Fitted
from tui.page import changes
from tui.room import Room, bindings
from tui.sections import who
from tui.text import Line, Piece, piece, spread, wrap
from tui.wording import reason

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk

Chosen = tuple[str, tuple[Draft, ...]]


class ConflictScreen(Room[Chosen]):
    """One proposal whose target changed since the sweep."""

    SCOPE = "conflict"
    BINDINGS: ClassVar[list[BindingType]] = bindings("conflict")

    def __init__(self, dossier: Dossier) -> None:
        super().__init__()
        self.dossier = dossier

    def head(self, width: int) -> Line:
        """Which proposal, and what changed."""
        row = self.dossier.row
        left: Line = (
            ("! conflict  ", "warn"),
            (row.proposal_id, "dim"),
            (f"  {OP_SIGNS[row.op]} {row.op.value}  ", f"op-{row.op.value}"),
        )
        return spread((*left, piece(row.title)), (), width)

    def body(self) -> ComposeResult:
        """The three texts and the evidence; below, the merged one."""
        with Horizontal(id="conflict-body"):
            yield Reading(id="texts", classes="left")
            with Vertical(id="fields", classes="right"):
                yield Fitted(id="proposed")
                yield Fitted(id="merged-title", classes="room-above")
                yield TextArea(self._merged(), id="text", compact=True, soft_wrap=True, show_line_numbers=False)
                yield Fitted(id="count")
                yield Fitted(id="evidence", classes="room-above")

    def _merged(self) -> str:
        made = self.dossier.merged or self.dossier.after
        return clean(made[0].body) if made else ""

    def on_mount(self) -> None:
        """The choices have the focus first, so that digits work."""
        self.query_one("#texts", Reading).focus()
        self.query_one("#text", TextArea).display = not self._gone
        if not self._gone:
            self.query_one("#merged-title", Fitted).show([(("merged", "title"), ("   edit freely, tab", "dim"))])
            self._count()
        self.say("nothing is overwritten until you choose")

    @property
    def _gone(self) -> bool:
        """Is there no text to accept?"""
        return not self.dossier.after or any(draft is None for draft in self.dossier.now)

    def on_resize(self) -> None:
        """Wrap for the present width."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        marks = self.app.no_color
        texts, proposed, said = (
            self.query_one("#texts", Reading), self.query_one("#proposed", Fitted), self.query_one("#evidence", Fitted)
        )  # fmt: skip
        rows: list[Line] = []
        for at, base in enumerate(self.dossier.before):
            now = self.dossier.now[at] if at < len(self.dossier.now) else base
            width = max(20, texts.size.width - 2)
            rows += [(("base", "title"), ("   what the sweep saw", "dim")), *wrap([(base.body, "dim")], width), ()]
            rows += [(("now", "title"), (f"   {base.entry_id}", "dim")), *wrap(_now(base, now, marks), width), ()]
        for why in self.dossier.drift:
            rows += wrap([(why, "dim")], max(20, texts.size.width - 2))
        texts.show(rows, keep=True)
        texts.styles.height = "1fr" if self.has_class("-wide") else len(rows) + 1
        width = max(20, proposed.size.width - 1)
        old = self.dossier.before[0].body if self.dossier.before else ""
        found: list[Line] = [(("proposed", "title"),)]
        for draft in self.dossier.after:
            found += wrap(changes(old, draft.body, marks), width)
        proposed.show(found if self.dossier.after else [*found, (("to be taken out", "removed"),)])
        heard: list[Line] = [(("evidence", "title"),)]
        for item in self.dossier.evidence:
            heard += wrap([(f"{who(item)}  ", "dim"), (f"“{item.text}”", "")], width)
        said.show(heard if self.dossier.evidence else [])

    @on(TextArea.Changed)
    def _count(self) -> None:
        """Tokens of the merged text against those of the stored one."""
        text = self.query_one("#text", TextArea).text
        now = next((draft.body for draft in self.dossier.now if draft), "")

        def came(tokens: tuple[int, int]) -> None:
            self.query_one("#count", Fitted).show([counted(*tokens, self.curator.settings)])

        def call(desk: "Desk") -> tuple[int, int]:
            return desk.tokens.count(text), desk.tokens.count(now)

        self.ask(call, came, lambda _: None, "count")

    def action_keep_now(self) -> None:
        """Reject the proposal."""
        self.dismiss(("reject", ()))

    def action_take_proposed(self) -> None:
        """The proposal's own text over what is stored."""
        if self._possible():
            self.dismiss(("accept", self.dossier.after))

    def action_accept_merged(self) -> None:
        """The merged text as it stands, once no choice is open in it."""
        if not self._possible():
            return
        text = self.query_one("#text", TextArea).text
        if "[<" in text and ">]" in text:
            self.say("both sides changed the same words: settle what stands between [< and >] first (tab)", "bad")
            return
        made = self.dossier.merged or self.dossier.after
        try:
            first = made[0].with_(body=text)
        except CuratorError as error:
            self.say(reason(error), "bad")
            return
        self.dismiss(("accept", (first, *made[1:])))

    def _possible(self) -> bool:
        if self._gone:
            self.say("there is no text to accept: keep what is stored, or send it back to the sweep", "bad")
            return False
        return True

    def action_send_back(self) -> None:
        """The next sweep looks at it again."""
        self.dismiss(("snooze", ()))

    def action_conflict_edit(self) -> None:
        """Into the merged text and out of it."""
        area = self.query_one("#text", TextArea)
        (self.query_one("#texts", Reading) if area.has_focus or not area.display else area).focus()

    def action_conflict_close(self) -> None:
        """Later."""
        self.dismiss(None)


def _now(base: Draft, now: Draft | None, marks: bool) -> list[Piece]:
    if now is None:
        return [("it is no longer in the memory", "bad")]
    return changes(base.body, now.body, marks)
