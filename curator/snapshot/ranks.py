"""Relevance as it is kept between checkpoints: one focus and its values per worktree, in a file beside the snapshot.

Owns that file. Relevance is computed when a checkpoint is committed or the spool taken in; an entry accepted later is
scored by the same focus, so a new relevant entry enters at once. The file holds ids, words and numbers only.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.snapshot.file import put
from curator.snapshot.relevance import Doc, Focus, Work, doc, focus, relevance
from curator.snapshot.work import Seen
from curator.store import index
from curator.store.engine import Store
from curator.store.entries import labels_of
from curator.store.tables import Entry, Revision
from curator.store.words import loose_words
from curator.vocab import EntryState, Route

NAME = "relevance.json"
WHOLE = 5_000
"""Up to so many active entries all are scored; beyond, those that the index finds for the work's words."""
_NOMINATED = 2_000
_WORDS = 60
_RELATED = 20


@dataclass(frozen=True)
class Rank:
    """One worktree's focus, when it was computed, and relevance by entry id (0 is left out)."""

    focus: Focus
    at: str
    values: Mapping[str, float]
    related: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ranks:
    """Relevance by worktree."""

    by_worktree: Mapping[str, Rank] = field(default_factory=dict)

    @property
    def related(self) -> tuple[str, ...]:
        """Ids of deferred entries that touch the work in any worktree."""
        return tuple(dict.fromkeys(id_ for rank in self.by_worktree.values() for id_ in rank.related))

    def of(self, entry_id: str) -> float:
        """The highest relevance in any worktree."""
        return max((rank.values.get(entry_id, 0.0) for rank in self.by_worktree.values()), default=0.0)


def ranks(store: Store, session: Session, seen: Seen | None) -> Ranks:
    """The kept relevance, with the one that was just `seen` computed anew, and newer entries scored."""
    kept = dict(_load(store))
    if seen is not None:
        kept[seen.worktree] = _ranked(store, session, seen.work)
    for worktree, rank in kept.items():
        kept[worktree] = _caught_up(store, session, rank)
    found = Ranks(kept)
    if kept:
        _keep(store, found)
    return found


def entry_doc(entry: Entry, labels: Iterable[str]) -> Doc:
    """An entry as relevance sees it; its paths are its anchors that are paths."""
    refs = [str(anchor.get("ref", "")) for anchor in entry.anchors]
    return doc(entry.title, entry.body, labels, [ref.partition(":")[0] for ref in refs if "/" in ref])


def _ranked(store: Store, session: Session, work: Work) -> Rank:
    at = store.now().isoformat()
    if work.empty:
        return Rank(Focus(), at, {})
    rows = _rows(store, session, work, Route.INJECTED)
    docs = _docs(session, store.project_id, rows)
    found = focus(work, docs)
    values = {row.entry_id: relevance(found, one) for row, one in zip(rows, docs, strict=True)}
    return Rank(found, at, {id_: value for id_, value in values.items() if value}, _related(store, session, work))


def _related(store: Store, session: Session, work: Work) -> tuple[str, ...]:
    rows = _rows(store, session, work, Route.DEFERRED)
    docs = _docs(session, store.project_id, rows)
    found = focus(work, docs)
    scored = sorted(((-relevance(found, one), row.entry_id) for row, one in zip(rows, docs, strict=True)))
    return tuple(id_ for value, id_ in scored[:_RELATED] if -value >= 0.2)


def _caught_up(store: Store, session: Session, rank: Rank) -> Rank:
    """Entries that were written since the focus was computed, scored by it."""
    if not rank.focus.words and not rank.focus.files:
        return rank
    # The time of the revision, not the entry's own: an import brings times of its own.
    since = select(Revision.entry_id).where(
        Revision.project_id == store.project_id, Revision.at >= datetime.fromisoformat(rank.at)
    )
    query = _active(store, Route.INJECTED).where(col(Entry.entry_id).in_(since))
    rows = session.exec(query.limit(WHOLE + 1)).all()
    if len(rows) > WHOLE:
        parts = [(word, f"~{word}") for word in sorted(rank.focus.words, key=lambda one: -rank.focus.words[one])]
        rows = _found(store, session, query, parts[:_WORDS])
    docs = _docs(session, store.project_id, rows)
    fresh = {row.entry_id: relevance(rank.focus, one) for row, one in zip(rows, docs, strict=True)}
    values = {id_: value for id_, value in {**rank.values, **fresh}.items() if value}
    return Rank(rank.focus, store.now().isoformat(), values, rank.related)


def _rows(store: Store, session: Session, work: Work, route: Route) -> Sequence[Entry]:
    query = _active(store, route)
    rows: Sequence[Entry] = session.exec(query.limit(WHOLE + 1)).all()
    if len(rows) <= WHOLE:
        return rows
    words = loose_words(" ".join((*work.texts, work.branch, *work.files)))[:_WORDS]
    return _found(store, session, query, [(word,) for word in words])


def _found(store: Store, session: Session, query: Any, parts: Sequence[Sequence[str]]) -> Sequence[Entry]:
    """The rows of a query that the index finds for any of the words, best first up to a bound; in order of id."""
    ids = [id_ for id_, _ in index.match(session, store.project_id, parts, every=False, limit=_NOMINATED)]
    found: list[Entry] = []
    for start in range(0, len(ids), 500):
        found += session.exec(query.where(col(Entry.entry_id).in_(ids[start : start + 500])))
    return sorted(found, key=lambda row: row.entry_id)


def _active(store: Store, route: Route) -> Any:
    return (
        select(Entry)
        .where(Entry.project_id == store.project_id, Entry.route == route.value, Entry.state == EntryState.ACTIVE.value)
        .order_by(Entry.entry_id)
    )


def _docs(session: Session, project_id: str, rows: Sequence[Entry]) -> list[Doc]:
    labels = labels_of(session, project_id, [row.entry_id for row in rows])
    return [entry_doc(row, labels[row.entry_id]) for row in rows]


def _load(store: Store) -> dict[str, Rank]:
    try:
        value = json.loads((store.place.folder / NAME).read_bytes())
        return {
            str(tree): Rank(
                Focus(**{**row["focus"], "files": tuple(row["focus"]["files"])}),
                str(row["at"]),
                dict(row["values"]),
                tuple(row["related"]),
            )
            for tree, row in value.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # computed anew with the next checkpoint


def _keep(store: Store, found: Ranks) -> None:
    value = {
        tree: {"focus": vars(rank.focus), "at": rank.at, "values": rank.values, "related": rank.related}
        for tree, rank in found.by_worktree.items()
    }
    put(store.place.folder / NAME, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
