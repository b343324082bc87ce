"""Stored checkpoints and the audit of attempts.

Owns how a checkpoint is chained to the one before it, and the rule that a commit is one transaction: the checkpoint,
its row in the record and the attempt stand or fall together. Nothing stored here is ever changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from curator.checkpoint import Checkpoint, loaded
from curator.errors import Conflict, NotFound
from curator.store import tables
from curator.store.entries import short_id
from curator.store.prefix import meant
from curator.vocab import Origin
from curator.vocab import Row as Kind


@dataclass(frozen=True)
class Stored:
    """A checkpoint with what the store knows about it. `parent` is the id of the one before it in its session."""

    ident: str
    session: str
    worktree: str
    branch: str
    parent: str
    window: int
    created_at: datetime
    value: Checkpoint


def newest(session: Session, project_id: str, session_id: str) -> Stored | None:
    """The newest checkpoint of a session, by its row in the record. Raises `CuratorError` where it is malformed."""
    record = tables.Record
    made = select(record.name).where(
        record.project_id == project_id, record.session_id == session_id, record.kind == Kind.CHECKPOINT.value
    )
    for ident in session.exec(made.order_by(col(record.seq).desc())):
        if row := session.get(tables.Checkpoint, (project_id, ident)):
            return _stored(row)
    return None


def named(session: Session, project_id: str, ident: str) -> Stored:
    """The checkpoint with this id, or with the only id that begins so. Raises `NotFound`."""
    missing = NotFound(f"there is no checkpoint {ident}")
    return _stored(meant(session, tables.Checkpoint, "checkpoint_id", project_id, ident, missing, ident))


def history(session: Session, project_id: str, session_id: str = "") -> list[tables.Checkpoint]:
    """The rows of a session's checkpoints (of all sessions without one), newest first. They are not validated."""
    shelf = tables.Checkpoint
    query = select(shelf).where(shelf.project_id == project_id)
    if session_id:
        query = query.where(shelf.session_id == session_id)
    order = (col(shelf.created_at).desc(), col(shelf.last_seq).desc(), col(shelf.checkpoint_id).desc())
    return list(session.exec(query.order_by(*order)))


def put(
    session: Session,
    project_id: str,
    of: tables.Session,
    value: Checkpoint,
    *,
    parent: str,
    window: int,
    now: datetime,
) -> str:
    """Add a checkpoint and its row in the record; returns its id.

    Raises `Conflict` where another one was committed meanwhile, or where it would step back in the record.
    """
    before = newest(session, project_id, of.session_id)
    if (before.ident if before else "") != parent:
        raise Conflict("another checkpoint of this session was committed meanwhile; begin again")
    if before and value.through < before.value.through:
        raise Conflict("the checkpoint would summarise less than the one before it")
    ident = "c-" + short_id(f"{project_id}\0{of.session_id}\0{parent}\0{value.through}\0{value.text}")
    session.add(
        tables.Checkpoint(
            project_id=project_id,
            checkpoint_id=ident,
            session_id=of.session_id,
            worktree=of.worktree,
            branch=of.branch,
            parent_id=parent,
            made_by=value.made_by.value,
            last_seq=value.through,
            window=window,
            tokens=value.tokens,
            value=value.document(),
            created_at=now,
        )
    )
    session.add(_record(session, project_id, of.session_id, ident, now))
    session.flush()
    return ident


def attempted(
    session: Session,
    project_id: str,
    session_id: str,
    outcome: str,
    value: Mapping[str, Any],
    now: datetime,
    ident: str = "",
) -> None:
    """Write the one audit record of an attempt. None of it becomes context."""
    number = session.exec(
        select(func.count()).where(tables.Attempt.project_id == project_id, tables.Attempt.session_id == session_id)
    ).one()
    session.add(
        tables.Attempt(
            project_id=project_id,
            attempt_id="t-" + short_id(f"{project_id}\0{session_id}\0{number}\0{now.isoformat()}"),
            session_id=session_id,
            checkpoint_id=ident,
            outcome=outcome,
            value=dict(value),
            at=now,
        )
    )


def helped(session: Session, project_id: str, session_id: str, run: int) -> list[bool]:
    """Whether each attempt of one run helped, in order. A run is what follows one message of the person."""
    audit = tables.Attempt
    rows: Sequence[tables.Attempt] = session.exec(
        select(audit)
        .where(audit.project_id == project_id, audit.session_id == session_id)
        .order_by(col(audit.at), col(audit.attempt_id))
    ).all()
    return [bool(row.value.get("helped")) for row in rows if row.value.get("run") == run]


def _stored(row: tables.Checkpoint) -> Stored:
    return Stored(
        row.checkpoint_id,
        row.session_id,
        row.worktree,
        row.branch,
        row.parent_id,
        row.window,
        row.created_at,
        loaded(row.checkpoint_id, row.value),
    )


def _record(session: Session, project_id: str, session_id: str, ident: str, now: datetime) -> tables.Record:
    record = tables.Record
    seq, unit = session.exec(
        select(func.max(record.seq), func.max(record.unit)).where(
            record.project_id == project_id, record.session_id == session_id
        )
    ).one()
    return record(
        project_id=project_id,
        session_id=session_id,
        seq=(seq or 0) + 1,
        unit=(unit or 0) + 1,
        kind=Kind.CHECKPOINT.value,
        origin=Origin.AGENT.value,
        name=ident,
        source_id=ident,
        at=now,
    )
