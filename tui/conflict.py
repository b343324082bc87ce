"""S6: what the sweep saw, what is stored now, what was proposed, and a merged text to edit. Nothing is overwritten.

Answers with `reject`, `accept` (and the drafts that stand on what was seen) or `snooze`.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import TextArea

from curator.desk.views import Dossier
from curator.draft import Draft
from curator.errors import CuratorError
from curator.vocab import OP_SIGNS
from tui.lines import Lines
from tui.page import changes
from tui.room import Room, bindings
from tui.text import Line, pad, piece, spread, wrap
from tui.wording import reason

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
        return spread((*left, piece(row.title)), (piece("; ".join(self.dossier.drift), "dim"),), width)

    def body(self) -> ComposeResult:
        """The three texts and the evidence; below, the merged one."""
        yield Lines(id="texts")
        yield Lines(id="merged-title", classes="one-line")
        yield TextArea(self._merged(), id="text", compact=True, soft_wrap=True, show_line_numbers=False)

    def _merged(self) -> str:
        made = self.dossier.merged or self.dossier.after
        return made[0].body if made else ""

    def on_mount(self) -> None:
        """The choices have the focus first, so that digits work."""
        self.query_one("#texts", Lines).focus()
        gone = not self.dossier.after or any(draft is None for draft in self.dossier.now)
        self.query_one("#text", TextArea).display = not gone
        self.query_one("#merged-title", Lines).show([] if gone else [(("merged, edit freely (tab)", "title"),)])
        self.say("nothing is overwritten until you choose")

    def on_resize(self) -> None:
        """Wrap for the present width."""
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        view = self.query_one("#texts", Lines)
        width = max(20, view.size.width - 1)
        marks = self.app.no_color
        rows: list[Line] = []

        def put(label: str, pieces: list[tuple[str, str]]) -> None:
            for at, line in enumerate(wrap(pieces, width - 10)):
                rows.append(((pad(label if at == 0 else "", 10), "title"), *line))
            rows.append(())

        after = self.dossier.after
        for at, base in enumerate(self.dossier.before):
            now = self.dossier.now[at] if at < len(self.dossier.now) else base
            put("base", [(base.body, "dim")])
            put(
                "now",
                [(f"{base.entry_id} is no longer in the memory", "bad")]
                if now is None
                else changes(base.body, now.body, marks),
            )
        for draft in after:
            old = self.dossier.before[0].body if self.dossier.before else ""
            put("proposed", changes(old, draft.body, marks))
        if not after:
            put("proposed", [("to be taken out", "removed")])
        for item in self.dossier.evidence:
            put(
                f"{item.speaker[:5]} #{item.seq}" if item.seq is not None else item.speaker[:9],
                [(f"“{item.text}”", "dim")],
            )
        view.show(rows, keep=True)
        view.styles.height = (
            "auto" if not self.query_one("#text", TextArea).display else min(len(rows), self.size.height - 12)
        )

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
        if not self.dossier.after or any(draft is None for draft in self.dossier.now):
            self.say("there is no text to accept: keep what is stored, or send it back to the sweep", "bad")
            return False
        return True

    def action_send_back(self) -> None:
        """The next sweep looks at it again."""
        self.dismiss(("snooze", ()))

    def action_conflict_edit(self) -> None:
        """Into the merged text and out of it."""
        area = self.query_one("#text", TextArea)
        if area.has_focus or not area.display:
            self.query_one("#texts", Lines).focus()
        else:
            area.focus()

    def action_conflict_close(self) -> None:
        """Later."""
        self.dismiss(None)
