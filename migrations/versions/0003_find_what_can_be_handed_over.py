"""Indexes for the snapshot: entries by what their importance is made of, the pinned, the newest deferred, and edits."""

from alembic import op

revision = "0003"
down_revision = "0002"

INDEXES = (
    (
        "ix_entry_standing",
        "entry",
        "project_id route state kind origin importance sightings verified_at entry_id anchor_state",
    ),
    ("ix_entry_pinned", "entry", "project_id pinned route state entry_id"),
    ("ix_revision_at", "revision", "project_id at"),
)
_STATE = "ix_entry_state"


def upgrade() -> None:
    """Add the indexes; entries of a state and route come in order of change."""
    for name, table, columns in INDEXES:
        op.create_index(name, table, columns.split())
    op.drop_index(_STATE, "entry")
    op.create_index(_STATE, "entry", ["project_id", "state", "route", "updated_at"])


def downgrade() -> None:
    """Remove them."""
    op.drop_index(_STATE, "entry")
    op.create_index(_STATE, "entry", ["project_id", "state", "route"])
    for name, table, _ in reversed(INDEXES):
        op.drop_index(name, table)
