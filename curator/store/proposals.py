"""Making proposals: numbers, ids and the rule that an entry has at most one that waits.

Callers own the transaction. Deciding on a proposal is `curator.ledger`'s.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, func, select

from curator.store.tables import OpenTarget, Project, Proposal
from curator.vocab import ProposalState

WAITING = (ProposalState.OPEN, ProposalState.SNOOZED)
"""The states in which a proposal can still be decided on."""


def add_many(session: Session, project_id: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Make open proposals from column values (without `project_id`, id and number); returns their ids in order.

    The caller has made sure that no target has a proposal that waits (`held`); otherwise the database refuses.
    """
    if not rows:
        return []
    # Two writers on a server take turns here; SQLite's write lock already does it.
    session.exec(select(Project.project_id).where(Project.project_id == project_id).with_for_update()).first()
    last = session.exec(select(func.max(Proposal.number)).where(Proposal.project_id == project_id)).one() or 0
    made = [
        Proposal(**row, project_id=project_id, number=number, proposal_id=name(number))
        for number, row in enumerate(rows, last + 1)
    ]
    session.connection().execute(insert(Proposal), [proposal.model_dump() for proposal in made])
    targets = [
        {"project_id": project_id, "entry_id": target["entry_id"], "proposal_id": proposal.proposal_id}
        for proposal in made
        for target in proposal.targets
    ]
    if targets:
        session.connection().execute(insert(OpenTarget), targets)
    return [proposal.proposal_id for proposal in made]


def name(number: int) -> str:
    """A proposal's id: `P-0001`."""
    return f"P-{number:04d}"


def held(session: Session, project_id: str) -> dict[str, str]:
    """The proposal that waits, by entry id, for every entry that has one."""
    rows = session.exec(select(OpenTarget.entry_id, OpenTarget.proposal_id).where(OpenTarget.project_id == project_id))
    return dict(rows.all())


def waiting_fingerprints(session: Session, project_id: str) -> dict[str, str]:
    """The proposal that waits, by the fingerprint of its text."""
    rows = session.exec(
        select(Proposal.fingerprint, Proposal.proposal_id).where(
            Proposal.project_id == project_id, col(Proposal.state).in_([state.value for state in WAITING])
        )
    )
    return {fingerprint: proposal_id for fingerprint, proposal_id in rows if fingerprint}
