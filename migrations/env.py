"""How alembic reaches the store: always over the connection that `curator.store.migrate` hands in."""

from alembic import context
from sqlmodel import SQLModel

import curator.store.tables  # noqa: F401 fills the metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
