"""What of a record stands in the window: the inputs left in place, the newest checkpoint's text, the rows after it.

Owns the view for a loop of one's own, at the end of the record or anchored earlier (a fork, a rewind), and the
estimate of what a request weighs. Rows are only read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curator.checkpoint.record import Row, weight
from curator.checkpoint.value import Checkpoint
from curator.ports import Tokens
from curator.vocab import Row as Kind


@dataclass(frozen=True)
class View:
    """`inputs` stand verbatim before `text`; `rows` follow it. Without a checkpoint all rows are in `rows`."""

    inputs: tuple[Row, ...]
    checkpoint: Checkpoint | None
    rows: tuple[Row, ...]


def view(rows: Sequence[Row], checkpoints: Mapping[int, Checkpoint], anchor: int | None = None) -> View:
    """The window at `anchor` (a record number, the end if None). `checkpoints` are by the number of their own row."""
    seen = [row for row in rows if anchor is None or row.seq <= anchor]
    made = [row.seq for row in seen if row.kind is Kind.CHECKPOINT and row.seq in checkpoints]
    talk = [row for row in seen if row.kind is not Kind.CHECKPOINT]
    if not made:
        return View((), None, tuple(talk))
    newest = checkpoints[made[-1]]
    return View(
        tuple(row for row in talk if row.seq in newest.kept),
        newest,
        tuple(row for row in talk if row.seq > newest.through),
    )


@dataclass(frozen=True)
class Anchor:
    """A provider's own count of a request: `used` tokens for everything through row `seq`, by one model.

    `checkpoint` is the number summarised then; another checkpoint or model makes the anchor worthless.
    """

    used: int
    seq: int
    model: str
    checkpoint: int = 0


def pressure(seen: View, tokens: Tokens, model: str = "", anchor: Anchor | None = None, fixed: int = 0) -> int:
    """Tokens that the next request will take, in the model's own measure.

    From the anchor on only what came after it is counted; without a valid one everything is. `fixed` is what does not
    belong to the conversation (system prompt, tools), already in the model's measure.
    """
    through = seen.checkpoint.through if seen.checkpoint else 0
    rows = (*seen.inputs, *seen.rows)
    same = anchor and (anchor.model, anchor.checkpoint) == (model, through)
    if anchor and same and any(row.seq == anchor.seq for row in rows):
        return anchor.used + _scaled(sum(weight(row, tokens.count) for row in rows if row.seq > anchor.seq), tokens)
    total = sum(weight(row, tokens.count) for row in rows) + (seen.checkpoint.tokens if seen.checkpoint else 0)
    return fixed + _scaled(total, tokens)


def _scaled(raw: int, tokens: Tokens) -> int:
    return -int(-raw * tokens.margin // 1)
