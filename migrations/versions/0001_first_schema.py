"""The first schema."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

SQLITE_INDEX = (
    "CREATE VIRTUAL TABLE entry_words USING fts5(project_id UNINDEXED, entry_id UNINDEXED, title, labels, body, "
    "tokenize=\"ascii tokenchars '_~'\")",
)
POSTGRES_INDEX = (
    "CREATE TABLE entry_words (project_id varchar NOT NULL, entry_id varchar NOT NULL, words tsvector NOT NULL, "
    "PRIMARY KEY (project_id, entry_id))",
    "CREATE INDEX ix_entry_words ON entry_words USING gin (words)",
)


def _columns(make: Callable[[], Any]) -> Callable[..., list[sa.Column[Any]]]:
    return lambda *names, nullable=False: [sa.Column(name, make(), nullable=nullable) for name in names]


key, text, doc = _columns(sa.String), _columns(sa.Text), _columns(sa.JSON)
whole, real, flag = _columns(sa.Integer), _columns(sa.Float), _columns(sa.Boolean)
blob, when = _columns(sa.LargeBinary), _columns(lambda: sa.DateTime(timezone=True))


def upgrade() -> None:
    """Make every table and the full-text index."""
    _part_1()
    _part_2()
    _part_3()
    _part_4()
    _part_5()
    _part_6()
    _part_7()
    _part_8()
    _part_9()
    _part_10()
    _part_11()
    for statement in SQLITE_INDEX if op.get_bind().dialect.name == "sqlite" else POSTGRES_INDEX:
        op.execute(statement)


def downgrade() -> None:
    """Remove everything; `curator db downgrade` makes a backup first."""
    op.drop_table("entry_words")
    for name in reversed(TABLES):
        op.drop_table(name)


TABLES = [
    "project",
    "attempt",
    "checkpoint",
    "cursor",
    "decision",
    "entry",
    "fact",
    "note",
    "proposal",
    "raw_line",
    "receipt",
    "refusal",
    "session",
    "sighting",
    "sweep",
    "vector",
    "verdict",
    "entry_label",
    "open_target",
    "record",
    "revision",
]


def _part_1() -> None:
    op.create_table(
        "project", *key("project_id"), *text("name"), *when("created_at"), sa.PrimaryKeyConstraint("project_id")
    )
    op.create_table(
        "attempt",
        *key("project_id", "attempt_id"),
        *text("session_id", "checkpoint_id", "outcome"),
        *doc("value"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "attempt_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_2() -> None:
    op.create_table(
        "checkpoint",
        *key("project_id", "checkpoint_id"),
        *text("session_id", "worktree", "branch", "parent_id", "made_by"),
        *whole("last_seq", "window", "tokens"),
        *doc("value"),
        *when("created_at"),
        sa.PrimaryKeyConstraint("project_id", "checkpoint_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_index("ix_checkpoint_session", "checkpoint", ["project_id", "session_id", "created_at"])
    op.create_table(
        "cursor",
        *key("project_id", "path"),
        *whole("offset", "line"),
        *text("digest"),
        *doc("damaged", "state"),
        *when("read_at"),
        sa.PrimaryKeyConstraint("project_id", "path"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_3() -> None:
    op.create_table(
        "decision",
        *key("project_id"),
        *whole("seq"),
        *text("verb"),
        *doc("proposals", "entries"),
        *text("reviewer", "via", "reason", "comment"),
        *doc("effects"),
        *whole("undoes", "undone_by", nullable=True),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "seq"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "entry",
        *key("project_id", "entry_id"),
        *whole("rev"),
        *text("route", "kind", "state", "title", "body", "origin"),
        *flag("pinned"),
        *real("importance", nullable=True),
        *whole("sightings", "tokens"),
        *text("encoding", "content_hash", "fingerprint", "superseded_by", "reason"),
        *doc("anchors"),
        *text("anchor_state"),
        *doc("source", "extra"),
        *when("created_at", "updated_at", "verified_at"),
        *when("expires_at", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "entry_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_index("ix_entry_state", "entry", ["project_id", "state", "route"])
    op.create_index("ix_entry_fingerprint", "entry", ["project_id", "fingerprint"])


def _part_4() -> None:
    op.create_table(
        "fact",
        *key("project_id", "key"),
        *doc("value"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "key"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "note",
        *key("project_id", "note_id"),
        *text("kind"),
        *flag("marked"),
        *text("title", "body"),
        *doc("labels", "refs"),
        *text("origin"),
        *doc("source"),
        *text("fingerprint", "state", "became", "reason"),
        *when("said_at", nullable=True),
        *when("created_at"),
        sa.PrimaryKeyConstraint("project_id", "note_id"),
        sa.UniqueConstraint("project_id", "fingerprint"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_index("ix_note_state", "note", ["project_id", "state"])


def _part_5() -> None:
    op.create_table(
        "proposal",
        *key("project_id", "proposal_id"),
        *whole("number", "rev"),
        *text("op", "state", "relation", "title", "kind", "route", "origin"),
        *doc("targets", "before", "after"),
        *text("reason"),
        *real("confidence", "harm"),
        *doc("evidence", "similar", "lost", "warnings", "notes"),
        *text("group", "fingerprint"),
        *whole("token_effect"),
        *flag("edited"),
        *whole("sweep"),
        *doc("settings"),
        *when("created_at"),
        *when("expires_at", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "proposal_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_index("ix_proposal_fingerprint", "proposal", ["project_id", "fingerprint"])
    op.create_index("ix_proposal_state", "proposal", ["project_id", "state"])
    op.create_table(
        "raw_line",
        *key("project_id", "format", "path"),
        *whole("line"),
        *text("key"),
        *blob("data"),
        sa.PrimaryKeyConstraint("project_id", "format", "path", "line"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_6() -> None:
    op.create_table(
        "receipt",
        *key("project_id", "receipt_id"),
        *text("session_id", "client", "source"),
        *doc("entries", "left_out"),
        *whole("tokens", "bytes"),
        *text("digest"),
        *flag("delivered", nullable=True),
        *doc("evidence"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "receipt_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "refusal",
        *key("project_id", "fingerprint"),
        *text("slots", "text", "proposal_id", "reason"),
        *whole("decision", "blocked"),
        *when("last_blocked_at", nullable=True),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "fingerprint"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_7() -> None:
    op.create_table(
        "session",
        *key("project_id", "session_id"),
        *text("client", "worktree", "branch", "path", "parent_id"),
        *when("started_at", "last_at", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "session_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "sighting",
        *key("project_id", "fingerprint", "session_id"),
        *text("origin"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "fingerprint", "session_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_8() -> None:
    op.create_table(
        "sweep",
        *key("project_id"),
        *whole("number"),
        *doc("counts", "settings"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "number"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "vector",
        *key("project_id", "model", "content_hash"),
        *whole("dim"),
        *blob("data"),
        sa.PrimaryKeyConstraint("project_id", "model", "content_hash"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )


def _part_9() -> None:
    op.create_table(
        "verdict",
        *key("project_id", "older_hash", "newer_hash"),
        *text("relation", "reason", "judge"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "older_hash", "newer_hash"),
        sa.ForeignKeyConstraint(["project_id"], ["project.project_id"]),
    )
    op.create_table(
        "entry_label",
        *key("project_id", "entry_id", "label"),
        sa.PrimaryKeyConstraint("project_id", "entry_id", "label"),
        sa.ForeignKeyConstraint(["project_id", "entry_id"], ["entry.project_id", "entry.entry_id"], ondelete="CASCADE"),
    )
    op.create_index("ix_entry_label", "entry_label", ["project_id", "label"])


def _part_10() -> None:
    op.create_table(
        "open_target",
        *key("project_id", "entry_id"),
        *text("proposal_id"),
        sa.PrimaryKeyConstraint("project_id", "entry_id"),
        sa.ForeignKeyConstraint(
            ["project_id", "proposal_id"], ["proposal.project_id", "proposal.proposal_id"], ondelete="CASCADE"
        ),
    )
    op.create_table(
        "record",
        *key("project_id", "session_id"),
        *whole("seq"),
        *text("kind", "typed", "origin", "sender", "mark", "text", "name", "detail"),
        *whole("size", "tokens", "unit"),
        *doc("files"),
        *text("source_id"),
        *when("at", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "session_id", "seq"),
        sa.ForeignKeyConstraint(
            ["project_id", "session_id"], ["session.project_id", "session.session_id"], ondelete="CASCADE"
        ),
        sa.UniqueConstraint("project_id", "source_id"),
    )


def _part_11() -> None:
    op.create_table(
        "revision",
        *key("project_id", "entry_id"),
        *whole("rev"),
        *doc("value"),
        *whole("decision"),
        *text("reviewer"),
        *when("at"),
        sa.PrimaryKeyConstraint("project_id", "entry_id", "rev"),
        sa.ForeignKeyConstraint(["project_id", "entry_id"], ["entry.project_id", "entry.entry_id"], ondelete="CASCADE"),
    )
