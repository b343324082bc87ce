"""Entries and what belongs to them: labels, revisions, vectors, verdicts, foreign lines."""

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, LargeBinary
from sqlmodel import Field

from curator.store.columns import Table, child, document, list_of, maybe_time, string, time

_STANDING = ("project_id", "route", "state", "kind", "origin", "importance", "sightings", "verified_at", "entry_id",
    "anchor_state")  # fmt: skip
"""Everything that an entry's rank without relevance depends on, so that the snapshot's choice reads nothing else."""


class Entry(Table, table=True):
    """An approved item. `rev` counts its revisions; every write is compare-and-set on it.

    `route` is a `vocab.Route`, `state` a `vocab.EntryState`. `content_hash` covers title, body, kind, route and
    labels. `importance` is the reviewer's choice 0..1 (None = from the kind). `tokens` is raw in `encoding`.
    `anchors`: list of `{ref, kind, state, checked_at}`; `anchor_state` is the worst of them. `extra` keeps foreign
    fields for the round trip. `superseded_by` is an entry id.
    """

    __table_args__ = (
        Index("ix_entry_state", "project_id", "state", "route", "updated_at"),
        Index("ix_entry_standing", *_STANDING),
        Index("ix_entry_pinned", "project_id", "pinned", "route", "state", "entry_id"),
        Index("ix_entry_fingerprint", "project_id", "fingerprint"),
        Index("ix_entry_updated", "project_id", "updated_at"),
    )
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    entry_id: str = Field(primary_key=True)
    rev: int = 1
    route: str = string()
    kind: str = string()
    state: str = string("active")
    title: str = string()
    body: str = string()
    origin: str = string()
    pinned: bool = False
    importance: float | None = None
    sightings: int = 0
    tokens: int = 0
    encoding: str = string()
    content_hash: str = string()
    fingerprint: str = string()
    superseded_by: str = string()
    reason: str = string()
    anchors: list[dict[str, Any]] = list_of()
    anchor_state: str = string()
    source: dict[str, Any] = document()
    extra: dict[str, Any] = document()
    created_at: datetime = time()
    updated_at: datetime = time()
    verified_at: datetime = time()
    expires_at: datetime | None = maybe_time()


class EntryLabel(Table, table=True):
    """A label of an entry, exact and case-sensitive."""

    __tablename__ = "entry_label"
    __table_args__ = (
        child("project_id", "entry_id", of="entry", keys=("project_id", "entry_id")),
        Index("ix_entry_label", "project_id", "label"),
    )
    project_id: str = Field(primary_key=True)
    entry_id: str = Field(primary_key=True)
    label: str = Field(primary_key=True)


class Revision(Table, table=True):
    """An entry as it was at one revision: `value` is the whole entry as a document (see `store.entries.document`)."""

    __table_args__ = (
        child("project_id", "entry_id", of="entry", keys=("project_id", "entry_id")),
        Index("ix_revision_at", "project_id", "at"),
    )
    project_id: str = Field(primary_key=True)
    entry_id: str = Field(primary_key=True)
    rev: int = Field(primary_key=True)
    value: dict[str, Any] = document()
    decision: int = 0
    reviewer: str = string()
    at: datetime = time()


class Vector(Table, table=True):
    """A unit vector (float32, little-endian) of one model for one content; an edit never leaves an old one in use."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    model: str = Field(primary_key=True)
    content_hash: str = Field(primary_key=True)
    dim: int = 0
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Verdict(Table, table=True):
    """How one text stands to another; not asked again while both contents are the same."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    older_hash: str = Field(primary_key=True)
    newer_hash: str = Field(primary_key=True)
    relation: str = string()
    reason: str = string()
    judge: str = string()
    at: datetime = time()


class RawLine(Table, table=True):
    """A foreign file's line as it was read, for a byte-lossless way back."""

    __tablename__ = "raw_line"
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    format: str = Field(primary_key=True)
    path: str = Field(primary_key=True)
    line: int = Field(primary_key=True)
    key: str = string()
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Fact(Table, table=True):
    """Small facts about a store: calibrated thresholds, last ingest, demo mark; `value` is a document."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    key: str = Field(primary_key=True)
    value: dict[str, Any] = document()
    at: datetime = time()
