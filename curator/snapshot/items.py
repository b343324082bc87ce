"""The entries of the snapshot: those that can win, out of any number.

Owns the choice and the counting of tokens. Entries whose importance is made of the same parts are a group and differ
in freshness and relevance only. So the groups are asked for their newest, best group first, until no other can hold a
winner; beside these the relevant and the pinned are candidates. Only the best are read whole, and only texts that were
not in the previous snapshot are counted.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from curator.brief.lines import entry as entry_line
from curator.brief.lines import size
from curator.brief.snapshot_file import Snapshot
from curator.salience.item import Item
from curator.salience.score import importance, score
from curator.snapshot.near import near
from curator.snapshot.ranks import Ranks
from curator.store.engine import Store
from curator.store.tables import Entry
from curator.vocab import EntryState, Origin, Route

KEPT = 250
"""Entries kept for each worktree: more than 9,500 bytes can hold of the shortest lines."""
_RELEVANT = 2_000


@dataclass(frozen=True)
class Chosen:
    """Items by id, relevance of them by worktree, and active entries that are not stale by kind."""

    items: tuple[Item, ...]
    relevance: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]


class _Group(NamedTuple):
    """What importance is made of."""

    kind: str
    origin: str
    choice: float | None
    sightings: int


_GROUP = (col(Entry.kind), col(Entry.origin), col(Entry.importance), col(Entry.sightings))


def chosen(store: Store, session: Session, before: Snapshot, known: Ranks) -> Chosen:
    """The items that can win, with what the hook needs to choose among them."""
    today = store.now().date().toordinal()
    counts, groups = _groups(session, store.project_id, today)
    ids = _winners(session, store.project_id, groups, known, today)
    old = {(item.id, item.rev): item for item in before.items}
    counted = store.settings.encoding == before.settings.get("encoding")
    items = _sized(_whole(session, store.project_id, ids), old if counted else {}, store.settings.encoding)
    alike = near([(item.id, f"{item.title}\n{item.body}") for item in items])
    items = [item._replace(near=alike.get(item.id, ())) for item in items]
    shown = {item.id for item in items}
    relevance = {
        tree: {id_: value for id_, value in rank.values.items() if id_ in shown}
        for tree, rank in known.by_worktree.items()
    }
    return Chosen(tuple(items), relevance, counts)


def _eligible(project_id: str) -> tuple[Any, ...]:
    return (
        Entry.project_id == project_id,
        Entry.route == Route.INJECTED.value,
        Entry.state == EntryState.ACTIVE.value,
        Entry.anchor_state != "STALE",
    )


def _groups(session: Session, project_id: str, today: int) -> tuple[dict[str, int], list[tuple[float, _Group]]]:
    """Active entries by kind, and the groups with the score of their newest, best first."""
    query = select(*_GROUP, func.count(), func.max(Entry.verified_at))  # type: ignore[call-overload]
    rows = session.connection().execute(query.where(*_eligible(project_id)).group_by(*_GROUP))
    kinds: Counter[str] = Counter()
    found = []
    for *parts, number, newest in rows:
        group = _Group(*parts)
        kinds[group.kind] += number
        found.append((score(_sketch("", group, newest), today).total, group))
    return dict(sorted(kinds.items())), sorted(found, key=lambda pair: (-pair[0], str(pair[1])))


def _winners(
    session: Session, project_id: str, groups: list[tuple[float, _Group]], known: Ranks, today: int
) -> list[str]:
    """Ids of the best where nothing is known of the work, of the best of every worktree, and of the pinned."""
    alone = _alone(session, project_id, groups, today)
    ids = set(alone)
    best = {tree: _best(rank.values) for tree, rank in known.by_worktree.items()}
    items = _sketches(session, project_id, {id_ for some in best.values() for id_ in some})
    for tree, some in best.items():
        values = known.by_worktree[tree].values
        scored = {id_: points for id_, points in alone.items() if id_ not in values}
        for id_ in items.keys() & some:
            scored[id_] = score(items[id_]._replace(relevance=values[id_]), today).total
        ids.update(_first(scored))
    pinned = select(Entry.entry_id).where(*_eligible(project_id), col(Entry.pinned).is_(True))
    ids.update(session.exec(pinned.order_by(Entry.entry_id).limit(KEPT)))
    return sorted(ids)


def _alone(session: Session, project_id: str, groups: list[tuple[float, _Group]], today: int) -> dict[str, float]:
    """The best by what needs no relevance, with their scores."""
    best: dict[str, float] = {}
    for most, group in groups:
        if len(best) == KEPT and most < min(best.values()):
            break
        same = [column == part for column, part in zip(_GROUP, group, strict=True)]  # NULL becomes IS NULL
        query = select(Entry.entry_id, Entry.verified_at).where(*_eligible(project_id), *same)
        newest = query.order_by(col(Entry.verified_at).desc(), Entry.entry_id).limit(KEPT)
        best |= {id_: score(_sketch(id_, group, at), today).total for id_, at in session.exec(newest)}
        best = {id_: best[id_] for id_ in _first(best)}
    return best


def _first(scored: Mapping[str, float]) -> list[str]:
    return heapq.nsmallest(KEPT, scored, key=lambda id_: (-scored[id_], id_))


def _best(values: Mapping[str, float]) -> set[str]:
    """Ids of the most relevant: the others can only win by importance."""
    return set(heapq.nsmallest(_RELEVANT, values, key=lambda id_: (-values[id_], id_)))


def _sketches(session: Session, project_id: str, ids: Iterable[str]) -> dict[str, Item]:
    """Eligible entries without their texts."""
    # Where it asked for a state, or for nothing beyond an index on it, SQLite would read that index from end to end.
    query = select(Entry.entry_id, Entry.verified_at, Entry.rev, Entry.route, Entry.state, Entry.anchor_state, *_GROUP)  # type: ignore[call-overload]
    found = {}
    for id_, at, rev, route, state, anchor, *parts in _by_id(session, project_id, query, sorted(ids)):
        if route == Route.INJECTED.value and state == EntryState.ACTIVE.value and anchor != "STALE":
            found[id_] = _sketch(id_, _Group(*parts), at)._replace(rev=rev)
    return found


def _sketch(id_: str, group: _Group, verified: datetime) -> Item:
    human = group.origin == Origin.HUMAN.value
    return Item(id_, group.kind, "", "", 0, 0, verified.date().toordinal(), _importance(group), human=human)


@lru_cache(maxsize=4096)
def _importance(group: _Group) -> float:
    human = group.origin == Origin.HUMAN.value
    return importance(group.kind, human=human, choice=group.choice, sightings=group.sightings)[0]


def _whole(session: Session, project_id: str, ids: Sequence[str]) -> list[Item]:
    more = (Entry.title, Entry.body, Entry.pinned, Entry.rev, Entry.content_hash, Entry.extra)
    query = select(Entry.entry_id, Entry.verified_at, *more, *_GROUP)  # type: ignore[call-overload]
    found = []
    for id_, at, title, body, pinned, rev, content, extra, *parts in _by_id(session, project_id, query, ids):
        item = _sketch(id_, _Group(*parts), at)
        in_bd = bool(extra.get("bd")) and extra["bd"] == content
        found.append(item._replace(title=title, body=body, pinned=pinned, rev=rev, in_bd=in_bd))
    return sorted(found, key=lambda item: item.id)


def _by_id(session: Session, project_id: str, query: Any, ids: Sequence[str]) -> list[Any]:
    rows: list[Any] = []
    for start in range(0, len(ids), 500):
        part = query.where(Entry.project_id == project_id, col(Entry.entry_id).in_(ids[start : start + 500]))
        rows += session.connection().execute(part)
    return rows


def _sized(items: Sequence[Item], old: Mapping[tuple[str, int], Item], encoding: str) -> list[Item]:
    """Tokens and bytes of each line as it will be injected."""
    from curator.edge.tokens import tokens

    sized = []
    for item in items:
        line = entry_line(item)
        known = old.get((item.id, item.rev))
        same = known is not None and known.tokens and entry_line(known) == line
        raw = known.tokens if known and same else tokens(encoding).count(f"{line}\n")
        sized.append(item._replace(tokens=raw, size=size(line)))
    return sized
