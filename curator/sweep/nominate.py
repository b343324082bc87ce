"""Which entries a text may stand to in some relation: the union of full text and, where vectors exist, of meaning.

Owns the nomination only. Similarity nominates and never decides.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from curator.draft import Draft
from curator.store import index
from curator.store.index import Row
from curator.store.tables import Entry, EntryLabel
from curator.store.words import Form, forms
from curator.sweep.compare import content_of, frequencies
from curator.sweep.pool import likeness
from curator.sweep.saying import last_said
from curator.sweep.slots import STOP
from curator.vocab import Kind, Origin, Route

WORDS = 16
"""The rarest words of a text that candidates are counted by."""

COMMON = 4_000
"""A word in more entries than this nominates none, so that a note costs the same in any store."""

ROWS = 8_000
"""Words are taken while they stand in no more entries than this in all."""

KEPT = 4_000_000
"""Rows of words already looked up that are remembered, eight bytes each."""

LEAST = 0.2
"""Entries that share less than this share of words are not related further."""

FAR = 0.35
"""Entries that share less than this share of index words are not read closer: next to none of them share 0.45."""


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
    at: datetime
    judged: bool
    file: str = ""

    @cached_property
    def words(self) -> Counter[str]:
        """The content of its text."""
        return content_of(self.text)

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


_NAMES = "entry_id rev title body kind route origin tokens pinned fingerprint updated_at source anchors state"
_READ = (
    select(*(getattr(Entry, name) for name in _NAMES.split()), col(EntryLabel.label))
    .outerjoin(
        EntryLabel,
        (col(EntryLabel.project_id) == col(Entry.project_id)) & (col(EntryLabel.entry_id) == col(Entry.entry_id)),
    )
    .where(col(Entry.project_id) == bindparam("project"), col(Entry.entry_id).in_(bindparam("ids", expanding=True)))
)


class Nominator:
    """Finds active entries near a text within one read; keeps what it loaded and counted."""

    def __init__(self, session: Session, project_id: str) -> None:
        self._session, self._project_id = session, project_id
        self._known: dict[str, Known | None] = {}
        self._rows: dict[Form, Sequence[Row]] = {}
        self._kept = 0
        self._gone: frozenset[Row] = frozenset(*index.holding(session, project_id, [index.not_active()]))
        self._said: dict[str, datetime] = {}

    def near(
        self, text: str, limit: int = 8, more: Sequence[str] = (), least: float = LEAST
    ) -> list[tuple[Known, float]]:
        """Active entries with their likeness 0..1, `least` or more, best first; `more` are ids nominated by meaning."""
        said = {form: frequencies().get(form[0], 1.0) for form in forms(text[:4000]) if form[0] not in STOP}
        shares = self._alike(said, self._holding_most(said, 2 * limit), limit)
        ids = dict.fromkeys([*(each for each, share in shares.items() if share >= min(least, FAR)), *more])
        self.load(ids)
        mine = content_of(text)
        found = [
            (known, likeness(mine, known.words) if shares.get(each, 1.0) >= FAR else round(shares[each], 3))
            for each in ids
            if (known := self._known[each]) is not None
        ]
        kept = [each for each in found if each[1] >= least or each[0].entry_id in more]
        kept.sort(key=lambda each: (-each[1], each[0].entry_id))
        return [each for n, each in enumerate(kept) if n < limit or each[0].entry_id in more]

    def entry(self, entry_id: str) -> Known | None:
        """The active entry of that id."""
        if entry_id not in self._known:
            self.load([entry_id])
        return self._known[entry_id]

    def said(self, known: Known) -> datetime:
        """When its text was last said: by the note it came from and its sightings; else when it was last changed."""
        if not known.judged:
            return known.at
        if known.entry_id not in self._said:
            self._said[known.entry_id] = last_said(self._session, self._project_id, known.fingerprint) or known.at
        return self._said[known.entry_id]

    def load(self, entry_ids: Iterable[str]) -> None:
        """Read several entries at once. The query does not ask for the state, else SQLite reads all active ones."""
        wanted = [entry_id for entry_id in entry_ids if entry_id not in self._known]
        self._known |= dict.fromkeys(wanted)
        for start in range(0, len(wanted), 500):
            values = {"project": self._project_id, "ids": wanted[start : start + 500]}
            rows: dict[str, Any] = {}
            labels: defaultdict[str, list[str]] = defaultdict(list)
            for row in self._session.connection().execute(_READ, values):
                rows[row.entry_id] = row
                labels[row.entry_id] += [row.label] if row.label is not None else []
            self._known |= {
                entry_id: _known(row, labels[entry_id]) for entry_id, row in rows.items() if row.state == "active"
            }

    def _holding_most(self, said: Iterable[Form], limit: int) -> list[Row]:
        """Rows of the index that hold most of the rarest of these words; of as many, the ones with the rarest."""
        words = [form for form in said if len(form[0]) > 1][:60]
        if self._kept > KEPT:
            self._rows, self._kept = {}, 0
        new = [form for form in words if form not in self._rows]
        for form, rows in zip(new, index.holding(self._session, self._project_id, new, COMMON), strict=True):
            self._rows[form] = rows if len(rows) <= COMMON else ()
            self._kept += len(self._rows[form])
        lists = [rows for form in words if (rows := self._rows[form])]
        held: Counter[Row] = Counter()
        read = 0
        for rows in sorted(lists, key=len)[:WORDS]:
            read += len(rows)
            if held and read > ROWS:
                break
            held.update(rows)
        for row in self._gone.intersection(held):
            del held[row]
        return [row for row, _ in held.most_common(limit)]

    def _alike(self, said: Mapping[Form, float], rows: Sequence[Row], limit: int) -> dict[str, float]:
        """Of these rows the entries that are most alike, by the share of words, which the index tells by itself."""
        whole, common, found = sum(said.values()), frequencies(), []
        for entry_id, words in index.words_of(self._session, self._project_id, rows):
            shared = sum(weight for form, weight in said.items() if not words.isdisjoint(form))
            size = sum(common.get(word, 1.0) for word in words if word[0] != "~" and word not in STOP)
            found.append((shared / max(1.0, min(whole, size)), entry_id))
        return {entry_id: share for share, entry_id in sorted(found, reverse=True)[:limit] if share >= LEAST}


def _known(row: Any, labels: Sequence[str]) -> Known:
    """An entry's row as the sweep sees it."""
    refs = tuple(str(anchor.get("ref", "")) for anchor in row.anchors)
    draft = Draft(row.title, row.body, Kind(row.kind), Route(row.route), tuple(sorted(labels)), refs, row.entry_id)
    text = comparable(draft.title, draft.body)
    return Known(
        row.entry_id,
        row.rev,
        draft,
        text,
        row.origin,
        row.tokens,
        row.pinned,
        row.fingerprint,
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
