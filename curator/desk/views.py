"""The values that the desk hands to a person's interface, and the ones it takes. Frozen; no rows, no SQL.

Owns the shapes only. Times are UTC; texts are as stored (show them through `curator.plain`).
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from curator.draft import Draft
from curator.ledger.values import Item, Shown
from curator.vocab import Kind, Op, Origin, ProposalState, Relation, Route, Verb

__all__ = [
    "Anchor",
    "Change",
    "Dossier",
    "Entry",
    "Evidence",
    "Filter",
    "Item",
    "Line",
    "Listed",
    "LogLine",
    "Lost",
    "Outcome",
    "Picked",
    "Preview",
    "Queue",
    "Row",
    "Sheet",
    "Shown",
    "Similar",
    "Summary",
]


@dataclass(frozen=True)
class Filter:
    """Which proposals: empty fields do not narrow. `words` match title and texts, all of them, case-folded.

    `marks` are `conflict`, `edited`, `snoozed`, `warned`; `without` the same words negated.
    """

    op: Op | None = None
    kind: Kind | None = None
    route: Route | None = None
    labels: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    at_least: float | None = None
    below: float | None = None
    marks: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A line of the queue. `rev` is what a decision names; `conflict` says that a target changed since the sweep."""

    proposal_id: str
    rev: int
    op: Op
    state: ProposalState
    kind: Kind
    route: Route
    title: str
    confidence: float
    harm: float
    token_effect: int
    labels: tuple[str, ...]
    group: str
    conflict: bool
    edited: bool
    warnings: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True)
class Queue:
    """Rows by harm if wrong, then confidence; related ones together. Counts are of all, not of the filter.

    `blocked` repeats of what was refused were kept out; the last of those refusals was made at `refused_at`.
    """

    rows: tuple[Row, ...]
    waiting: int
    snoozed: int
    decided: int
    by_op: dict[Op, int]
    conflicts: int
    blocked: int
    refused_at: datetime | None
    oldest: datetime | None
    sweep: int
    swept_at: datetime | None
    minutes_left: float
    next_tokens: int
    budget: int

    def asides(self, oldest: str) -> tuple[str, ...]:
        """What else is worth knowing, most useful first; `oldest` says in the caller's words when the oldest came."""
        found = [
            (bool(self.waiting and self.minutes_left), f"about {max(1, round(self.minutes_left))} min"),
            (self.oldest is not None, f"oldest {oldest}"),
            (bool(self.snoozed), f"{self.snoozed} snoozed"),
        ]
        return tuple(text for holds, text in found if holds)

    @property
    def repeats(self) -> str:
        """What came again after it was refused; "" when nothing did."""
        said = "repeat" if self.blocked == 1 else "repeats"
        return f"{self.blocked} {said} of what you refused" if self.blocked else ""


@dataclass(frozen=True)
class Listed:
    """A proposal with its texts, for a whole list at once."""

    row: Row
    relation: Relation | None
    reason: str
    targets: tuple[str, ...]
    before: tuple[Draft, ...]
    after: tuple[Draft, ...]


@dataclass(frozen=True)
class Evidence:
    """Where a proposal's text comes from, exactly."""

    speaker: str
    origin: Origin
    text: str
    client: str = ""
    session: str = ""
    seq: int | None = None
    at: datetime | None = None
    checkpoint: str = ""
    part: str = ""
    file: str = ""


@dataclass(frozen=True)
class Similar:
    """A related entry, with the score that nominated it (0..1; it never decided anything)."""

    entry_id: str
    title: str
    route: Route
    score: float
    updated_at: datetime | None = None


@dataclass(frozen=True)
class Lost:
    """A number, date, path, flag, negation or name of a source that the result lacks; `context` is where it stood."""

    kind: str
    text: str
    context: str = ""


@dataclass(frozen=True)
class Anchor:
    """A cited path, symbol, command or commit and whether it still holds: FRESH, MOVED, STALE, UNKNOWN."""

    ref: str
    state: str
    lines: str = ""


@dataclass(frozen=True)
class Change:
    """One revision in an entry's history."""

    rev: int
    at: datetime
    by: str
    what: str


@dataclass(frozen=True)
class Dossier:
    """Everything a reviewer sees of one proposal.

    `now` stands beside `before`, item by item: the same draft where nothing changed, None where the entry left the
    memory. With a conflict, `drift` says in sentences what changed, and `merged` is `after` made again on `now`; a
    text that both sides changed stands in it as `[<now|proposed>]`. `chain` are earlier statements of the same fact,
    newest first: accepted, they are the entry's history.
    """

    row: Row
    relation: Relation | None
    reason: str
    before: tuple[Draft, ...]
    after: tuple[Draft, ...]
    now: tuple[Draft | None, ...]
    merged: tuple[Draft, ...]
    drift: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    similar: tuple[Similar, ...]
    lost: tuple[Lost, ...]
    anchors: tuple[Anchor, ...]
    history: tuple[Change, ...]
    rejected_before: str = ""
    blocked: int = 0
    hidden: bool = False
    expires_at: datetime | None = None
    chain: tuple[Draft, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """A decision's report. `decision` is its ledger number (None when nothing was done)."""

    verb: Verb
    decision: int | None
    items: tuple[Item, ...]
    next_tokens: int = 0

    @property
    def complete(self) -> bool:
        """Was everything done?"""
        return all(item.done for item in self.items)


@dataclass(frozen=True)
class Entry:
    """An entry as a person reads it."""

    entry_id: str
    rev: int
    draft: Draft
    state: str
    origin: Origin
    pinned: bool
    tokens: int
    created_at: datetime
    updated_at: datetime
    verified_at: datetime
    superseded_by: str = ""
    reason: str = ""
    anchor_state: str = ""
    source: dict[str, Any] = field(default_factory=dict)
    history: tuple[Change, ...] = ()


@dataclass(frozen=True)
class LogLine:
    """A decision in the ledger."""

    seq: int
    at: datetime
    verb: Verb
    reviewer: str
    via: str
    proposals: tuple[str, ...]
    entries: tuple[str, ...]
    reason: str
    comment: str
    undone_by: int | None
    undoes: int | None
    summary: str


@dataclass(frozen=True)
class Summary:
    """What was decided since a moment, and what it does to the next session."""

    accepted: dict[Op, int]
    rejected: dict[str, int]
    edited: int
    snoozed: int
    conflicts: int
    left: int
    tokens_before: int
    tokens_now: int
    memories_before: int
    memories_now: int
    deferred_before: int
    deferred_now: int
    budget: int


@dataclass(frozen=True)
class Line:
    """One row of a kept conversation; `cited` marks the one that the evidence names."""

    seq: int
    kind: str
    typed: str
    at: datetime | None
    text: str
    cited: bool


@dataclass(frozen=True)
class Sheet:
    """What a bulk would do, before it is confirmed: its rows, what is left out and why, tokens added."""

    rows: tuple[Row, ...]
    left_out: dict[str, int]
    token_effect: int


@dataclass(frozen=True)
class Picked:
    """An entry in the ranking of the next session: `why` names its factors, or why it was left out."""

    entry_id: str
    title: str
    tokens: int
    score: float
    why: str
    pinned: bool = False


@dataclass(frozen=True)
class Preview:
    """Exactly what the next session will be handed, the ranking behind it, and what did not fit."""

    text: str
    tokens: int
    budget: int
    size: int
    limit: int
    taken: tuple[Picked, ...]
    left: tuple[Picked, ...]
