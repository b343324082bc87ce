"""Entries with the history they have in another store: a sync file's, not made here.

Owns how such a history becomes rows: an entry that is not here whole, one that is here continued from the revision it
has. Callers own the transaction, decide nothing here, and record the decision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, update
from sqlmodel import Session, col

from curator.errors import Conflict
from curator.store import index
from curator.store.entries import columns_of
from curator.store.tables import Entry, EntryLabel, Revision


@dataclass(frozen=True)
class Told:
    """One revision as told: the entry's whole document then, the decision's number here (0 = none), who and when."""

    document: Mapping[str, Any]
    decision: int
    reviewer: str
    at: datetime


def insert_strands(session: Session, project_id: str, strands: Sequence[Sequence[Told]]) -> None:
    """Make entries that are not here, each from all its revisions, the last of which it is."""
    if not strands:
        return
    connection = session.connection()
    last = [strand[-1].document for strand in strands]
    connection.execute(
        insert(Entry), [_entry(project_id, value, len(s)) for value, s in zip(last, strands, strict=True)]
    )
    if labels := [row for value in last for row in _labels(project_id, value)]:
        connection.execute(insert(EntryLabel), labels)
    connection.execute(
        insert(Revision), [_revision(project_id, told, number) for s in strands for number, told in enumerate(s, 1)]
    )
    index.put_many(session, project_id, [_indexed(value) for value in last])


def follow(session: Session, project_id: str, rev: int, told: Sequence[Told]) -> None:
    """Continue an entry that is at `rev`; raises `Conflict` when it is not."""
    value = told[-1].document
    key = (col(Entry.project_id) == project_id, col(Entry.entry_id) == value["entry_id"])
    columns = _entry(project_id, value, rev + len(told))
    done = session.connection().execute(update(Entry).where(*key, col(Entry.rev) == rev).values(**columns))
    if done.rowcount != 1:
        raise Conflict(f"{value['entry_id']} changed since it was read (revision {rev})")
    session.connection().execute(
        delete(EntryLabel).where(
            col(EntryLabel.project_id) == project_id, col(EntryLabel.entry_id) == value["entry_id"]
        )
    )
    if labels := _labels(project_id, value):
        session.connection().execute(insert(EntryLabel), labels)
    rows = [_revision(project_id, each, number) for number, each in enumerate(told, rev + 1)]
    session.connection().execute(insert(Revision), rows)
    index.put(session, project_id, _indexed(value))
    session.expire_all()


def _entry(project_id: str, value: Mapping[str, Any], rev: int) -> dict[str, Any]:
    columns = columns_of(value)
    names = Entry.model_fields.keys() & columns.keys()
    kept = {name: columns[name] for name in names}
    return {
        **kept,
        "project_id": project_id,
        "entry_id": value["entry_id"],
        "rev": rev,
        "content_hash": value["content_hash"],
    }


def _labels(project_id: str, value: Mapping[str, Any]) -> list[dict[str, Any]]:
    key = {"project_id": project_id, "entry_id": value["entry_id"]}
    return [{**key, "label": label} for label in sorted(set(value["labels"]))]


def _revision(project_id: str, told: Told, number: int) -> dict[str, Any]:
    value = {**told.document, "rev": number}
    return {
        "project_id": project_id,
        "entry_id": value["entry_id"],
        "rev": number,
        "value": value,
        "decision": told.decision,
        "reviewer": told.reviewer,
        "at": told.at,
    }


def _indexed(value: Mapping[str, Any]) -> index.Text:
    names = ("entry_id", "title", "labels", "body", "state", "kind", "route")
    return index.Text(*(value[name] for name in names))
