"""Accepting proposals: one rule for every operation.

Every draft in `after` that names a target changes it; a draft without an id becomes a new entry; a draft that names
another entry only points at it. Targets that no draft names leave the memory: superseded by the first result, or
tombstoned where there is none. So add, update, merge, replace, tombstone, split, reroute and relabel are one thing.
Additions, the many of an import, have a faster way (`curator.ledger.additions`).
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from curator.door.normal import fingerprint
from curator.draft import Draft, from_document
from curator.ledger.additions import accept_additions, is_addition, said_before, says, source_of
from curator.ledger.deed import Deed, free
from curator.ledger.drift import Drift, drifts, rebase, targets_of
from curator.ledger.values import Item, Shown
from curator.store.entries import columns_of
from curator.store.proposals import WAITING
from curator.store.tables import Entry, OpenTarget, Proposal
from curator.vocab import EntryState, NoteState, Origin, ProposalState, lowest

_PART = 500


def accept(deed: Deed, shown: Sequence[Shown]) -> tuple[Item, ...]:
    """Apply each proposal exactly as shown; those that cannot be are left as they are, or rebased, and named."""
    items: list[Item] = []
    for start in range(0, len(shown), _PART):
        items += _part(deed, shown[start : start + _PART])
        if len(shown) > _PART:
            deed.session.flush()
            deed.session.expunge_all()  # memory stays flat
    return tuple(items)


def _part(deed: Deed, shown: Sequence[Shown]) -> list[Item]:
    ids = [each.proposal_id for each in shown]
    query = select(Proposal).where(Proposal.project_id == deed.project_id, col(Proposal.proposal_id).in_(ids))
    here = deed.session.exec(query).all()  # one question instead of a thousand: `decidable` finds them loaded
    found = {each.proposal_id: decidable(deed, each) for each in shown} if here else {}
    additions = [each for each in found.values() if isinstance(each, Proposal) and is_addition(each)]
    made = accept_additions(deed, additions)
    return [made.pop(each.proposal_id) if each.proposal_id in made else _one(deed, each) for each in shown]


def decidable(deed: Deed, shown: Shown) -> Proposal | Item:
    """The proposal that was shown, or the item that says why it cannot be decided on."""
    proposal = deed.session.get(Proposal, (deed.project_id, shown.proposal_id))
    if proposal is None:
        return Item(shown.proposal_id, False, "gone", detail=f"there is no proposal {shown.proposal_id}")
    if proposal.state not in WAITING:
        return Item(proposal.proposal_id, False, "decided", detail=f"it is {proposal.state} already")
    if proposal.rev != shown.rev:
        return Item(proposal.proposal_id, False, "stale", detail="it was revised since it was shown; look again")
    return proposal


def _one(deed: Deed, shown: Shown) -> Item:
    proposal = decidable(deed, shown)
    if isinstance(proposal, Item):
        return proposal
    if found := drifts(deed.session, proposal):
        return _drifted(deed, proposal, found)
    drafts = [from_document(value) for value in proposal.after]
    targets = targets_of(deed.session, proposal)
    if reason := _cannot(deed, drafts, targets):
        return Item(proposal.proposal_id, False, reason[0], detail=reason[1])
    result = _apply(deed, proposal, drafts, targets)
    deed.settle(proposal, ProposalState.ACCEPTED)
    deed.notes(proposal.notes, NoteState.ACCEPTED)
    return Item(proposal.proposal_id, True, "accepted", entry_id=result)


def _drifted(deed: Deed, proposal: Proposal, found: tuple[Drift, ...]) -> Item:
    why = "; ".join(drift.why for drift in found)
    now = {drift.entry_id: drift.now for drift in found if drift.now is not None}
    if len(now) < len(found):
        return Item(proposal.proposal_id, False, "gone", detail=why)
    result = rebase(proposal, now)
    if not result.clean:
        return Item(proposal.proposal_id, False, "conflict", detail=f"{why}, in the same words; look at both")
    stand_on(deed, proposal, result.before, result.after)
    return Item(proposal.proposal_id, False, "rebased", detail=f"{why}; the proposal now stands on that, look again")


def stand_on(deed: Deed, proposal: Proposal, before: Sequence[Draft], after: Sequence[Draft]) -> None:
    """Put the proposal on what its targets are now. No decision, so no effect in the ledger; its revision rises."""
    targets = targets_of(deed.session, proposal)
    proposal.targets = [
        {"entry_id": entry.entry_id, "rev": entry.rev, "content_hash": entry.content_hash} for entry in targets.values()
    ]
    proposal.before = [draft.document() for draft in before]
    proposal.after = [draft.document() for draft in after]
    proposal.rev += 1
    deed.session.add(proposal)
    deed.session.flush()


def _cannot(deed: Deed, drafts: Sequence[Draft], targets: dict[str, Entry]) -> tuple[str, str] | None:
    """Why the drafts cannot become entries: the memory says this already, or a person retired it."""
    for draft in drafts:
        target = targets.get(draft.entry_id)
        if target is None and draft.entry_id and targets:
            pointed = deed.session.get(Entry, (deed.project_id, draft.entry_id))
            if pointed is None or pointed.state != EntryState.ACTIVE:
                return "gone", f"{draft.entry_id} is not in the memory any more"
            continue
        says_so = fingerprint(draft.body)
        if target is not None and target.fingerprint == says_so:
            continue
        query = select(Entry.entry_id, Entry.state).where(
            Entry.project_id == deed.project_id,
            Entry.fingerprint == says_so,
            col(Entry.entry_id).not_in(list(targets)),
        )
        for entry_id, state in deed.session.exec(query):
            if (reason := says(entry_id, state)) and (target is None or state == EntryState.TOMBSTONED):
                return reason
    return None


def _apply(deed: Deed, proposal: Proposal, drafts: Sequence[Draft], targets: dict[str, Entry]) -> str:
    """Make the change; returns the id of the first result, or of the retired entry where there is none."""
    origin = Origin(proposal.origin) if proposal.origin else Origin.UNVERIFIED
    kept = {draft.entry_id for draft in drafts}
    retired = [entry for entry_id, entry in targets.items() if entry_id not in kept]
    results = [_result(deed, proposal, draft, targets, origin, retired) for draft in drafts]
    for entry in retired:
        retire(deed, entry, results[0] if results else "", proposal.reason, proposal.proposal_id)
    return results[0] if results else next(iter(targets), "")


def _result(
    deed: Deed, proposal: Proposal, draft: Draft, targets: dict[str, Entry], origin: Origin, retired: list[Entry]
) -> str:
    parts = [*retired, *([targets[draft.entry_id]] if draft.entry_id in targets else [])]
    more: dict[str, Any] = {"origin": lowest(origin, *(Origin(e.origin) for e in parts if e.origin)).value}
    if retired:
        chosen = [entry.importance for entry in parts if entry.importance is not None]
        more |= {
            "pinned": any(entry.pinned for entry in parts),
            "importance": max(chosen, default=None),
            "sightings": sum(entry.sightings for entry in parts),
        }
    if draft.entry_id in targets:
        more |= columns_of(proposal.settings.get("columns", {}))  # what an import brings along
        return deed.change(targets[draft.entry_id], draft, verified_at=deed.now, **more).entry_id
    if draft.entry_id and targets:
        return draft.entry_id
    return deed.add(draft, said_before(proposal, deed), source=source_of(proposal), **more).entry_id


def retire(deed: Deed, entry: Entry, superseded_by: str, reason: str, proposal_id: str = "") -> Entry:
    """Take an entry out of every read path: superseded by another, or tombstoned. Its other proposal is withdrawn."""
    state = EntryState.SUPERSEDED if superseded_by else EntryState.TOMBSTONED
    held = deed.session.get(OpenTarget, (deed.project_id, entry.entry_id))
    if held is not None and held.proposal_id != proposal_id:
        withdraw(deed, held.proposal_id)
    return deed.change(entry, state=state.value, superseded_by=superseded_by, reason=reason, pinned=False)


def withdraw(deed: Deed, proposal_id: str) -> None:
    """Take an open proposal out of the queue because its ground is gone; its notes wait for the next sweep."""
    other = deed.session.get(Proposal, (deed.project_id, proposal_id))
    if other is None or other.state not in WAITING:
        free(deed.session, deed.project_id, proposal_id)
        return
    deed.settle(other, ProposalState.WITHDRAWN)
    deed.notes(other.notes, NoteState.WAITING)
