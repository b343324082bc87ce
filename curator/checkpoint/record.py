"""The kept conversation as the engine sees it: rows, units, cuts, and what a cut moves out.

Owns where a conversation may be cut and which inputs belong to the running turn. Rows are append-only: nothing here
changes one. A *unit* is one input, or one response with all results of its tool calls.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from curator.checkpoint.frame import without_frames
from curator.ports import Count
from curator.vocab import Row as Kind
from curator.vocab import Typed

BYTES_A_TOKEN = 4
"""Tool output is not kept; what it weighed in the window is told from its size in bytes."""


@dataclass(frozen=True)
class Row:
    """One row of a session. `seq` increases; `unit` is the same for a response and the results of its calls.

    `label` is the provenance line of an input that is not a person's. For a tool result `name` is the tool and
    `size` the bytes of its output. `files` holds `read` and `written` paths, `skill` the name of a skill loaded.
    `tokens` is the raw count of `text`, 0 where it was not counted yet.
    """

    seq: int
    kind: Kind
    text: str = ""
    typed: Typed = Typed.MACHINE
    unit: int = 0
    label: str = ""
    name: str = ""
    size: int = 0
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    skill: str = ""
    tokens: int = 0

    @property
    def by_person(self) -> bool:
        """Did the person type it?"""
        return self.kind is Kind.INPUT and self.typed.by_person

    @property
    def said(self) -> str:
        """The person's own words in it, without blocks that we injected; empty for a machine's input."""
        return without_frames(self.text) if self.by_person else ""


def weight(row: Row, count: Count) -> int:
    """Raw tokens that a row takes in the window."""
    return (row.tokens or (count(row.text) if row.text else 0)) + row.size // BYTES_A_TOKEN


def positions(rows: Sequence[Row]) -> list[int]:
    """Indices before which a cut may fall: no unit has rows on both sides. 0 is one of them when there are rows."""
    last = {row.unit: at for at, row in enumerate(rows) if row.kind is not Kind.CHECKPOINT}
    found, open_until = [], -1
    for at, row in enumerate(rows):
        if row.kind is Kind.CHECKPOINT:
            continue
        if at > open_until:
            found.append(at)
        open_until = max(open_until, last[row.unit])
    return found


def running_start(rows: Sequence[Row], idle: bool = False) -> int:
    """Index of the first row of the running turn; `len(rows)` when the agent is idle or nothing was said.

    A turn begins with the first input after a response that called no tool. A message typed while the agent works
    belongs to the running turn. A last response is taken as unfinished unless `idle`: its calls may be under way.
    """
    calling = {row.unit for row in rows if row.kind is Kind.TOOL_RESULT}
    start, settled = len(rows), True
    for at, row in enumerate(rows):
        if row.kind is Kind.INPUT and settled:
            start, settled = at, False
        elif row.kind is Kind.RESPONSE:
            settled = row.unit not in calling
        elif row.kind is Kind.TOOL_RESULT:
            settled = False
    return len(rows) if idle and settled else start


@dataclass(frozen=True)
class Cut:
    """Where a conversation is cut: rows before index `at` move out, except the running turn's inputs, `kept`.

    `kept` are their numbers, in order; they stand verbatim before the checkpoint's text and win over it.
    """

    at: int
    kept: tuple[int, ...] = ()


def cut(rows: Sequence[Row], keep: int, count: Count, *, after: int = 0, idle: bool = False) -> Cut | None:
    """The cut that leaves the longest run of whole units within `keep` tokens, never less than the last unit.

    `after` is the last number that an earlier checkpoint summarised: a cut never falls at or before it, so never
    between inputs that it kept. None where a cut would move out nothing, or only inputs of the running turn.
    """
    allowed = [at for at in positions(rows) if at == 0 or rows[at - 1].seq >= after]
    if not allowed:
        return None
    chosen, size, end = allowed[-1], 0, len(rows)
    for at in reversed(allowed):
        size += sum(weight(row, count) for row in rows[at:end])
        if size > keep and end < len(rows):
            break
        chosen, end = at, at
    start = running_start(rows, idle)
    moved = [row for row in rows[:chosen] if row.seq > after and row.kind is not Kind.CHECKPOINT]
    kept = tuple(row.seq for row in rows[start:chosen] if row.kind is Kind.INPUT)
    return Cut(chosen, kept) if any(row.seq not in kept for row in moved) else None


def released(rows: Sequence[Row], made: Cut, after: int, kept_before: Sequence[int]) -> list[Row]:
    """What a cut moves out of the person's words: newly passed, or kept in place by an earlier cut and now let go."""
    border = rows[made.at].seq if made.at < len(rows) else rows[-1].seq + 1
    return [
        row
        for row in rows
        if row.by_person and row.seq not in made.kept and (after < row.seq < border or row.seq in kept_before)
    ]
