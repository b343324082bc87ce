"""The entries of the snapshot: those that can win, out of any number.

Owns the choice and the counting of tokens. A light pass scores every active entry; only the best of each worktree and
the pinned ones are read whole, and only texts that were not in the previous snapshot are counted.
"""

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

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


@dataclass(frozen=True)
class Chosen:
    """Items by id, relevance of them by worktree, and active entries that are not stale by kind."""

    items: tuple[Item, ...]
    relevance: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]


def chosen(store: Store, session: Session, before: Snapshot, known: Ranks) -> Chosen:
    """The items that can win, with what the hook needs to choose among them."""
    light = _light(session, store.project_id)
    today = store.now().date().toordinal()
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
    counts = Counter(item.kind for item in light.values() if not item.stale)
    return Chosen(tuple(items), relevance, dict(sorted(counts.items())))


def _light(session: Session, project_id: str) -> dict[str, Item]:
    """Every active injectable entry without its texts."""
    rows = session.connection().execute(
        select(  # type: ignore[call-overload]
            col(Entry.entry_id),
            col(Entry.kind),
            col(Entry.origin),
            col(Entry.importance),
            col(Entry.sightings),
            col(Entry.pinned),
            func.substr(cast(col(Entry.verified_at), Text), 1, 10),
            col(Entry.anchor_state),
            col(Entry.rev),
        ).where(
            Entry.project_id == project_id,
            Entry.route == Route.INJECTED.value,
            Entry.state == EntryState.ACTIVE.value,
        )
    )
    days: dict[str, int] = {}
    weights: dict[Any, Any] = {}
    found: dict[str, Item] = {}
    for id_, kind, origin, choice, sightings, pinned, day, anchor, rev in rows:
        if day not in days:
            days[day] = date.fromisoformat(day).toordinal()
        human = origin == Origin.HUMAN.value
        if (key := (kind, human, choice, sightings)) not in weights:
            weights[key] = importance(kind, human=human, choice=choice, sightings=sightings)
        value, parts = weights[key]
        stale = anchor == "STALE"
        found[id_] = Item(id_, kind, "", "", 0, 0, days[day], value, 0.0, parts, bool(pinned), human, stale, rev=rev)
    return found


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
