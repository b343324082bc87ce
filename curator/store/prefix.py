"""The one row that a person means by the beginning of its id."""

from typing import TypeVar

from sqlmodel import Session, col, select

from curator.errors import NotFound
from curator.store.tables import Checkpoint, Entry, Note, Proposal

Row = TypeVar("Row", Entry, Proposal, Note, Checkpoint)

_CANDIDATES = 6


def meant(
    session: Session, table: type[Row], key: str, project_id: str, wanted: str, missing: NotFound, said: str
) -> Row:
    """The row whose id (the column `key`) is or begins with `wanted`; `said` is what the person wrote for it.

    Raises `missing` where none fits or nothing was named, and `NotFound` with the candidates where several fit.
    """
    if exact := session.get(table, (project_id, wanted)):
        return exact
    ident = getattr(table, key)
    fitting = col(ident).startswith(wanted, autoescape=True)
    rows = session.exec(
        select(table).where(table.project_id == project_id, fitting).order_by(ident).limit(_CANDIDATES)
    ).all()
    if not rows or not wanted:
        raise missing
    if len(rows) > 1:
        raise NotFound(f"{said} fits several: {', '.join(getattr(row, key) for row in rows)}")
    return rows[0]
