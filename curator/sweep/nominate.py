"""Which entries a text may stand to in some relation: the union of full text and, where vectors exist, of meaning.

Owns the nomination only. Similarity nominates and never decides.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

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

ROWS = 12_000
"""Words are taken while they stand in no more entries than this in all, so that a note costs the same in any store."""

LEAST = 0.2
"""Entries that share less than this share of words are not related further."""


@dataclass(frozen=True)
class Known:
    """An entry as the sweep sees it. `text` is what is compared.

    `judged`: it came from a note, so a sweep chose its kind and a person approved it. `file` is the imported file
    that it stood in.
    """

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
    judged: bool
    file: str = ""

    @property
    def target(self) -> dict[str, object]:
        """How a proposal names it."""
        return {"entry_id": self.entry_id, "rev": self.rev, "content_hash": self.draft.content_hash}

    @property
    def evidence(self) -> dict[str, Any]:
        """How a proposal quotes it."""
        told = f"{self.entry_id}: {self.text}"[:600]
        return {"speaker": "memory", "at": self.at.isoformat(), "string": told, "origin": self.origin}

    def under(self, title: str) -> str:
        """Its text beside another of this title: a title that both have is a heading, and says nothing of either."""
        return self.draft.body if title == self.draft.title else self.text

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
        kept.sort(key=lambda each: (-each[1], each[0].entry_id))
        return [each for n, each in enumerate(kept) if n < limit or each[0].entry_id in more]

    def entry(self, entry_id: str) -> Known | None:
        """The active entry of that id."""
        if entry_id not in self._known:
            self.load([entry_id])
        return self._known[entry_id]

    def load(self, entry_ids: Sequence[str]) -> None:
        """Read several entries at once. The query does not ask for the state, else SQLite reads all active ones."""
        wanted = [entry_id for entry_id in entry_ids if entry_id not in self._known]
        self._known |= dict.fromkeys(wanted)
        labels = entries.labels_of(self._session, self._project_id, wanted)
        for start in range(0, len(wanted), 500):
            rows = self._session.exec(
                select(Entry).where(
                    Entry.project_id == self._project_id,
                    col(Entry.entry_id).in_(wanted[start : start + 500]),
                )
            )
            for row in rows:
                if row.state == "active":
                    self._known[row.entry_id] = known(row, labels[row.entry_id])
                self._session.expunge(row)

    def _rarest(self, text: str) -> list[tuple[str]]:
        candidates = [word for word in loose_words(text[:4000]) if len(word) > 1 and word not in STOP][:60]
        counts = self._counted(candidates)
        candidates.sort(key=lambda word: (counts[word], -len(word), word))
        chosen: list[tuple[str]] = []
        read = 0
        for word in candidates:
            read += counts[word]
            if len(chosen) == WORDS or (chosen and read > ROWS):
                break
            if counts[word]:
                chosen.append((word,))
        return chosen

    def _counted(self, words: Sequence[str]) -> dict[str, int]:
        """In how many entries each word stands; without a counting index its everyday frequency stands in."""
        if not self._counting:
            return {word: 1 + int(1000 * (1 - frequencies().get(word.lstrip("~"), 1.0))) for word in words}
        if new := [word for word in words if word not in self._counts]:
            self._counts |= dict.fromkeys(new, 0)
            marks = ", ".join("?" * len(new))
            statement = f"SELECT term, doc FROM temp.sweep_words WHERE term IN ({marks})"
            rows = self._session.connection().exec_driver_sql(statement, tuple(new))
            self._counts |= {str(row[0]): int(row[1]) for row in rows}
        return self._counts


def known(row: Entry, labels: Sequence[str]) -> Known:
    """An entry's row as the sweep sees it."""
    draft = entries.draft_of(row, labels)
    text = comparable(draft.title, draft.body)
    words = content(tokens(text))
    return Known(
        row.entry_id,
        row.rev,
        draft,
        text,
        row.origin,
        row.tokens,
        row.pinned,
        row.fingerprint,
        words,
        at=row.updated_at,
        judged="speaker" in row.source,
        file=imported_from(row.source),
    )


def imported_from(source: Mapping[str, Any]) -> str:
    """The file of an import, without its line; empty for what came another way."""
    return str(source.get("file", "")).rpartition(":")[0] if source.get("part") == "import" else ""


def comparable(title: str, body: str) -> str:
    """A draft's text for comparing: the body, and before it a title that the body does not begin with."""
    start = title.rstrip("…").strip().lower()
    return body if not start or start in body.lower()[: len(start) + 40] else f"{title}. {body}"
