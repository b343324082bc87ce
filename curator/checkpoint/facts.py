"""What a checkpoint holds that no model writes: words, the latest request, files, skills.

Owns the union rule: every such fact is carried from the checkpoint before and added to, never found anew from the
last part of the record alone, because what it lost would be lost.
"""

from collections.abc import Iterable, Sequence

from curator.checkpoint.limits import Window
from curator.checkpoint.record import Row
from curator.checkpoint.skills import loaded
from curator.checkpoint.touched import Touched, touched
from curator.checkpoint.value import Checkpoint, MadeBy
from curator.checkpoint.words import Shown, Word, fitted
from curator.ports import Count


def collected(
    rows: Sequence[Row],
    before: Checkpoint | None,
    *,
    through: int,
    made_by: MadeBy,
    window: Window,
    count: Count,
    running: Sequence[Row] = (),
) -> Checkpoint:
    """A checkpoint up to `through` with its facts, and mind, memo and now still to come.

    `running` are the rows of the running turn whose messages the text must quote.
    """
    words = said(rows, rows[-1].seq if rows else 0)
    fresh = [row for row in rows if (before.through if before else 0) < row.seq <= through]
    latest = max(words, default=0)
    return Checkpoint(
        through=through,
        made_by=made_by,
        running=fitted([Word(row.seq, row.said) for row in running if row.by_person], window.memo, count).words,
        request=fitted([Word(latest, words[latest])], window.tokens, count).words[0] if latest else None,
        touched=touched(before.touched if before else Touched(), fresh),
        skills=loaded(before.skills if before else (), fresh),
    )


def said(rows: Iterable[Row], through: int) -> dict[int, str]:
    """The person's messages by number, up to `through`."""
    return {row.seq: words for row in rows if row.seq <= through and (words := row.said).strip()}


def quoted(words: dict[int, str], numbers: Iterable[int], window: Window, count: Count) -> Shown:
    """The messages with these numbers, copied from the record into the memo's room."""
    return fitted([Word(seq, words[seq]) for seq in numbers if seq in words], window.memo, count)
