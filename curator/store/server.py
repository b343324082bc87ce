"""A team's PostgreSQL server: its schema, and locks that hold for all of its users."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from curator.errors import Busy, CannotLook
from curator.store.condition import HEAD, KNOWN


def empty(engine: Engine) -> bool:
    """Does the database hold no schema of this program yet? Raises `Busy` where the server does not answer."""
    return not stamp(engine)


def ready(engine: Engine) -> bool:
    """Make sure that the server has this program's schema; true when it was made or changed just now.

    Raises `Busy` where the server does not answer, `CannotLook` where it has a newer schema.
    """
    version = stamp(engine)
    if version == HEAD:
        return False
    if version and version not in KNOWN:
        raise CannotLook(f"{where(engine)} has schema {version}, this program knows {HEAD}: upgrade curator")
    from curator.store.migrate import upgrade_server  # alembic costs 290 ms

    upgrade_server(engine)
    return True


def where(engine: Engine) -> str:
    """The database's name for a person; no user, no password."""
    return f"{engine.url.host or 'local socket'}/{engine.url.database}"


@contextmanager
def sweeping(session: Session, project_id: str) -> Iterator[bool]:
    """The lock that lets one sweep at a time run on a project, held until the transaction ends; false when taken.

    SQLite's writers take turns anyway: there it is always free.
    """
    if session.get_bind().dialect.name == "sqlite":
        yield True
        return
    statement = text("SELECT pg_try_advisory_xact_lock(hashtext('curator sweep'), hashtext(:project))")
    yield bool(session.connection().execute(statement, {"project": project_id}).scalar_one())


def stamp(engine: Engine) -> str:
    """The schema's stamp; "" for an empty database. Raises `Busy` where the server does not answer."""
    try:
        with engine.connect() as connection:
            if connection.execute(text("SELECT to_regclass('alembic_version')")).scalar_one() is None:
                return ""
            return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one())
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise Busy(f"the database {where(engine)} could not be reached: {reason}") from error
