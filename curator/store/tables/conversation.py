"""Conversations and what came out of them: sessions, records, notes, checkpoints, receipts."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from curator.store.columns import Table, child, document, list_of, maybe_time, string, time


class Project(Table, table=True):
    """A project; its id is made at init and kept in `.curator/config.toml`."""

    project_id: str = Field(primary_key=True)
    name: str = string()
    created_at: datetime = time()


class Session(Table, table=True):
    """One conversation with a client."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    session_id: str = Field(primary_key=True)
    client: str = string()
    worktree: str = string()
    branch: str = string()
    path: str = string()
    parent_id: str = string()
    started_at: datetime | None = maybe_time()
    last_at: datetime | None = maybe_time()


class Record(Table, table=True):
    """One row of a conversation, append-only. `seq` starts at 1 in each session.

    `kind` is a `vocab.Row`, `typed` a `vocab.Typed`, `origin` a `vocab.Origin`; `source_id` is the client's own id
    of the row (or a digest of session, role, time and text where it has none). `sender` names a machine sender.
    `mark` is a `transcript.Mark`: a compaction's boundary or summary, text injected by a hook.
    For a tool result `text` is empty, `name` the tool, `detail` its command, path or query on one line, and `size`
    the bytes of its output; `files` holds `{"read": [...], "written": [...]}`. `detail` of an input is the slash
    command it was the argument of. `unit` numbers the unit (one input, or one response with its results).
    """

    __table_args__ = (
        child("project_id", "session_id", of="session", keys=("project_id", "session_id")),
        UniqueConstraint("project_id", "source_id"),
    )
    project_id: str = Field(primary_key=True)
    session_id: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)
    kind: str = string()
    typed: str = string()
    origin: str = string()
    sender: str = string()
    mark: str = string()
    text: str = string()
    name: str = string()
    detail: str = string()
    size: int = 0
    tokens: int = 0
    unit: int = 0
    files: dict[str, Any] = document()
    source_id: str = string()
    at: datetime | None = maybe_time()


class Cursor(Table, table=True):
    """How far a transcript file was read; believed only while `digest` still matches what precedes `offset`.

    `state` is what the client's reader and the record's writer need to go on: open tool calls and their units.
    """

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    path: str = Field(primary_key=True)
    offset: int = 0
    line: int = 0
    digest: str = string()
    damaged: list[int] = list_of()
    state: dict[str, Any] = document()
    read_at: datetime = time()


class Note(Table, table=True):
    """Raw text as captured, never shown to an agent. One thing said once is one note (`fingerprint` is unique).

    `kind` is empty until a marker, a heading or the sweep names it. `source`: `{client, session, seqs, file,
    checkpoint, part, heading}` as far as known. `state` is a `vocab.NoteState`; `became` names the proposal.
    """

    __table_args__ = (
        UniqueConstraint("project_id", "fingerprint"),
        Index("ix_note_state", "project_id", "state"),
    )
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    note_id: str = Field(primary_key=True)
    kind: str = string()
    marked: bool = False
    title: str = string()
    body: str = string()
    labels: list[str] = list_of()
    refs: list[str] = list_of()
    origin: str = string()
    source: dict[str, Any] = document()
    fingerprint: str = string()
    state: str = string("waiting")
    became: str = string()
    reason: str = string()
    said_at: datetime | None = maybe_time()
    created_at: datetime = time()


class Sighting(Table, table=True):
    """The same thing said again: at most once a session, and only a person's saying counts for importance."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    fingerprint: str = Field(primary_key=True)
    session_id: str = Field(primary_key=True)
    origin: str = string()
    at: datetime = time()


class Checkpoint(Table, table=True):
    """A committed checkpoint. `value` is the engine's own document (see `curator.checkpoint`); chained by `parent_id`.

    `last_seq` is the last record number it summarises and never decreases in a session. `made_by`: host, model, hook.
    """

    __table_args__ = (Index("ix_checkpoint_session", "project_id", "session_id", "created_at"),)
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    checkpoint_id: str = Field(primary_key=True)
    session_id: str = string()
    worktree: str = string()
    branch: str = string()
    parent_id: str = string()
    made_by: str = string()
    last_seq: int = 0
    window: int = 0
    tokens: int = 0
    value: dict[str, Any] = document()
    created_at: datetime = time()


class Attempt(Table, table=True):
    """Exactly one audit record for each attempt at a checkpoint; none of it becomes context."""

    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    attempt_id: str = Field(primary_key=True)
    session_id: str = string()
    checkpoint_id: str = string()
    outcome: str = string()
    value: dict[str, Any] = document()
    at: datetime = time()


class Receipt(Table, table=True):
    """What one injection handed over: `entries` with their factors, `left_out`, and whether it was seen to arrive."""

    __table_args__ = (Index("ix_receipt_at", "project_id", "at"),)
    project_id: str = Field(primary_key=True, foreign_key="project.project_id")
    receipt_id: str = Field(primary_key=True)
    session_id: str = string()
    client: str = string()
    source: str = string()
    entries: list[dict[str, Any]] = list_of()
    left_out: list[dict[str, Any]] = list_of()
    tokens: int = 0
    bytes: int = 0
    digest: str = string()
    delivered: bool | None = None
    evidence: dict[str, Any] = document()
    at: datetime = time()
