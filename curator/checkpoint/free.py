"""A checkpoint without a model: words are never lost, whatever the client compresses away.

Owns what a hook can say by itself: the previous mind with its age, all of the person's undecided messages ranked by
what they carry, the last turns, files, git. It decides nothing: a later checkpoint offers the same messages again.
"""

from collections.abc import Sequence
from dataclasses import replace

from curator.checkpoint import now as nows
from curator.checkpoint.facts import collected, quoted, said
from curator.checkpoint.frame import harmless
from curator.checkpoint.limits import Window
from curator.checkpoint.record import Row, running_start
from curator.checkpoint.share import cut
from curator.checkpoint.value import Checkpoint, MadeBy
from curator.plain import one_line
from curator.ports import Count
from curator.vocab import Row as Kind

FEW = 3
"""With fewer new messages of the person since a written now, that now is kept: it says more than we could."""

_QUOTE = 120
_REPLY = 60
_REPLIES = 3


def built(
    rows: Sequence[Row], before: Checkpoint | None, window: Window, count: Count, git: str = ""
) -> Checkpoint | None:
    """The checkpoint of what is there, or None where nothing was said since the one before.

    `git` is one line on head, branch and uncommitted files. The text is still to be assembled.
    """
    rows = [row for row in rows if row.kind is not Kind.CHECKPOINT]
    words = said(rows, rows[-1].seq if rows else 0)
    fresh = [seq for seq in words if not before or seq > before.through]
    if not rows or (before and not any(row.seq > before.through for row in rows)) or not (words or before):
        return None
    value = collected(
        rows,
        before,
        through=rows[-1].seq,
        made_by=MadeBy.HOOK,
        window=window,
        count=count,
        running=rows[running_start(rows) :],
    )
    carried = before.memo if before else ()
    undecided = [seq for seq in words if not before or seq > before.offered or seq in before.kept]
    running = {word.seq for word in value.running}
    shown = quoted(words, sorted({*carried, *undecided} - running), window, count)
    keep_now = before is not None and before.made_by is not MadeBy.HOOK and len(fresh) < FEW
    return replace(
        value,
        mind=before.mind if before else "",
        mind_through=before.mind_through if before else 0,
        memo=carried,
        offered=before.offered if before else 0,
        kept=before.kept if before else (),
        words=shown.words,
        left_out=shown.left_out,
        now=before.now if before and keep_now else _now(rows, value, count, git),
    )


def _now(rows: Sequence[Row], value: Checkpoint, count: Count, git: str) -> str:
    """A now in the usual form, from the last turns; it claims no more than it can know."""
    latest = value.request
    request = (
        f"The person's latest message (#{latest.seq}): {_flat(latest.text, _QUOTE, count)}" if latest else nows.NONE
    )
    replies = [row for row in rows if row.kind is Kind.RESPONSE and row.text.strip()][-_REPLIES:]
    said_last = "\n".join(f"- reply #{row.seq}: {_flat(row.text, _REPLY, count)}" for row in replies)
    blocks = {
        nows.CURRENT: f"{request}\n(Collected without a model at #{value.through}: check before relying on it.)",
        "### In progress": said_last,
        nows.NEXT: f"- answer or finish #{latest.seq}, quoted above" if latest else "",
        nows.REFERENCES: f"- git: {_flat(git, _REPLY, count)}" if git else "",
    }
    bare = ("# 6. Now", "## Progress")
    return "\n".join(h if h in bare else f"{h}\n{blocks.get(h) or nows.NONE}" for h in nows.HEADINGS)


def _flat(text: str, limit: int, count: Count) -> str:
    """A beginning of the text on one line, so that nothing in it can be a heading."""
    flat = harmless(one_line(text[: limit * 16]))
    kept = cut(flat, limit, count)
    return kept if kept == flat and len(text) <= limit * 16 else f"{kept.rstrip()} …"
