"""Indexes for questions about the newest: the last proposal's number, the last receipt, what changed since."""

from alembic import op

revision = "0002"
down_revision = "0001"

INDEXES = (
    ("ix_proposal_number", "proposal", ("project_id", "number")),
    ("ix_receipt_at", "receipt", ("project_id", "at")),
    ("ix_entry_updated", "entry", ("project_id", "updated_at")),
)


def upgrade() -> None:
    """Add the indexes."""
    for name, table, columns in INDEXES:
        op.create_index(name, table, list(columns))


def downgrade() -> None:
    """Remove them."""
    for name, table, _ in reversed(INDEXES):
        op.drop_index(name, table)
