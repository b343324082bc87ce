"""Entries: reading them, and the only functions that change one.

Every change is compare-and-set on the revision, keeps the revision that was, and keeps the index in step. Callers
(`curator.ledger`, import) own the transaction and record the decision; nothing here decides.
"""

import hashlib
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, update
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, col, select

from curator.draft import Draft, content_hash
from curator.errors import Conflict, NotFound
from curator.store import index
from curator.store.prefix import meant
from curator.store.tables import Entry, EntryLabel, Revision
from curator.vocab import EntryState, Kind, Route

_TIMES = ("created_at", "updated_at", "verified_at", "expires_at")


def get(session: Session, project_id: str, entry_id: str) -> Entry:
    """The entry; raises `NotFound`."""
    found = session.get(Entry, (project_id, entry_id))
    if found is None:
        raise NotFound(f"not found: {entry_id}")
    return found


def by_prefix(session: Session, project_id: str, prefix: str) -> Entry:
    """The one entry whose id is or begins with `prefix`; raises `NotFound`, naming the candidates where several fit."""
    return meant(session, Entry, "entry_id", project_id, prefix, NotFound(f"not found: {prefix}"), prefix)


def labels_of(session: Session, project_id: str, entry_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Labels by entry id, sorted; ids without labels have an empty tuple."""
    found: dict[str, list[str]] = {entry_id: [] for entry_id in entry_ids}
    ids = list(found)
    for start in range(0, len(ids), 500):
        rows = session.exec(
            select(EntryLabel).where(
                EntryLabel.project_id == project_id, col(EntryLabel.entry_id).in_(ids[start : start + 500])
            )
        )
        for row in rows:
            found[row.entry_id].append(row.label)
    return {entry_id: tuple(sorted(labels)) for entry_id, labels in found.items()}


def draft_of(entry: Entry, labels: Sequence[str]) -> Draft:
    """What the entry says."""
    refs = tuple(str(anchor.get("ref", "")) for anchor in entry.anchors)
    return Draft(
        entry.title, entry.body, Kind(entry.kind), Route(entry.route), tuple(sorted(labels)), refs, entry.entry_id
    )


def document(entry: Entry, labels: Sequence[str]) -> dict[str, Any]:
    """The whole entry as JSON, as revisions, the ledger and exports keep it."""
    value = {name: getattr(entry, name) for name in Entry.model_fields if name != "project_id"}
    for name in _TIMES:
        value[name] = value[name].isoformat() if value[name] else None
    return {**value, "labels": sorted(labels)}


def insert(
    session: Session,
    project_id: str,
    draft: Draft,
    now: datetime,
    *,
    reviewer: str = "",
    decision: int = 0,
    **more: Any,
) -> Entry:
    """Make an entry at revision 1 from a draft; `more` sets other columns (origin, tokens, importance, …)."""
    entry = Entry(
        project_id=project_id,
        entry_id=draft.entry_id or new_id(session, project_id, draft, now),
        kind=draft.kind.value,
        route=draft.route.value,
        title=draft.title,
        body=draft.body,
        content_hash=draft.content_hash,
        anchors=more.pop("anchors", [{"ref": ref} for ref in draft.refs]),
        created_at=more.pop("created_at", now),
        updated_at=more.pop("updated_at", now),
        verified_at=more.pop("verified_at", now),
        **more,
    )
    session.add(entry)
    session.flush()
    _set_labels(session, entry, draft.labels)
    _keep(session, entry, draft.labels, now, reviewer, decision)
    return entry


def change(
    session: Session,
    entry: Entry,
    now: datetime,
    *,
    rev: int,
    draft: Draft | None = None,
    reviewer: str = "",
    decision: int = 0,
    **columns: Any,
) -> Entry:
    """Change an entry that is still at `rev`; raises `Conflict` when it is not. Returns the entry as it is now."""
    if draft is not None:
        columns |= {
            "title": draft.title,
            "body": draft.body,
            "kind": draft.kind.value,
            "route": draft.route.value,
            "content_hash": draft.content_hash,
        }
    columns.setdefault("updated_at", now)
    done = session.connection().execute(
        update(Entry)
        .where(col(Entry.project_id) == entry.project_id, col(Entry.entry_id) == entry.entry_id, col(Entry.rev) == rev)
        .values(rev=rev + 1, **columns)
    )
    if done.rowcount != 1:
        raise Conflict(f"{entry.entry_id} changed since it was shown (revision {rev})")
    session.expire(entry)
    session.refresh(entry)
    labels = (
        draft.labels if draft is not None else labels_of(session, entry.project_id, [entry.entry_id])[entry.entry_id]
    )
    if draft is not None:
        _set_labels(session, entry, labels)
    else:
        index.put(session, entry.project_id, indexed(entry, labels))
    _keep(session, entry, labels, now, reviewer, decision)
    return entry


def write_back(
    session: Session, project_id: str, value: Mapping[str, Any], now: datetime, *, reviewer: str, decision: int
) -> Entry:
    """Give an entry the content of an earlier document (undo, sync), as a new revision of its own."""
    columns = columns_of(value)
    columns["updated_at"] = now
    columns["content_hash"] = content_hash(
        value["title"], value["body"], value["kind"], value["route"], value["labels"]
    )
    entry = get(session, project_id, str(value["entry_id"]))
    entry = change(session, entry, now, rev=entry.rev, reviewer=reviewer, decision=decision, **columns)
    _set_labels(session, entry, tuple(value["labels"]))
    kept = session.get(Revision, (project_id, entry.entry_id, entry.rev))
    if kept is not None:
        kept.value = document(entry, value["labels"])
    return entry


def columns_of(value: Mapping[str, Any]) -> dict[str, Any]:
    """A document's columns as `change` takes them: without id, revision, labels and hash; times as times."""
    columns = {name: item for name, item in value.items() if name not in {"entry_id", "rev", "labels", "content_hash"}}
    for name in _TIMES:
        if name in columns:
            columns[name] = datetime.fromisoformat(columns[name]) if columns[name] else None
    return columns


def take_away(session: Session, project_id: str, entry_id: str) -> None:
    """Let an entry not be there, with its labels, revisions and index: undoing what made it, and `purge`."""
    take_away_many(session, project_id, [entry_id])


def take_away_many(session: Session, project_id: str, entry_ids: Sequence[str]) -> None:
    """As `take_away`, at most some hundred at once."""
    index.drop_many(session, project_id, entry_ids)
    session.flush()
    for entry_id in entry_ids:
        known = session.identity_map.get(identity_key(Entry, (project_id, entry_id)))
        if known is not None:
            session.expunge(known)
    for table in (EntryLabel, Revision, Entry):
        session.connection().execute(
            delete(table).where(col(table.project_id) == project_id, col(table.entry_id).in_(entry_ids))
        )


def new_id(session: Session, project_id: str, draft: Draft, now: datetime) -> str:
    """A short id that no entry has: `m-` and eight letters, made from content and time."""
    for salt in range(1_000):
        seed = f"{project_id}\0{draft.content_hash}\0{now.isoformat()}\0{salt}"
        entry_id = "m-" + short_id(seed)
        if session.get(Entry, (project_id, entry_id)) is None:
            return entry_id
    raise Conflict("no free id")


def short_id(seed: str) -> str:
    """Eight lower-case letters and digits that depend only on `seed`."""
    return b32encode(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()).decode()[:8].lower()


def indexed(entry: Entry, labels: Sequence[str]) -> index.Text:
    """What the index holds of an entry."""
    return index.Text(entry.entry_id, entry.title, labels, entry.body, entry.state, entry.kind, entry.route)


def _set_labels(session: Session, entry: Entry, labels: Sequence[str]) -> None:
    session.connection().execute(
        delete(EntryLabel).where(
            col(EntryLabel.project_id) == entry.project_id, col(EntryLabel.entry_id) == entry.entry_id
        )
    )
    session.add_all(
        EntryLabel(project_id=entry.project_id, entry_id=entry.entry_id, label=label) for label in sorted(set(labels))
    )
    session.flush()
    index.put(session, entry.project_id, indexed(entry, labels))


def _keep(session: Session, entry: Entry, labels: Sequence[str], now: datetime, reviewer: str, decision: int) -> None:
    session.add(
        Revision(
            project_id=entry.project_id,
            entry_id=entry.entry_id,
            rev=entry.rev,
            value=document(entry, labels),
            decision=decision,
            reviewer=reviewer,
            at=now,
        )
    )
    session.flush()


def is_active(entry: Entry) -> bool:
    """Is the entry in any read path?"""
    return entry.state == EntryState.ACTIVE
