"""Why an entry was or was not injected: its factors now, and what the receipts say. Reads only.

Receipts that hooks spooled and no ingest took in yet are read from the spool as they lie there.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlmodel import col, select

from curator.brief.asked import Brief
from curator.salience.item import Item
from curator.salience.pick import with_margin
from curator.salience.score import Score, importance
from curator.spool import FOLDER
from curator.store import entries
from curator.store.engine import Store
from curator.store.tables import Receipt
from curator.vocab import Origin

_RECEIPTS = 200


@dataclass(frozen=True)
class Handing:
    """One injection: when, to which session, and whether the entry was in it (`reason` says why not)."""

    at: datetime
    session: str
    client: str
    source: str
    injected: bool
    reason: str
    delivered: bool | None
    evidence: str


@dataclass(frozen=True)
class Why:
    """The entry's line, where it stands in the next pick and its factors, and its history of injections."""

    entry_id: str
    title: str
    verdict: str
    score: Score | None
    parts: Sequence[Sequence[Any]]
    tokens: int
    place: int
    handed: tuple[Handing, ...]


def why(store: Store, prefix: str, made: Brief, items: Mapping[str, Item], margin: float) -> Why:
    """Explain one entry, by id or a unique beginning; raises `NotFound`. `made` is the next start's composition."""
    with store.read() as session:
        row = entries.by_prefix(session, store.project_id, prefix)
        state, route, anchor = row.state, row.route, row.anchor_state
        human = row.origin == Origin.HUMAN.value
        _, parts = importance(row.kind, human=human, choice=row.importance, sightings=row.sightings)
        handed = _handed(store, session, row.entry_id)
    item = items.get(row.entry_id)
    taken = {one.item.id: (at, one.score) for at, one in enumerate(made.pick.taken, 1)}
    left = {one.item.id: one for one in made.pick.left}
    place, found = taken.get(row.entry_id, (0, None))
    if found:
        verdict = f"injected at the next start, as number {place} of {len(taken)}"
    elif state != "active":
        verdict = f"never injected: it is {state}"
    elif route != "injected":
        verdict = "never injected: deferred knowledge is found by search"
    elif anchor == "STALE" or (item and item.stale):
        verdict = "held back: what it cites is gone (STALE)"
    elif row.entry_id in left:
        verdict = f"left out at the next start: {left[row.entry_id].reason}"
    else:
        verdict = "left out at the next start: too many entries rank before it to be in the snapshot"
    scored = found or (left[row.entry_id].score if row.entry_id in left else None)
    tokens = with_margin(item.tokens, margin) if item else 0
    return Why(row.entry_id, row.title, verdict, scored, parts if scored else (), tokens, place, handed)


def _handed(store: Store, session: Any, entry_id: str) -> tuple[Handing, ...]:
    rows = session.exec(
        select(Receipt)
        .where(Receipt.project_id == store.project_id)
        .order_by(col(Receipt.at).desc(), Receipt.receipt_id)
        .limit(_RECEIPTS)
    ).all()
    found = [
        _handing(entry_id, row.at, row.session_id, row.client, row.source, row.entries, row.left_out, row)
        for row in rows
        if row.digest
    ]
    return tuple(sorted([*_spooled(store, entry_id), *found], key=lambda one: one.at, reverse=True))


def _handing(
    entry_id: str,
    at: datetime,
    session: str,
    client: str,
    source: str,
    held: list[dict[str, Any]],
    left: list[dict[str, Any]],
    row: Receipt | None = None,
) -> Handing:
    injected = any(one.get("entry_id") == entry_id for one in held)
    reason = next((str(one.get("reason")) for one in left if one.get("entry_id") == entry_id), "not a candidate then")
    evidence = str((row.evidence.get("entries") or {}).get(entry_id, "")) if row else ""
    delivered = row.delivered if row else None
    return Handing(at, session, client, source, injected, "" if injected else reason, delivered, evidence)


def _spooled(store: Store, entry_id: str) -> list[Handing]:
    found = []
    for path in sorted((store.place.folder / FOLDER).glob("*.jsonl")):
        for line in path.read_bytes().split(b"\n"):
            if b'"receipt"' not in line:
                continue
            try:
                event = json.loads(line)
                held = [{"entry_id": one[0]} for one in event["receipt"]["entries"]]
                left = [{"entry_id": one[0], "reason": one[1]} for one in event["receipt"]["left"]]
                at = datetime.fromtimestamp(float(event["at"]), UTC)
            except (ValueError, KeyError, TypeError, IndexError):
                continue
            session, client, source = (str(event.get(name, "")) for name in ("session", "client", "source"))
            found.append(_handing(entry_id, at, session, client, source, held, left))
    return found
