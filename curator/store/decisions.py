"""The number of the next decision: one sequence a project, without a gap."""

from sqlmodel import Session, func, select

from curator.store.tables import Decision, Project


def next_seq(session: Session, project_id: str) -> int:
    """The number that the decision of this transaction gets; nobody else gets it before the transaction ends."""
    # Two deciders on a server take turns here; SQLite's write lock already does it.
    session.exec(select(Project.project_id).where(Project.project_id == project_id).with_for_update()).first()
    last = session.exec(select(func.max(Decision.seq)).where(Decision.project_id == project_id)).one()
    return (last or 0) + 1
