"""S7: one proposal cut into several by lines that hold only `---`, each with the evidence that speaks for it."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import TextArea

from curator.desk.texts import parts_of
from curator.desk.views import Dossier
from curator.draft import Draft
from curator.errors import CuratorError
from curator.plain import clean
from curator.vocab import OP_SIGNS
from tui.field import Reading
from tui.room import Room, bindings
from tui.sections import who
from tui.text import Line, Piece, piece, spread, wrap
from tui.wording import reason

Parts = tuple[tuple[Draft, ...], tuple[tuple[int, ...], ...]]


class SplitScreen(Room[Parts]):
    """Answers with the parts and, for each, the positions of its evidence."""

    SCOPE = "split"
    BINDINGS: ClassVar[list[BindingType]] = bindings("split")

    def __init__(self, dossier: Dossier) -> None:
        super().__init__()
        self.dossier = dossier
        self.whole = dossier.after[0]
        self.without: dict[int, set[int]] = {}
        self.choosing = 0

    def head(self, width: int) -> Line:
        """Which proposal."""
        row = self.dossier.row
        left: Line = (
            ("split ", "bold"),
            (row.proposal_id, "dim"),
            (f"  {OP_SIGNS[row.op]} {row.op.value}  ", f"op-{row.op.value}"),
        )
        return spread((*left, piece(row.title)), (("parts are separated by a line ---", "dim"),), width)

    def body(self) -> ComposeResult:
        """The parts as they would be, and the text to cut."""
        with Horizontal(id="split-body"):
            yield Reading(id="parts", classes="left")
            with Vertical(id="fields", classes="right"):
                yield TextArea(clean(self.whole.body), id="text", compact=True, soft_wrap=True, show_line_numbers=False)

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one("#text", TextArea).focus()

    @on(TextArea.Changed)
    @on(TextArea.SelectionChanged)
    def redraw(self) -> None:
        """The parts as they stand now."""
        view = self.query_one("#parts", Reading)
        width = max(20, view.size.width - 1)
        parts, here = self.parts(), self._here()
        rows: list[Line] = []
        for at, part in enumerate(parts):
            mark = "›" if at == here else " "
            rows.append(((f"{mark} {at + 1}  ", "accent"), (part.kind.value, "dim"), (f" → {part.route.value}", "dim")))
            rows += wrap([piece(part.title, "bold")], width, "     ")
            ticks: list[Piece] = []
            for number, item in enumerate(self.dossier.evidence):
                ticked = number not in self.without.get(at, set())
                ticks += [("[x] " if ticked else "[ ] ", "accent" if ticked else "dim"), (f"{who(item)}   ", "dim")]
            rows += wrap(ticks, width, "     ") if ticks else []
            rows.append(())
        view.show(rows, keep=True)
        view.styles.height = "1fr" if self.has_class("-wide") else min(len(rows), self.size.height // 2)
        if len(parts) < 2:
            self.say("put a line with only --- between two thoughts")
        else:
            self.say(f"{len(parts)} parts come back to the queue, still pending")

    def on_resize(self) -> None:
        """Wrap for the present width."""
        self.call_after_refresh(self.redraw)

    def parts(self) -> tuple[Draft, ...]:
        """The drafts that the text makes; empty blocks are dropped."""
        return parts_of(self.whole, self.query_one("#text", TextArea).text)

    def _here(self) -> int:
        area = self.query_one("#text", TextArea)
        above = "\n".join(area.text.split("\n")[: area.cursor_location[0] + 1])
        return max(0, len(parts_of(self.whole, above + "\nx")) - 1)

    def action_split_evidence(self) -> None:
        """Take the next piece of evidence from the part at the cursor; after the last all are there again."""
        if not self.dossier.evidence:
            self.say("there is no evidence to share out")
            return
        here = self._here()
        gone = self.without.setdefault(here, set())
        free = [number for number in range(len(self.dossier.evidence)) if number not in gone]
        if len(free) > 1:
            gone.add(free[0])
        else:
            gone.clear()
        self.redraw()

    def action_split_do(self) -> None:
        """Make the parts."""
        parts = self.parts()
        if len(parts) < 2:
            self.say("one part is no split: put a line with only --- between two thoughts", "bad")
            return
        every = range(len(self.dossier.evidence))
        shares = tuple(tuple(n for n in every if n not in self.without.get(at, set())) for at in range(len(parts)))
        self.dismiss((parts, shares))

    def action_split_editor(self) -> None:
        """Go on in `$EDITOR`."""
        area = self.query_one("#text", TextArea)
        try:
            area.load_text(clean(self.curator.edit_text(area.text)))
        except CuratorError as error:
            self.say(reason(error), "bad")

    def action_split_close(self) -> None:
        """Leave it whole."""
        self.dismiss(None)
