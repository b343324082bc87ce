"""Texts on a server are ordered by their bytes, as in SQLite: the same memory exports the same file everywhere."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Set the byte order on every column of text; nothing to do in SQLite, whose order it is."""
    _collate('COLLATE "C"')


def downgrade() -> None:
    """Back to the database's own order."""
    _collate('COLLATE "default"')


def _collate(collation: str) -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        return
    found = sa.inspect(connection)
    for table in found.get_table_names():
        columns = ((column["name"], column["type"]) for column in found.get_columns(table))
        texts = [(name, kind) for name, kind in columns if isinstance(kind, sa.String)]
        if texts and table != "alembic_version":
            changes = ", ".join(
                f'ALTER COLUMN "{name}" TYPE {"TEXT" if isinstance(kind, sa.Text) else "VARCHAR"} {collation}'
                for name, kind in texts
            )
            op.execute(f'ALTER TABLE "{table}" {changes}')
