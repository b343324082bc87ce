"""The entries of the snapshot: those that can win, out of any number.

Owns the choice and the counting of tokens. Entries whose importance is made of the same parts (the reviewer's choice
to within .05, which is worth .003) are a group and differ in freshness and relevance only. So the groups are asked for
their newest, best group first, until no other can hold a winner; beside these the relevant and the pinned are
candidates. Only the best are read whole, and only texts that were not in the previous snapshot are counted.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Text, cast, func
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


class _Parts(NamedTuple):
    """What importance is made of."""

    kind: str
    origin: str
    choice: float | None
    sightings: int


@dataclass
class _Group:
    """Entries of nearly the same parts: the least and the greatest choice among them, and the newest day."""

    least: float | None
    most: float | None
    newest: str


_PARTS = (col(Entry.kind), col(Entry.origin), col(Entry.importance), col(Entry.sightings))
_STEPS = 20
_Bound = tuple[float, _Parts, float | None]
"""A group: a score that none of it passes, its parts with the greatest choice, and its least choice."""


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


def _groups(session: Session, project_id: str, today: int) -> tuple[dict[str, int], list[_Bound]]:
    """Active entries by kind, and the groups with a score that none of their entries passes, best first."""
    newest = func.max(cast(col(Entry.verified_at), Text))
    query = select(*_PARTS, func.count(), newest).where(*_eligible(project_id))  # type: ignore[call-overload]
    kinds: Counter[str] = Counter()
    groups: dict[tuple[str, str, int | None, int], _Group] = {}
    for kind, origin, choice, sightings, number, day in session.connection().execute(query.group_by(*_PARTS)):
        kinds[kind] += number
        key = (kind, origin, None if choice is None else int(choice * _STEPS), sightings)
        if (group := groups.get(key)) is None:
            groups[key] = _Group(choice, choice, day)
            continue
        group.newest = max(group.newest, day)
        if choice > group.most:
            group.most = choice
        elif choice < group.least:
            group.least = choice
    bounds = []
    for (kind, origin, step, sightings), group in groups.items():
        parts = _Parts(kind, origin, group.most, sightings)
        bounds.append((_score(parts, date.fromisoformat(group.newest[:10]), today), str(step), parts, group.least))
    ordered = sorted(bounds, key=lambda bound: (-bound[0], bound[1], str(bound[2])))
    return dict(sorted(kinds.items())), [(bound, parts, least) for bound, _, parts, least in ordered]


def _winners(session: Session, project_id: str, groups: list[_Bound], known: Ranks, today: int) -> list[str]:
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


def _alone(session: Session, project_id: str, groups: list[_Bound], today: int) -> dict[str, float]:
    """The best by what needs no relevance, with their scores."""
    best: dict[str, float] = {}
    for bound, parts, least in groups:
        if len(best) == KEPT and bound < min(best.values()):
            break
        query = select(Entry.entry_id, Entry.verified_at, *_PARTS).where(*_eligible(project_id), *_within(parts, least))  # type: ignore[call-overload]
        newest = query.order_by(col(Entry.verified_at).desc(), Entry.entry_id).limit(KEPT)
        rows = session.connection().execute(newest)
        best |= {id_: _score(_Parts(*own), at.date(), today) for id_, at, *own in rows}
        best = {id_: best[id_] for id_ in _first(best)}
    return best


def _within(most: _Parts, least: float | None) -> list[Any]:
    choice = col(Entry.importance)
    same = [col(Entry.kind) == most.kind, col(Entry.origin) == most.origin, col(Entry.sightings) == most.sightings]
    if most.choice is None or least is None or most.choice == least:
        return [*same, choice == most.choice]  # None becomes IS NULL
    return [*same, choice >= least, choice <= most.choice]


def _first(scored: Mapping[str, float]) -> list[str]:
    return heapq.nsmallest(KEPT, scored, key=lambda id_: (-scored[id_], id_))


def _best(values: Mapping[str, float]) -> set[str]:
    """Ids of the most relevant: the others can only win by importance."""
    return set(heapq.nsmallest(_RELEVANT, values, key=lambda id_: (-values[id_], id_)))


def _sketches(session: Session, project_id: str, ids: Iterable[str]) -> dict[str, Item]:
    """Eligible entries without their texts."""
    # Where it asked for a state, or for nothing beyond an index on it, SQLite would read that index from end to end.
    query = select(Entry.entry_id, Entry.verified_at, Entry.rev, Entry.route, Entry.state, Entry.anchor_state, *_PARTS)  # type: ignore[call-overload]
    found = {}
    for id_, at, rev, route, state, anchor, *parts in _by_id(session, project_id, query, sorted(ids)):
        if route == Route.INJECTED.value and state == EntryState.ACTIVE.value and anchor != "STALE":
            found[id_] = _sketch(id_, _Parts(*parts), at.date())._replace(rev=rev)
    return found


def _sketch(id_: str, parts: _Parts, verified: date) -> Item:
    human = parts.origin == Origin.HUMAN.value
    return Item(id_, parts.kind, "", "", 0, 0, verified.toordinal(), _importance(parts), human=human)


def _score(parts: _Parts, verified: date, today: int) -> float:
    return score(_sketch("", parts, verified), today).total


@lru_cache(maxsize=4096)
def _importance(parts: _Parts) -> float:
    human = parts.origin == Origin.HUMAN.value
    return importance(parts.kind, human=human, choice=parts.choice, sightings=parts.sightings)[0]


def _whole(session: Session, project_id: str, ids: Sequence[str]) -> list[Item]:
    more = (Entry.title, Entry.body, Entry.pinned, Entry.rev, Entry.content_hash, Entry.extra)
    query = select(Entry.entry_id, Entry.verified_at, *more, *_PARTS)  # type: ignore[call-overload]
    found = []
    for id_, at, title, body, pinned, rev, content, extra, *parts in _by_id(session, project_id, query, ids):
        item = _sketch(id_, _Parts(*parts), at.date())
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
