"""Whose turn it is to write to a project on a server: one writer at a time, as SQLite has it."""

from sqlalchemy import text
from sqlmodel import Session


def take_turn(session: Session, project_id: str, seconds: float) -> None:
    """Wait for the project's other writers, of all programs and computers; held until the transaction ends.

    Numbers that count up (decisions, proposals, records) are given out under it. The database raises an
    `OperationalError` where the turn does not come within `seconds`.
    """
    connection = session.connection()
    connection.execute(text("SELECT set_config('lock_timeout', :wait, true)"), {"wait": f"{int(seconds * 1000)}ms"})
    statement = text("SELECT pg_advisory_xact_lock(hashtext('curator write'), hashtext(:project))")
    connection.execute(statement, {"project": project_id})
