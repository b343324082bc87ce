"""Which entries a text may stand to in some relation: the union of full text and, where vectors exist, of meaning.

Owns the nomination only. Similarity nominates and never decides.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text as sql
from sqlmodel import Session, col, select

from curator.draft import Draft
from curator.store import entries, index
from curator.store.tables import Entry
from curator.store.words import loose_words
from curator.sweep.compare import content, frequencies
from curator.sweep.pool import likeness
from curator.sweep.slots import STOP, tokens
from curator.vocab import Origin

WORDS = 8
"""The rarest words of a text that the index is asked for: more cost time and find little."""

LEAST = 0.2
"""Entries that share less than this share of words are not related further."""


@dataclass(frozen=True)
class Known:
    """An entry as the sweep sees it. `text` is what is compared."""

    entry_id: str
    rev: int
    draft: Draft
    text: str
    origin: str
    tokens: int
    pinned: bool
    fingerprint: str
    words: Counter[str]
    at: datetime

    @property
    def target(self) -> dict[str, object]:
        """How a proposal names it."""
        return {"entry_id": self.entry_id, "rev": self.rev, "content_hash": self.draft.content_hash}

    @property
    def evidence(self) -> dict[str, Any]:
        """How a proposal quotes it."""
        told = f"{self.entry_id}: {self.text}"[:600]
        return {"speaker": "memory", "at": self.at.isoformat(), "string": told, "origin": self.origin}

    @property
    def trust(self) -> Origin:
        """Its origin; unverified where none is known."""
        return Origin(self.origin) if self.origin else Origin.UNVERIFIED


class Nominator:
    """Finds active entries near a text within one read; keeps what it loaded and counted."""

    def __init__(self, session: Session, project_id: str) -> None:
        self._session, self._project_id = session, project_id
        self._known: dict[str, Known | None] = {}
        self._counts: dict[str, int] = {}
        self._counting = session.get_bind().dialect.name == "sqlite"
        if self._counting:
            session.connection().exec_driver_sql(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.sweep_words USING fts5vocab(main, entry_words, row)"
            )

    def near(self, text: str, limit: int = 8, more: Sequence[str] = ()) -> list[tuple[Known, float]]:
        """Active entries with their likeness 0..1, best first; `more` are ids nominated by meaning."""
        words = self._rarest(text)
        ids = [
            entry_id
            for entry_id, _ in index.match(self._session, self._project_id, words, every=False, limit=limit + 4)
        ]
        mine = content(tokens(text))
        ids = list(dict.fromkeys([*ids, *more]))
        self.load(ids)
        found = [(known, likeness(mine, known.words)) for each in ids if (known := self._known[each]) is not None]
        kept = [each for each in found if each[1] >= LEAST or each[0].entry_id in more]
        return sorted(kept, key=lambda each: (-each[1], each[0].entry_id))[:limit]

    def entry(self, entry_id: str) -> Known | None:
        """The active entry of that id."""
        if entry_id not in self._known:
            self.load([entry_id])
        return self._known[entry_id]

    def load(self, entry_ids: Sequence[str]) -> None:
        """Read several entries at once."""
        wanted = [entry_id for entry_id in entry_ids if entry_id not in self._known]
        self._known |= dict.fromkeys(wanted)
        labels = entries.labels_of(self._session, self._project_id, wanted)
        for start in range(0, len(wanted), 500):
            rows = self._session.exec(
                select(Entry).where(
                    Entry.project_id == self._project_id,
                    col(Entry.entry_id).in_(wanted[start : start + 500]),
                    Entry.state == "active",
                )
            )
            for row in rows:
                self._known[row.entry_id] = known(row, labels[row.entry_id])
                self._session.expunge(row)

    def _rarest(self, text: str) -> list[tuple[str]]:
        candidates = [word for word in loose_words(text[:4000]) if len(word) > 1 and word not in STOP][:60]
        candidates.sort(key=lambda word: (self._count(word), -len(word), word))
        return [(word,) for word in candidates if self._count(word)][:WORDS]

    def _count(self, word: str) -> int:
        """In how many entries a word stands; without a counting index its everyday frequency stands in."""
        if not self._counting:
            return 1 + int(1000 * (1 - frequencies().get(word.lstrip("~"), 1.0)))
        if word not in self._counts:
            statement = sql("SELECT doc FROM temp.sweep_words WHERE term = :word")
            self._counts[word] = self._session.connection().execute(statement, {"word": word}).scalar() or 0
        return self._counts[word]


def known(row: Entry, labels: Sequence[str]) -> Known:
    """An entry's row as the sweep sees it."""
    draft = entries.draft_of(row, labels)
    text = comparable(draft.title, draft.body)
    words = content(tokens(text))
    return Known(
        row.entry_id, row.rev, draft, text, row.origin, row.tokens, row.pinned, row.fingerprint, words, row.updated_at
    )


def comparable(title: str, body: str) -> str:
    """A draft's text for comparing: the body, and before it a title that the body does not begin with."""
    start = title.rstrip("…").strip().lower()
    return body if not start or start in body.lower()[: len(start) + 40] else f"{title}. {body}"
