"""Many new entries at once: the same rows as `store.entries.insert` makes, in a few statements.

Owns speed only. The checks are the same: an id is free or nothing is written, every entry has its labels, revisions
and index row. Callers own the transaction and record the decision.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, select

from curator.draft import Draft
from curator.errors import Conflict
from curator.store import index
from curator.store.entries import document, indexed, short_id
from curator.store.tables import Entry, EntryLabel, Revision

_AT_A_TIME = 1_000


@dataclass(frozen=True)
class New:
    """An entry to be: its draft, other columns of the table, and revisions it had elsewhere, oldest first.

    A revision is `{rev, at, reviewer, value}` with `value` an entry document; numbers start again at 1 here.
    """

    draft: Draft
    columns: Mapping[str, Any] = field(default_factory=dict)
    history: Sequence[Mapping[str, Any]] = ()


def insert_many(
    session: Session, project_id: str, new: Iterable[New], now: datetime, *, reviewer: str = "", decision: int = 0
) -> list[str]:
    """Make all the entries; returns their ids in order. Raises `Conflict` naming the ids that exist already."""
    ids: list[str] = []
    for part in _parts(new):
        rows = [_row(project_id, item, now) for item in part]
        _free(session, project_id, [row.entry_id for row in rows])
        _write(session, project_id, part, rows, now, reviewer, decision)
        ids += [row.entry_id for row in rows]
    return ids


def _write(
    session: Session,
    project_id: str,
    part: Sequence[New],
    rows: Sequence[Entry],
    now: datetime,
    reviewer: str,
    decision: int,
) -> None:
    connection = session.connection()
    connection.execute(insert(Entry), [row.model_dump() for row in rows])
    labels = [
        {"project_id": project_id, "entry_id": row.entry_id, "label": label}
        for item, row in zip(part, rows, strict=True)
        for label in sorted(set(item.draft.labels))
    ]
    if labels:
        connection.execute(insert(EntryLabel), labels)
    revisions = [
        revision
        for item, row in zip(part, rows, strict=True)
        for revision in _revisions(item, row, now, reviewer, decision)
    ]
    connection.execute(insert(Revision), revisions)
    index.put_many(
        session,
        project_id,
        [indexed(row, item.draft.labels) for item, row in zip(part, rows, strict=True)],
    )


def _row(project_id: str, item: New, now: datetime) -> Entry:
    draft = item.draft
    columns = {"created_at": now, "updated_at": now, "verified_at": now, **item.columns}
    columns.setdefault("anchors", [{"ref": ref} for ref in draft.refs])
    return Entry(
        project_id=project_id,
        entry_id=draft.entry_id or "m-" + short_id(f"{project_id}\0{draft.content_hash}\0{now.isoformat()}"),
        rev=len(item.history) + 1,
        kind=draft.kind.value,
        route=draft.route.value,
        title=draft.title,
        body=draft.body,
        content_hash=draft.content_hash,
        **columns,
    )


def _revisions(item: New, row: Entry, now: datetime, reviewer: str, decision: int) -> Iterator[dict[str, Any]]:
    key = {"project_id": row.project_id, "entry_id": row.entry_id}
    for number, kept in enumerate(item.history, 1):
        at = datetime.fromisoformat(str(kept["at"])) if kept.get("at") else now
        value = {**kept["value"], "entry_id": row.entry_id, "rev": number}
        yield {**key, "rev": number, "value": value, "decision": 0, "reviewer": str(kept.get("reviewer", "")), "at": at}
    value = document(row, item.draft.labels)
    yield {**key, "rev": row.rev, "value": value, "decision": decision, "reviewer": reviewer, "at": now}


def _free(session: Session, project_id: str, ids: Sequence[str]) -> None:
    """No id twice, and none that exists."""
    taken = set(
        session.exec(select(Entry.entry_id).where(Entry.project_id == project_id, col(Entry.entry_id).in_(ids)))
    )
    taken |= {entry_id for entry_id in ids if ids.count(entry_id) > 1} if len(set(ids)) < len(ids) else set()
    if taken:
        raise Conflict(f"already there: {', '.join(sorted(taken)[:5])}")


def _parts(new: Iterable[New]) -> Iterator[list[New]]:
    rest = iter(new)
    while part := list(islice(rest, _AT_A_TIME)):
        yield part
