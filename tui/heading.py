"""What stands above the queue: project, progress, counts, the next session, the filter, the neighbours. Pure.

Imports no Textual, because `opening` draws the first line before Textual is there."""

from datetime import datetime
from typing import TYPE_CHECKING

from curator.vocab import OP_SIGNS
from tui.text import Line, Piece, age, cells, fit, number, piece, spread

if TYPE_CHECKING:  # the first line is drawn before these are there
    from curator.desk.views import Queue
    from tui.board import Board

WIDE = 100
"""Columns from which queue and dossier stand side by side; a bar has two fewer."""


def header(queue: "Queue | None", project: str, now: datetime, width: int, marks: bool) -> Line:
    """The first line: where, how far, and what the next session would cost."""
    wide = width + 2 >= WIDE
    name: Line = (("curator", "accent"), ("  review  ", "bold"), piece(project, "dim"))
    if queue is None:
        return (*name, ("   reading the queue", "dim"))
    total = queue.waiting + queue.decided
    lefts = _lefts(name if wide else (("review", "bold"),), queue, age(queue.swept_at, now) if wide else "")
    if not total:
        return spread(lefts[0], (("0 waiting", "bold"),), width)
    over = "bad" if queue.next_tokens > queue.budget else ""
    right: Line = (
        (f"{queue.decided}/{total}", "bold"),
        (" done " if wide else " ", "dim"),
        *gauge(queue.decided, total, 20 if wide else 12, marks),
        ("    next session " if wide else "  ", "dim"),
        (number(queue.next_tokens), over),
        (f" / {number(queue.budget)} tok" if wide else f"/{number(queue.budget)} tok", "dim"),
    )
    room = width - cells(right) - 2
    return spread(next((left for left in lefts if cells(left) <= room), lefts[-1]), right, width)


def _lefts(name: Line, queue: "Queue", swept: str) -> list[Line]:
    """The left part from the longest form to the shortest."""
    sweep = f"   sweep {queue.sweep}"
    forms = [f"{sweep}, {swept}" if swept else sweep, sweep, ""] if queue.sweep else [""]
    return [(*name, (form, "dim")) for form in forms]


def gauge(done: int, total: int, size: int, marks: bool) -> Line:
    """A bar of `size` cells; with marks it can be read without colour."""
    filled = size * done // total if total else size
    if marks:
        return (("[" + "#" * filled + "." * (size - filled) + "]", ""),)
    return (("━" * filled, "good"), ("━" * (size - filled), "rule"))


def counts(queue: "Queue", filter_text: str, marked: int, now: datetime, width: int) -> Line:
    """The second line: what is left, by operation, and which part of it is shown."""
    wide = width + 2 >= WIDE
    left: Line = ((f"{queue.waiting} left", "bold"),)
    for op, count in queue.by_op.items():
        if count:
            left += ((f"   {OP_SIGNS[op]}", f"op-{op.value}"), (f" {count}", ""))
    if queue.conflicts:
        left += ((f"   ! {queue.conflicts}", "warn"),)
    right: Line = ((f"{marked} marked   ", "warn"),) if marked else ()
    right += (("filter ", "dim@screen.filter"), piece(filter_text or "none", "accent" if filter_text else "dim"))
    order: Line = (("   sort harm, confidence", "dim"),) if wide else ()
    for aside in _asides(queue, now):
        if cells((*left, aside, *right)) + 2 > width:
            break
        left += (aside,)
    if cells((*left, *right, *order)) + 2 <= width:
        right += order
    return spread(left, right, width)


def _asides(queue: "Queue", now: datetime) -> list[Piece]:
    """What else is worth knowing, most useful first; as much as there is room for is shown."""
    oldest = age(queue.oldest, now) if queue.oldest else ""
    return [(f"   {text}", "dim") for text in queue.asides(oldest)]


def repeats(queue: "Queue") -> str:
    """What came again after it was refused, and when that was."""
    if not queue.blocked:
        return ""
    when = f" on {queue.refused_at.astimezone():%d %b}" if queue.refused_at else ""
    return f"{queue.repeats}{when}, kept out"


def strip(board: "Board", at: int, width: int) -> Line:
    """Where the dossier stands in the queue: the neighbours' titles and the position between them."""
    before, after = board.at(at - 1), board.at(at + 1)
    middle = f" {at + 1} of {len(board)} "
    room = max(0, (width - len(middle)) // 2)
    left: Line = ()
    if before is not None:
        title = fit(piece(before.title)[0], room - 5)
        left = (("‹ ", "dim@screen.prev"), (f"{board.sign(before)} {title}", "dim@screen.prev"))
    right: Line = ()
    if after is not None:
        title = fit(piece(after.title)[0], room - 5)
        right = ((f"{OP_SIGNS[after.op]} {title}", "dim@screen.next"), (" ›", "dim@screen.next"))
    gap = (" " * (room - cells(left)), "")
    return spread((*left, gap, (middle, "bold")), right, width)
