"""The migrations make exactly the tables that the code uses."""

import sqlite3
from contextlib import closing

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlmodel import SQLModel

from curator.store import opening
from curator.store.engine import DATABASE, Store
from curator.store.migrate import scripts


def test_the_migrations_make_exactly_the_tables_of_the_code(store: Store) -> None:
    """A fresh store and the models do not differ in any table, column, key or index."""

    def ours(_object: object, name: str | None, kind: str, _reflected: bool, _other: object) -> bool:
        return kind != "table" or not str(name).startswith("entry_words")

    with store.engine.connect() as connection:
        options = {"include_object": ours, "compare_type": False}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, SQLModel.metadata) == []


def test_the_program_knows_the_newest_migration() -> None:
    """The schema stamp that opening compares with is the last migration's."""
    config = Config()
    config.set_main_option("script_location", str(scripts()))
    assert ScriptDirectory.from_config(config).get_current_head() == opening.HEAD


def test_a_store_is_readable_by_its_owner_only(store: Store) -> None:
    """Folder and files carry no right for group or others."""
    folder = store.place.folder
    assert folder.stat().st_mode & 0o077 == 0
    for path in folder.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path.name


def test_a_store_is_made_with_a_log_beside_it(store: Store) -> None:
    """The journal mode is WAL, so that readers and a writer do not wait for each other."""
    with closing(sqlite3.connect(store.place.folder / DATABASE)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
