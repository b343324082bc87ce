"""A change to an entry that an agent suggests: one proposal through the door, for the person to decide on.

Owns what may become such a proposal: the entry is active and has none that waits, the text is no refused, retired or
unchanged one, and no more wait than a sweep may make. It applies nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select

from curator.door import Admitted, admit, redact
from curator.errors import CuratorError, NotAllowed, NotFound
from curator.harvest.noting import blocked
from curator.plain import one_line
from curator.store.engine import Store
from curator.store.entries import by_prefix
from curator.store.proposals import WAITING, add_many
from curator.store.refusals import count_blocked
from curator.store.tables import Entry, OpenTarget, Proposal, Refusal
from curator.sweep.nominate import Known, Nominator
from curator.sweep.planned import Planned, columns, key_of, retired, slot_line, warned
from curator.sweep.relate import relate
from curator.vocab import EntryState, Op, Origin, Relation, lowest

FROM = "suggested"
"""Marks such a proposal in its settings."""

_REASON = 500


@dataclass(frozen=True)
class Suggested:
    """A change to an entry: another text, or none where it should go. `reason` says why."""

    entry: str
    text: str = ""
    reason: str = ""
    origin: Origin = Origin.AGENT
    client: str = ""


def suggest(store: Store, change: Suggested, count: Callable[[str], int]) -> tuple[str, tuple[str, ...]]:
    """Make the proposal; returns its id and the kinds of credentials that were taken out of the text.

    Raises `NotFound` for an entry that is not there, `NotAllowed` for a text that was refused or retired, and
    `CuratorError` where there is nothing to propose or too much waits.
    """
    with store.write() as session:
        known = _active(session, store.project_id, change.entry)
        _room(session, store, removing=not change.text)
        passed = admit(change.text, store.settings.note_bytes) if change.text else None
        plan = _changed(session, store, known, passed, change) if passed else _gone(session, store, known, change)
        made = "" if isinstance(plan, str) else _stored(session, store, plan, change, count)
    if isinstance(plan, str):  # said outside, so that the blocked repeat stays counted
        raise NotAllowed(f"not proposed: {plan}")
    return made, passed.redacted if passed else ()


def _stored(session: Session, store: Store, plan: Planned, change: Suggested, count: Callable[[str], int]) -> str:
    settings = {**plan.settings, "from": FROM, "client": change.client}
    row = columns(plan, count) | {
        "settings": settings,
        "created_at": store.now(),
        "expires_at": store.now() + timedelta(days=store.settings.proposal_days),
    }
    return add_many(session, store.project_id, [row])[0]


def _active(session: Session, project_id: str, prefix: str) -> Known:
    entry = by_prefix(session, project_id, prefix)
    if entry.state != EntryState.ACTIVE:
        raise NotAllowed(f"{entry.entry_id} is {entry.state}; only a person brings it back")
    if waits := session.get(OpenTarget, (project_id, entry.entry_id)):
        raise NotAllowed(f"{waits.proposal_id} about {entry.entry_id} waits for the person's decision already")
    known = Nominator(session, project_id).entry(entry.entry_id)
    if known is None:
        raise NotFound(f"not found: {prefix}")
    return known


def _room(session: Session, store: Store, *, removing: bool) -> None:
    """Raise where as many suggestions wait as one sweep may make, removals within their own share."""
    states = [state.value for state in WAITING]
    query = select(Proposal).where(Proposal.project_id == store.project_id, col(Proposal.state).in_(states))
    waiting = [each for each in session.exec(query) if each.settings.get("from") == FROM]
    most = store.settings.sweep_limit
    if most and len(waiting) >= most:
        raise NotAllowed(f"{len(waiting)} suggestions wait for the person; no more before some are decided")
    if removing:
        entries = select(Entry.entry_id).where(Entry.project_id == store.project_id, Entry.state == "active")
        share = max(1, int(len(session.exec(entries).all()) * store.settings.removal_share))
        if sum(each.op == Op.TOMBSTONE for each in waiting) >= share:
            raise NotAllowed(f"{share} suggested removals wait for the person; no more before some are decided")


def _changed(session: Session, store: Store, known: Known, passed: Admitted, change: Suggested) -> Planned | str:
    """The proposal, or why the text may not come back."""
    if not passed.text:
        raise CuratorError("nothing of the text is left without this program's own output")
    after = known.draft.saying(passed.text)
    if passed.fingerprint == known.fingerprint or after == known.draft:
        raise CuratorError(f"{known.entry_id} says so already")
    if why := blocked(session, store.project_id, passed.fingerprint, store.now()):
        return why
    said = relate(known.text, passed.text)
    relation = said.relation if said.relation in (Relation.REPLACES, Relation.RESTATES) else Relation.REFINES
    if relation is Relation.REPLACES:  # the old one is kept as superseded
        after = after.with_(entry_id="")
    return Planned(
        op=Op.UPDATE,
        key=passed.fingerprint,
        after=(after,),
        before=(known.draft,),
        targets=(known.target,),
        reason=_why(change, f"an agent suggests another text ({said.relation.value}: {said.reason})"),
        confidence=0.5,
        relation=relation,
        origin=lowest(known.trust, change.origin),
        evidence=(_evidence(store, change, passed.text), known.evidence),
        warnings=warned(f"{passed.text}\n{change.reason}"),
        group=known.entry_id,
        settings={"slots": slot_line(passed.text)},
    )


def _gone(session: Session, store: Store, known: Known, change: Suggested) -> Planned | str:
    """The proposal, or why the person did not want it."""
    key = key_of(Op.TOMBSTONE, known.fingerprint, FROM)
    if (refusal := session.get(Refusal, (store.project_id, key))) is not None:
        count_blocked(session, store.project_id, key, store.now())
        return f"the person kept {known.entry_id}: {refusal.reason}"
    reason = _why(change, "an agent suggests to retire it")
    return retired(known, reason, 0.4).with_(
        key=key,
        origin=lowest(known.trust, change.origin),
        evidence=(_evidence(store, change, change.reason or reason), known.evidence),
        warnings=warned(change.reason),
        group=known.entry_id,
    )


def _why(change: Suggested, else_: str) -> str:
    return one_line(redact(admit(change.reason, _REASON * 4).text).text, _REASON) if change.reason else else_


def _evidence(store: Store, change: Suggested, text: str) -> dict[str, Any]:
    said = {"speaker": change.origin.value, "origin": change.origin.value, "at": store.now().isoformat()}
    return {**said, "string": redact(text).text[:600], **({"client": change.client} if change.client else {})}
