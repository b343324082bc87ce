"""The queue on the left: one row a proposal, drawn only where it is in view."""

from textual.geometry import Size

from curator.desk.views import Row
from curator.vocab import OP_SIGNS
from tui.board import Board
from tui.lines import Lines
from tui.text import Line, piece, score, spread


class QueueList(Lines):
    """Rows of a `Board`; the cursor is the highlighted proposal."""

    def __init__(self, board: Board, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.board = board
        self.match_words: tuple[str, ...] = ()

    def rows_changed(self) -> None:
        """The board has other rows: draw all that is in view."""
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.board))
        self.refresh()

    def count(self) -> int:
        """Rows on the board."""
        return len(self.board)

    def line(self, y: int) -> Line:
        """The row at its present state."""
        row = self.board.at(y)
        if row is None:
            return ()
        marked = row.proposal_id in self.board.marks
        width = self.scrollable_content_region.width
        return queue_line(row, self.board.sign(row), marked, y == self.cursor, width, self.matches(y))

    def matches(self, y: int) -> bool:
        """Does the row's title hold the filter's words?"""
        row = self.board.at(y)
        title = row.title.casefold() if row else ""
        return bool(self.match_words) and all(word.casefold() in title for word in self.match_words)


def queue_line(row: Row, sign: str, marked: bool, chosen: bool, width: int, match: bool = False) -> Line:
    """A row of the queue: cursor, mark, state, operation, kind, title and confidence in `width` cells."""
    style = {"v": "good", "r": "bad", "!": "warn", ".": ""}.get(sign, "dim")
    kind = {"root-cause": "cause", "correction": "correct", "research": "research", "decision": "decide"}.get(
        row.kind.value, row.kind.value
    )
    done = "dim" if sign in "vrz-/" else ""
    left: Line = (
        (">" if chosen else " ", "accent"),
        ("*" if marked else " ", "warn"),
        (f" {sign} ", style),
        (f"{OP_SIGNS[row.op]} ", done or f"op-{row.op.value}"),
        (f"{kind:9}", "dim"),
        piece(row.title, done or ("match" if match else "")),
    )
    return spread(left, ((f" {score(row.confidence)} ", "dim"),), width)
