"""Refusals: what a person did not want, and how often it came again."""

from datetime import datetime

from sqlmodel import Session, col, update

from curator.store.tables import Refusal


def count_blocked(session: Session, project_id: str, fingerprint: str, now: datetime) -> None:
    """Count that what was refused under this fingerprint came again; nothing happens where it was not refused."""
    session.connection().execute(
        update(Refusal)
        .where(col(Refusal.project_id) == project_id, col(Refusal.fingerprint) == fingerprint)
        .values(blocked=Refusal.blocked + 1, last_blocked_at=now)
    )
