"""The tables. One schema for SQLite and PostgreSQL; every key begins with `project_id`, so that it can be sharded.

Owns names, types and keys of what is stored; `migrations/` must make exactly this (a test compares). JSON columns
hold lists and small documents that are always read whole; what is filtered or joined has a column or a table.
Times are UTC and timezone-aware on both databases. Rows never leave the store and the stages that own the transaction.
"""

from curator.store.tables.conversation import (
    Attempt,
    Checkpoint,
    Cursor,
    Note,
    Project,
    Receipt,
    Record,
    Session,
    Sighting,
)
from curator.store.tables.curation import Decision, OpenTarget, Proposal, Refusal, Sweep
from curator.store.tables.memory import Entry, EntryLabel, Fact, RawLine, Revision, Vector, Verdict

__all__ = [
    "Attempt",
    "Checkpoint",
    "Cursor",
    "Decision",
    "Entry",
    "EntryLabel",
    "Fact",
    "Note",
    "OpenTarget",
    "Project",
    "Proposal",
    "RawLine",
    "Receipt",
    "Record",
    "Refusal",
    "Revision",
    "Session",
    "Sighting",
    "Sweep",
    "Vector",
    "Verdict",
]
