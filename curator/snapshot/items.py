"""The entries of the snapshot: those that can win, out of any number.

Owns the choice and the counting of tokens. Entries of equal importance differ in freshness and relevance only, so the
newest of each such group, the relevant and the pinned are candidates; the best of them are read whole, and only texts
that were not in the previous snapshot are counted.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Text, and_, case, cast, func, or_
from sqlmodel import Session, col, select

from curator.brief.lines import entry as entry_line
from curator.brief.lines import size
from curator.brief.snapshot_file import Snapshot
from curator.salience.item import Item
from curator.salience.score import FRESHNESS, IMPORTANCE, freshness, importance, score
from curator.snapshot.near import near
from curator.snapshot.ranks import Ranks
from curator.store.engine import Store
from curator.store.tables import Entry
from curator.vocab import EntryState, Origin, Route

KEPT = 250
"""Entries kept for each worktree: more than 9,500 bytes can hold of the shortest lines."""
_RELEVANT = 2_000
_NAMED = 40  # groups that a query names; of more, all are read


@dataclass(frozen=True)
class Chosen:
    """Items by id, relevance of them by worktree, and active entries that are not stale by kind."""

    items: tuple[Item, ...]
    relevance: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]


def chosen(store: Store, session: Session, before: Snapshot, known: Ranks) -> Chosen:
    """The items that can win, with what the hook needs to choose among them."""
    today = store.now().date().toordinal()
    counts, groups = _groups(session, store.project_id, today)
    light = _light(session, store.project_id, known, groups)
    ids = _winners(light, known, today)
    old = {(item.id, item.rev): item for item in before.items}
    counted = store.settings.encoding == before.settings.get("encoding")
    items = [_item(row, light[row.entry_id]) for row in _whole(session, store.project_id, ids)]
    items = _sized(items, old if counted else {}, store.settings.encoding)
    alike = near([(item.id, f"{item.title}\n{item.body}") for item in items])
    items = [item._replace(near=alike.get(item.id, ())) for item in items]
    shown = {item.id for item in items}
    relevance = {
        tree: {id_: value for id_, value in rank.values.items() if id_ in shown}
        for tree, rank in known.by_worktree.items()
    }
    return Chosen(tuple(items), relevance, counts)


_HUMAN = case((col(Entry.origin) == Origin.HUMAN.value, 1), else_=0)


_GROUP = (col(Entry.kind), _HUMAN, col(Entry.importance), col(Entry.sightings))
_Group = tuple[str, int, float | None, int]


def _eligible(project_id: str) -> tuple[Any, ...]:
    return (
        Entry.project_id == project_id,
        Entry.route == Route.INJECTED.value,
        Entry.state == EntryState.ACTIVE.value,
        Entry.anchor_state != "STALE",
    )


def _groups(session: Session, project_id: str, today: int) -> tuple[dict[str, int], set[_Group]]:
    """Active entries by kind, and the groups of equal importance in which one can win without being relevant.

    A group is out when 250 entries of others score more by their oldest member than it does by its newest.
    """
    day = func.substr(cast(col(Entry.verified_at), Text), 1, 10)
    rows = session.connection().execute(
        select(  # type: ignore[call-overload]
            *_GROUP, func.count(), func.min(day), func.max(day)
        )
        .where(*_eligible(project_id))
        .group_by(*_GROUP)
    )
    kinds: Counter[str] = Counter()
    bounds: list[tuple[float, float, int, _Group]] = []
    for kind, human, choice, sightings, number, oldest, newest in rows:
        kinds[kind] += number
        weight = IMPORTANCE * importance(kind, human=bool(human), choice=choice, sightings=sightings)[0]
        low, high = (
            weight + FRESHNESS * freshness(kind, date.fromisoformat(verified).toordinal(), today)
            for verified in (oldest, newest)
        )
        bounds.append((low, high, number, (kind, human, choice, sightings)))
    total, least = 0, 0.0
    for low, _, number, _ in sorted(bounds, key=lambda bound: -bound[0]):
        total += number
        if total >= KEPT:
            least = low
            break
    return dict(sorted(kinds.items())), {group for _, high, _, group in bounds if high >= least}


def _light(session: Session, project_id: str, known: Ranks, groups: set[_Group]) -> dict[str, Item]:
    """The candidates without their texts: of equally important ones the newest, the relevant, the pinned."""
    place = func.row_number().over(partition_by=_GROUP, order_by=(col(Entry.verified_at).desc(), col(Entry.entry_id)))
    columns = (
        col(Entry.entry_id),
        col(Entry.kind),
        col(Entry.origin),
        col(Entry.importance),
        col(Entry.sightings),
        col(Entry.pinned),
        func.substr(cast(col(Entry.verified_at), Text), 1, 10),
        col(Entry.rev),
    )
    within = [or_(*map(_in_group, sorted(groups, key=str)))] if 0 < len(groups) <= _NAMED else []
    ranked = select(*columns, place.label("place")).where(*_eligible(project_id), *within).subquery()  # type: ignore[call-overload]
    found: dict[str, Item] = {}
    for row in session.connection().execute(select(ranked).where(ranked.c.place <= KEPT)):
        if (row[1], int(row[2] == Origin.HUMAN.value), row[3], row[4]) in groups:
            found[row[0]] = _sketch(row)
    extra = sorted({id_ for rank in known.by_worktree.values() for id_ in _best(rank.values)} - set(found))
    wanted = [col(Entry.entry_id).in_(extra[at : at + 500]) for at in range(0, len(extra), 500)]
    for condition in (*wanted, col(Entry.pinned).is_(True)):
        query = select(*columns).where(*_eligible(project_id), condition)  # type: ignore[call-overload]
        items = map(_sketch, session.connection().execute(query.order_by(col(Entry.entry_id))))
        found |= {item.id: item for item in items}
    return found


def _in_group(group: _Group) -> Any:
    kind, human, choice, sightings = group
    return and_(
        col(Entry.kind) == kind,
        (col(Entry.origin) == Origin.HUMAN.value) if human else (col(Entry.origin) != Origin.HUMAN.value),
        col(Entry.importance).is_(None) if choice is None else col(Entry.importance) == choice,
        col(Entry.sightings) == sightings,
    )


def _best(values: Mapping[str, float]) -> list[str]:
    """Ids of the most relevant: the others can only win by importance."""
    return heapq.nsmallest(_RELEVANT, values, key=lambda id_: (-values[id_], id_))


def _sketch(row: Any) -> Item:
    id_, kind, origin, choice, sightings, pinned, day, rev = row[:8]
    human = origin == Origin.HUMAN.value
    value, _ = importance(kind, human=human, choice=choice, sightings=sightings)
    verified = date.fromisoformat(day).toordinal()
    return Item(id_, kind, "", "", 0, 0, verified, value, 0.0, bool(pinned), human, rev=rev)


def _winners(light: Mapping[str, Item], known: Ranks, today: int) -> list[str]:
    """Ids of the pinned, of the best of every worktree, and of the best where nothing is known of the work."""
    ids: set[str] = set()
    for values in [{}, *(rank.values for rank in known.by_worktree.values())]:
        scored = (
            (-score(item._replace(relevance=values.get(id_, 0.0)), today).total, id_) for id_, item in light.items()
        )
        ids.update(id_ for _, id_ in heapq.nsmallest(KEPT, scored))
    pinned = sorted(id_ for id_, item in light.items() if item.pinned and not item.stale)
    return sorted(ids | set(pinned[:KEPT]))


def _whole(session: Session, project_id: str, ids: Sequence[str]) -> list[Entry]:
    rows: list[Entry] = []
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        rows += session.exec(select(Entry).where(Entry.project_id == project_id, col(Entry.entry_id).in_(part)))
    return sorted(rows, key=lambda row: row.entry_id)


def _item(row: Entry, light: Item) -> Item:
    verified = row.verified_at.date().toordinal()
    kept_in_bd = bool(row.extra.get("bd")) and row.extra["bd"] == row.content_hash
    return light._replace(title=row.title, body=row.body, verified=verified, in_bd=kept_in_bd)


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
