"""A session's record as the checkpoint engine sees it.

Owns the one translation from stored rows to the engine's. Reads only; checkpoint rows are left out, because a
checkpoint never summarises itself.
"""

from sqlmodel import Session, col, select

from curator.checkpoint.frame import provenance
from curator.checkpoint.record import Row
from curator.errors import NotFound
from curator.store import tables
from curator.transcript import Mark
from curator.vocab import Row as Kind
from curator.vocab import Typed

SKILL_TOOLS = frozenset({"Skill", "skill", "SlashCommand"})


def rows_of(session: Session, project_id: str, session_id: str, through: int | None = None) -> tuple[Row, ...]:
    """The rows of a session in order, up to number `through`."""
    record = tables.Record
    query = select(record).where(
        record.project_id == project_id,
        record.session_id == session_id,
        record.kind != Kind.CHECKPOINT.value,
        record.mark != Mark.EXPIRED.value,
    )
    if through is not None:
        query = query.where(record.seq <= through)
    return tuple(_row(row) for row in session.exec(query.order_by(col(record.seq))))


def session_named(session: Session, project_id: str, ident: str, worktree: str) -> tables.Session:
    """The session with this id or unique beginning of one; without any, the newest of this worktree.

    Sub-agents' sessions are taken only by their whole id. Raises `NotFound`.
    """
    kept = tables.Session
    query = select(kept).where(kept.project_id == project_id)
    if not ident:
        query = query.where(kept.worktree == worktree, kept.parent_id == "")
        newest = session.exec(query.order_by(col(kept.last_at).desc(), col(kept.session_id))).first()
        if newest is None:
            raise NotFound("no session is recorded here yet; `curator harvest` reads transcripts")
        return newest
    exact = session.get(kept, (project_id, ident))
    if exact is not None:
        return exact
    like = [row for row in session.exec(query) if row.session_id.startswith(ident) and not row.parent_id]
    if len(like) != 1:
        raise NotFound(f"there is no session {ident}" if not like else f"{ident} is the beginning of several sessions")
    return like[0]


def _row(row: tables.Record) -> Row:
    kind = Kind(row.kind)
    typed = Typed(row.typed) if row.typed else Typed.MACHINE
    return Row(
        seq=row.seq,
        kind=kind,
        text=row.text,
        typed=typed,
        unit=row.unit,
        label="" if typed.by_person or kind is not Kind.INPUT else provenance(row.sender or "input", f"#{row.seq}"),
        name=row.name,
        size=row.size,
        files=row.files,
        skill=row.detail if kind is Kind.TOOL_RESULT and row.name in SKILL_TOOLS else "",
        tokens=row.tokens,
    )
