"""The queue on the left: one row a proposal, drawn only where it is in view."""

from textual.geometry import Size

from tui.board import Board
from tui.lines import Lines
from tui.page import queue_line
from tui.text import Line


class QueueList(Lines):
    """Rows of a `Board`; the cursor is the highlighted proposal."""

    def __init__(self, board: Board, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
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
