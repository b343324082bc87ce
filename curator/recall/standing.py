"""Where a store stands: the counts behind `status` and `curator` alone. Reads only."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from curator.recall.reading import counts
from curator.store.engine import Store
from curator.store.tables import Attempt, Checkpoint, Entry, Fact, Note, Proposal, Receipt, Sweep
from curator.vocab import EntryState, NoteState, ProposalState

_RECEIPTS = 20


@dataclass(frozen=True)
class Standing:
    """Counts and latest times. `entries` is by route and state; times are UTC, None where it never happened.

    `stale` counts active entries whose anchor is gone. `trouble` holds sentences about what failed lately, each kind
    apart: a checkpoint, an extraction, a delivery.
    """

    entries: dict[str, dict[str, int]]
    notes_waiting: int
    notes: int
    proposals_waiting: int
    oldest_proposal: datetime | None
    swept_at: datetime | None
    sweep: int
    checkpoint_id: str
    checkpoint_at: datetime | None
    checkpoint_session: str
    ingested_at: datetime | None
    stale: int = 0
    trouble: tuple[str, ...] = ()


def standing(store: Store) -> Standing:
    """Look once, in one transaction for everything but the entries."""
    entries = counts(store)
    with store.read() as session:
        waiting, oldest = session.exec(
            select(func.count(), func.min(Proposal.created_at)).where(
                Proposal.project_id == store.project_id, Proposal.state == ProposalState.OPEN
            )
        ).one()
        sweep = session.exec(
            select(Sweep).where(Sweep.project_id == store.project_id).order_by(col(Sweep.number).desc()).limit(1)
        ).first()
        checkpoint = session.exec(
            select(Checkpoint)
            .where(Checkpoint.project_id == store.project_id)
            .order_by(col(Checkpoint.created_at).desc(), col(Checkpoint.checkpoint_id))
            .limit(1)
        ).first()
        ingested = session.get(Fact, (store.project_id, "ingested"))
        return Standing(
            entries,
            _notes(session, store.project_id, NoteState.WAITING),
            _notes(session, store.project_id),
            int(waiting),
            oldest,
            sweep.at if sweep else None,
            sweep.number if sweep else 0,
            checkpoint.checkpoint_id if checkpoint else "",
            checkpoint.created_at if checkpoint else None,
            checkpoint.session_id if checkpoint else "",
            ingested.at if ingested else None,
            _stale(session, store.project_id),
            _trouble(session, store.project_id),
        )


def _notes(session: Session, project_id: str, state: NoteState | None = None) -> int:
    query = select(func.count()).select_from(Note).where(Note.project_id == project_id)
    return int(session.exec(query if state is None else query.where(Note.state == state)).one())


def _stale(session: Session, project_id: str) -> int:
    held_back = (Entry.project_id == project_id, Entry.state == EntryState.ACTIVE, Entry.anchor_state == "STALE")
    return int(session.exec(select(func.count()).select_from(Entry).where(*held_back)).one())


def _trouble(session: Session, project_id: str) -> tuple[str, ...]:
    last = session.exec(
        select(Attempt).where(Attempt.project_id == project_id).order_by(col(Attempt.at).desc()).limit(1)
    ).first()
    failed = last is not None and "fail" in last.outcome
    said = [f"the last checkpoint attempt failed: {last.outcome}"] if failed and last else []
    newest = session.exec(
        select(Receipt.delivered)
        .where(Receipt.project_id == project_id, Receipt.digest != "")
        .order_by(col(Receipt.at).desc(), Receipt.receipt_id)
        .limit(_RECEIPTS)
    ).all()
    if lost := sum(arrived is False for arrived in newest):
        said.append(f"{lost} of the last {len(newest)} injections did not arrive at first (`curator report`)")
    return tuple(said)
