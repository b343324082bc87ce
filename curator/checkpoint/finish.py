"""The last step of every checkpoint: its text, its size, and whether it is worth having.

Owns the refusal of a checkpoint that is no smaller than what it replaces, and the stop after two that did not help.
"""

from collections.abc import Sequence

from curator.checkpoint.assembly import Sources, assembled
from curator.checkpoint.limits import Window
from curator.checkpoint.record import Row, weight
from curator.checkpoint.value import Checkpoint, MadeBy
from curator.ports import Count

SMALL = 1_000
"""Tokens up to which size is no objection: the frame and the headings alone outweigh a short talk."""

UNPRODUCTIVE = 2
"""Checkpoints of one run that failed or did not help, after which none is tried in it again."""


def finished(value: Checkpoint, window: Window, count: Count, sources: Sources) -> Checkpoint:
    """The checkpoint with its text."""
    text = assembled(value, window, count, sources)
    return value.with_text(text, count(text))


def bloated(value: Checkpoint, before: Checkpoint | None, rows: Sequence[Row], count: Count) -> str:
    """One sentence when a finished checkpoint is not smaller than what it replaces; empty otherwise.

    It replaces the text before it and the rows it moves out. A hook's is never refused: its words must be kept.
    """
    if value.made_by is MadeBy.HOOK or value.tokens <= SMALL:
        return ""
    since = before.through if before else 0
    moved = sum(weight(row, count) for row in rows if since < row.seq <= value.through and row.seq not in value.kept)
    replaced = moved + (before.tokens if before else 0)
    if value.tokens < replaced:
        return ""
    return f"the checkpoint has {value.tokens} tokens and would replace {replaced}: it saves nothing"


def productive(value: Checkpoint, window: Window, margin: float) -> bool:
    """Did it help? Not if the result alone still fills three quarters of the threshold."""
    return value.tokens * margin < 0.75 * window.threshold


def may_try(helped: Sequence[bool]) -> bool:
    """May a run try another checkpoint? `helped` are its attempts so far, in order."""
    return len(helped) < UNPRODUCTIVE or any(helped[-UNPRODUCTIVE:])
