"""The queue: rows in the order of what hurts most if wrong, related ones together; counts of everything."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, func, select

from curator.desk.views import Filter, Listed, Queue, Row
from curator.draft import from_document
from curator.ledger.drift import changed
from curator.store.proposals import WAITING
from curator.store.tables import Proposal, Refusal, Sweep
from curator.vocab import Kind, Op, ProposalState, Relation, Route

SECONDS = 9.0
"""A proposal's share of the estimated time: twenty in three minutes."""
CONFLICT_SECONDS = 30.0

_COLUMNS = (
    Proposal.proposal_id,
    Proposal.rev,
    Proposal.op,
    Proposal.state,
    Proposal.kind,
    Proposal.route,
    Proposal.title,
    Proposal.confidence,
    Proposal.harm,
    Proposal.token_effect,
    Proposal.group,
    Proposal.edited,
    Proposal.warnings,
    Proposal.created_at,
    Proposal.targets,
    Proposal.before,
    Proposal.after,
    Proposal.relation,
    Proposal.reason,
)


def queue(session: Session, project_id: str, wanted: Filter, next_tokens: int, budget: int) -> Queue:
    """What waits for a decision."""
    found = _waiting(session, project_id)
    drifted = changed(session, project_id, [target for item in found for target in item.targets])
    rows = [(row_of(item, drifted), item) for item in found]
    kept = [row for row, item in rows if fits(row, item, wanted)]
    sweep = session.exec(
        select(Sweep).where(Sweep.project_id == project_id).order_by(col(Sweep.number).desc()).limit(1)
    ).first()
    blocked, refused_at = session.exec(
        select(func.sum(Refusal.blocked), func.max(Refusal.at)).where(
            Refusal.project_id == project_id, Refusal.blocked > 0
        )
    ).one()
    open_rows = [row for row, _ in rows if row.state == ProposalState.OPEN]
    conflicts = sum(row.conflict for row in open_rows)
    seconds = SECONDS * len(open_rows) + (CONFLICT_SECONDS - SECONDS) * conflicts
    return Queue(
        rows=ordered(kept),
        waiting=len(open_rows),
        snoozed=len(rows) - len(open_rows),
        decided=_decided(session, project_id, sweep.number if sweep else 0),
        by_op={op: count for op in Op if (count := Counter(row.op for row in open_rows)[op])},
        conflicts=conflicts,
        blocked=int(blocked or 0),
        refused_at=refused_at,
        oldest=min((row.created_at for row in open_rows), default=None),
        sweep=sweep.number if sweep else 0,
        swept_at=sweep.at if sweep else None,
        minutes_left=seconds / 60,
        next_tokens=next_tokens,
        budget=budget,
    )


def listed(session: Session, project_id: str, wanted: Filter) -> tuple[Listed, ...]:
    """The queue's proposals with their texts, in the queue's order."""
    found = _waiting(session, project_id)
    drifted = changed(session, project_id, [target for item in found for target in item.targets])
    whole = {item.proposal_id: item for item in found}
    rows = ordered([row for item in found if fits(row := row_of(item, drifted), item, wanted)])
    return tuple(_listed(row, whole[row.proposal_id]) for row in rows)


def _listed(row: Row, item: Any) -> Listed:
    return Listed(
        row=row,
        relation=Relation(item.relation) if item.relation else None,
        reason=item.reason,
        targets=tuple(str(target["entry_id"]) for target in item.targets),
        before=tuple(from_document(value) for value in item.before),
        after=tuple(from_document(value) for value in item.after),
    )


def row_of(item: Any, drifted: frozenset[str]) -> Row:
    """A proposal (or its columns) as a line; `drifted` are the entries that changed since."""
    drafts = item.after or item.before
    return Row(
        proposal_id=item.proposal_id,
        rev=item.rev,
        op=Op(item.op),
        state=ProposalState(item.state),
        kind=Kind(item.kind),
        route=Route(item.route),
        title=item.title,
        confidence=item.confidence,
        harm=item.harm,
        token_effect=item.token_effect,
        labels=tuple(drafts[0].get("labels", ())) if drafts else (),
        group=item.group,
        conflict=any(str(target["entry_id"]) in drifted for target in item.targets),
        edited=item.edited,
        warnings=tuple(item.warnings),
        created_at=item.created_at,
    )


def ordered(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Worst if wrong first, then the surest; a group stands together where its worst one stands."""

    def weight(row: Row) -> tuple[float, float, str]:
        return (-row.harm, -row.confidence, row.proposal_id)

    best: dict[str, tuple[float, float, str]] = {}
    for row in rows:
        best[_group(row)] = min(best.get(_group(row), weight(row)), weight(row))
    return tuple(sorted(rows, key=lambda row: (best[_group(row)], _group(row), weight(row))))


def fits(row: Row, item: Any, wanted: Filter) -> bool:
    """Does a row match every part of the filter?"""
    if wanted.op not in {None, row.op} or wanted.kind not in {None, row.kind} or wanted.route not in {None, row.route}:
        return False
    if not set(wanted.labels) <= set(row.labels):
        return False
    if wanted.at_least is not None and row.confidence < wanted.at_least:
        return False
    if wanted.below is not None and row.confidence >= wanted.below:
        return False
    marks = marks_of(row)
    if not set(wanted.marks) <= marks or set(wanted.without) & marks:
        return False
    if not wanted.words:
        return True
    texts = [row.title, row.proposal_id, *(str(draft.get("body", "")) for draft in (*item.before, *item.after))]
    text = "\n".join([*texts, *(str(target["entry_id"]) for target in item.targets)]).casefold()
    return all(word.casefold() in text for word in wanted.words)


def marks_of(row: Row) -> set[str]:
    """The marks that a filter can ask for."""
    marks = {
        "conflict": row.conflict,
        "edited": row.edited,
        "snoozed": row.state == ProposalState.SNOOZED,
        "warned": bool(row.warnings),
    }
    return {name for name, is_set in marks.items() if is_set}


def _group(row: Row) -> str:
    return row.group or row.proposal_id


def _waiting(session: Session, project_id: str) -> Sequence[Any]:
    query = select(*_COLUMNS).where(Proposal.project_id == project_id, col(Proposal.state).in_(WAITING))  # type: ignore[call-overload]
    found: Sequence[Any] = session.exec(query).all()
    return found


def _decided(session: Session, project_id: str, sweep: int) -> int:
    return session.exec(
        select(func.count())
        .select_from(Proposal)
        .where(
            Proposal.project_id == project_id,
            Proposal.sweep == sweep,
            col(Proposal.state).in_([ProposalState.ACCEPTED, ProposalState.REJECTED]),
        )
    ).one()
