"""What a review came to: what was decided since a decision, and what that does to the next session."""

from collections import Counter
from typing import Any

from sqlmodel import Session, col, func, select

from curator.desk.views import Summary
from curator.ledger.drift import changed
from curator.store.proposals import WAITING
from curator.store.tables import Decision, Entry, Proposal
from curator.vocab import EntryState, Op, ProposalState, Route, Verb


def summary(session: Session, project_id: str, since: int, tokens: tuple[int, int], budget: int) -> Summary:
    """Decisions after number `since` that stand; `tokens` are those of the next session before and now."""
    decisions = session.exec(
        select(Decision)
        .where(Decision.project_id == project_id, Decision.seq > since, col(Decision.undone_by).is_(None))
        .order_by(col(Decision.seq))
    ).all()
    accepted: Counter[Op] = Counter()
    rejected: Counter[str] = Counter()
    edited = 0
    moved: Counter[str] = Counter()
    for decision in decisions:
        if decision.verb == Verb.ACCEPT:
            found = _decided(session, decision)
            accepted.update(Op(proposal.op) for proposal in found)
            edited += sum(proposal.edited for proposal in found)
        elif decision.verb == Verb.REJECT:
            rejected[decision.reason] += len(decision.proposals)
        if decision.undoes is None or decision.undoes <= since:  # else both sides lie in this review
            moved.update(_moved(decision.effects))
    now = {route: _count(session, project_id, route) for route in Route}
    waiting = session.exec(
        select(Proposal.state, Proposal.targets).where(
            Proposal.project_id == project_id, col(Proposal.state).in_(WAITING)
        )
    ).all()
    open_targets = [targets for state, targets in waiting if state == ProposalState.OPEN]
    drifted = changed(session, project_id, [target for targets in open_targets for target in targets])
    return Summary(
        accepted=dict(accepted),
        rejected=dict(rejected),
        edited=edited,
        snoozed=len(waiting) - len(open_targets),
        conflicts=sum(any(t["entry_id"] in drifted for t in targets) for targets in open_targets),
        left=len(open_targets),
        tokens_before=tokens[0],
        tokens_now=tokens[1],
        memories_before=now[Route.INJECTED] - moved[Route.INJECTED],
        memories_now=now[Route.INJECTED],
        deferred_before=now[Route.DEFERRED] - moved[Route.DEFERRED],
        deferred_now=now[Route.DEFERRED],
        budget=budget,
    )


def _decided(session: Session, decision: Decision) -> list[Proposal]:
    found = [session.get(Proposal, (decision.project_id, name)) for name in decision.proposals]
    return [proposal for proposal in found if proposal is not None and proposal.state == ProposalState.ACCEPTED]


def _moved(effects: list[dict[str, Any]]) -> Counter[str]:
    """How many active entries of each route the effects added."""
    out: Counter[str] = Counter()
    for effect in effects:
        if "entry_id" in effect:
            for value, step in ((effect["before"], -1), (effect["after"], 1)):
                if value and value["state"] == EntryState.ACTIVE:
                    out[value["route"]] += step
    return out


def _count(session: Session, project_id: str, route: Route) -> int:
    return session.exec(
        select(func.count())
        .select_from(Entry)
        .where(Entry.project_id == project_id, Entry.state == EntryState.ACTIVE.value, Entry.route == route.value)
    ).one()
