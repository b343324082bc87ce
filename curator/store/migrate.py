"""Running the migrations. Imported only when one has to run, because alembic is slow to import."""

import os
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from curator.config import Settings
from curator.place import Place
from curator.store.engine import BUSY_SECONDS, DATABASE, postgres_engine, sqlite_engine
from curator.store.lock import held


def scripts() -> Path:
    """The folder of migrations: inside the wheel, or beside the package in a checkout."""
    package = Path(__file__).parent.parent
    packed = package / "_migrations"
    return packed if packed.is_dir() else package.parent / "migrations"


def upgrade(place: Place, settings: Settings, revision: str = "head") -> None:
    """Bring the store's schema to `revision`, in one transaction, one process at a time."""
    if settings.database_url:
        _run(postgres_engine(settings.database_url), revision)
        return
    path = place.folder / DATABASE
    with held(place.folder / "lock", BUSY_SECONDS * 6):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        _run(sqlite_engine(path), revision)


def _run(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(scripts()).replace("%", "%%"))
    options = {"curator_write": True, "curator_durable": True}
    with engine.execution_options(**options).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
