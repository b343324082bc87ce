"""What the ledger takes and gives: who decides, what was shown, what came of each item."""

from dataclasses import dataclass
from datetime import datetime

from curator.ports import Tokens


@dataclass(frozen=True)
class Who:
    """The person who decides and the way: terminal, key, demo, browser, sync."""

    reviewer: str
    via: str


@dataclass(frozen=True)
class Frame:
    """What every decision of one call shares."""

    project_id: str
    who: Who
    now: datetime
    tokens: Tokens


@dataclass(frozen=True)
class Shown:
    """What the person saw when deciding: the proposal and its revision."""

    proposal_id: str
    rev: int


@dataclass(frozen=True)
class Item:
    """What happened to one proposal or entry in a decision: `done`, or why not.

    `outcome` is a past participle when done (`accepted`, `rejected`, …); else `stale` (the proposal was revised since
    it was shown), `rebased` (a target changed elsewhere; the proposal now stands on it and waits), `conflict` (a
    target changed in the same words), `gone` (a target or the proposal is no longer there), `decided` (somebody decided
    before), `exists` (the memory already says this) or `refused`. `detail` is a sentence for the person.
    """

    id: str
    done: bool
    outcome: str
    entry_id: str = ""
    detail: str = ""


def name(seq: int) -> str:
    """A decision's name for people: `D-0012`."""
    return f"D-{seq:04d}"
