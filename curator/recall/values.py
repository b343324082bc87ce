"""What a search takes and gives. Frozen values; texts are as stored."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from curator.store.search import Filters


@dataclass(frozen=True)
class Query:
    """A search: `text` None lists by filters alone. `limit` 0 gives all hits."""

    text: str | None = None
    filters: Filters = field(default_factory=Filters)
    title_only: bool = False
    similar: bool = False
    limit: int = 20


@dataclass(frozen=True)
class Hit:
    """One line of an answer: an index, not the knowledge. `score` is 0 where nothing was ranked."""

    entry_id: str
    title: str
    kind: str
    route: str
    state: str
    labels: tuple[str, ...]
    updated_at: datetime
    excerpt: str = ""
    score: float = 0.0
    scope: str = "project"


@dataclass(frozen=True)
class Answer:
    """Hits and how to read them.

    `total` counts all matches, so `total - len(hits)` were cut. `partial`: no entry held all words, these hold some.
    `empty`: no entry at all is in the state asked for, so that "nothing stored" and "nothing found" differ.
    `notes` are sentences a person must see: words only because …, best score below the threshold, unknown label.
    """

    hits: tuple[Hit, ...]
    total: int
    empty: bool = False
    partial: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Whole:
    """An entry in full, with its history; `value` is the entry's document."""

    entry_id: str
    value: dict[str, Any]
    history: tuple[dict[str, Any], ...]
