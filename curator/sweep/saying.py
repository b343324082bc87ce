"""When a text was last said. What was said last stands (`docs/decisions/0150-what-was-said-last-stands.md`)."""

from datetime import datetime

from sqlmodel import Session, col, func, select

from curator.store.tables import Note, Sighting
from curator.vocab import NoteState


def last_said(session: Session, project_id: str, fingerprint: str) -> datetime | None:
    """When the text of an accepted note was said, or said again; None where no accepted note says it."""
    accepted = select(func.coalesce(col(Note.said_at), Note.created_at)).where(
        Note.project_id == project_id, Note.fingerprint == fingerprint, Note.state == NoteState.ACCEPTED.value
    )
    first: datetime | None = session.exec(accepted).first()
    if first is None:
        return None
    again = select(col(Sighting.at)).where(Sighting.project_id == project_id, Sighting.fingerprint == fingerprint)
    times: list[datetime] = [first, *session.exec(again)]
    return max(times)
