"""Changing a proposal before deciding on it: revise, fold into a memory, split. Decisions like any other.

What a person writes stands on what they saw: the drafts of the targets as they are now are named, and a change in
between refuses the revision instead of hiding it.
"""

from collections.abc import Sequence
from typing import Any

from curator.door.normal import fingerprint
from curator.draft import Draft, from_document
from curator.ledger.accept import decidable, stand_on
from curator.ledger.deed import Deed, claim, free, next_part, proposal_document
from curator.ledger.drift import drifts, unsettled
from curator.ledger.values import Item, Shown
from curator.store import entries
from curator.store.tables import Proposal
from curator.vocab import Op, ProposalState, Route


def revise(deed: Deed, shown: Shown, after: Sequence[Draft], seen: Sequence[Draft | None] | None) -> Item:
    """Give a proposal other results. `seen` is what its targets say as the person saw them (a dossier's `now`).

    Without `seen` a proposal whose target changed is refused: there is something to look at first.
    """
    proposal = decidable(deed, shown)
    if isinstance(proposal, Item):
        return proposal
    if not proposal.after:
        return Item(shown.proposal_id, False, "refused", detail="there is no text in it to change")
    if len(after) != len(proposal.after):
        return Item(shown.proposal_id, False, "refused", detail="it has another number of results; split it instead")
    kept = [
        draft.with_(entry_id=str(old.get("entry_id", ""))) for draft, old in zip(after, proposal.after, strict=True)
    ]
    before = [from_document(value) for value in proposal.before]
    if found := drifts(deed.session, proposal):
        why = "; ".join(drift.why for drift in found)
        if any(drift.now is None for drift in found):
            return Item(shown.proposal_id, False, "gone", detail=why)
        now = {drift.entry_id: drift.now for drift in found}
        current = [now.get(draft.entry_id) or draft for draft in before]
        if seen is None or [_hash(draft) for draft in seen] != [_hash(draft) for draft in current]:
            return Item(shown.proposal_id, False, "conflict", detail=f"{why}; look at it first")
        if any(_open_choice(base, ours, proposal, kept) for base, ours in zip(before, current, strict=True)):
            return Item(
                shown.proposal_id, False, "refused", detail="the text still holds both words: choose, then accept"
            )
        before = current
    _rewrite(deed, proposal, before, kept)
    return Item(shown.proposal_id, True, "revised")


def _open_choice(base: Draft, ours: Draft, proposal: Proposal, kept: Sequence[Draft]) -> bool:
    """Does a result of this target still hold both sides' words?"""
    old = [from_document(value) for value in proposal.after]
    return any(
        theirs.entry_id == base.entry_id and unsettled(base, ours, theirs, draft)
        for theirs, draft in zip(old, kept, strict=True)
    )


def fold(deed: Deed, shown: Shown, entry_id: str, rev: int | None) -> Item:
    """Turn a proposal into an update of a memory that says nearly the same: its words are added to that text."""
    proposal = decidable(deed, shown)
    if isinstance(proposal, Item):
        return proposal
    if proposal.targets or len(proposal.after) != 1:
        return Item(shown.proposal_id, False, "refused", detail="only an addition can be merged into a memory")
    entry = entries.get(deed.session, deed.project_id, entry_id)
    if rev not in {None, entry.rev}:
        return Item(shown.proposal_id, False, "conflict", entry_id, f"{entry_id} changed since it was shown")
    if not entries.is_active(entry):
        return Item(shown.proposal_id, False, "gone", entry_id, f"{entry_id} is {entry.state}")
    base, new = deed.draft(entry), from_document(proposal.after[0])
    changes = {"op": Op.UPDATE.value, "relation": "", "title": base.title, "kind": entry.kind, "route": entry.route}
    targets = [{"entry_id": entry_id, "rev": entry.rev, "content_hash": entry.content_hash}]
    _rewrite(deed, proposal, [base], [joined(base, new)], {**changes, "targets": targets})
    return Item(shown.proposal_id, True, "folded", entry_id)


def joined(base: Draft, new: Draft) -> Draft:
    """Two texts as one entry: the first, then what it does not say yet; labels and anchors of both."""
    body = base.body if new.body in base.body else f"{base.body}\n{new.body}"
    refs = tuple(dict.fromkeys((*base.refs, *new.refs)))
    return base.with_(body=body, labels=tuple({*base.labels, *new.labels}), refs=refs)


def split(deed: Deed, shown: Shown, parts: Sequence[Draft], evidence: Sequence[Sequence[int]] = ()) -> Item:
    """Make several proposals of one: `P-0140.1`, `P-0140.2`, … The first keeps the targets; the others add.

    `evidence` names by position which pieces each part keeps; a part without an entry there keeps them all.
    """
    proposal = decidable(deed, shown)
    if isinstance(proposal, Item):
        return proposal
    if len(parts) < 2 or len(proposal.after) != 1:
        return Item(shown.proposal_id, False, "refused", detail="a split needs one text to split and two parts or more")
    if found := drifts(deed.session, proposal):
        return Item(shown.proposal_id, False, "conflict", detail="; ".join(drift.why for drift in found))
    first = str(proposal.after[0].get("entry_id", ""))
    deed.settle(proposal, ProposalState.WITHDRAWN)
    made = next_part(deed.session, deed.project_id, proposal.proposal_id)
    for number, part in enumerate(parts):
        draft = part.with_(entry_id=first if number == 0 else "")
        pieces = evidence[number] if number < len(evidence) else range(len(proposal.evidence))
        row = _part(deed, proposal, draft, number == 0, made + number)
        row.evidence = [proposal.evidence[at] for at in pieces if 0 <= at < len(proposal.evidence)]
        deed.session.add(row)
        deed.session.flush()
        claim(deed.session, row)
        deed.made(row)
    return Item(shown.proposal_id, True, "split", detail=f"into {len(parts)} parts")


def _part(deed: Deed, whole: Proposal, draft: Draft, first: bool, number: int) -> Proposal:
    values: dict[str, Any] = whole.model_dump(
        exclude={"proposal_id", "rev", "state", "targets", "before", "after", "lost", "fingerprint"}
    )
    keeps = first and bool(whole.targets)
    values |= {"op": whole.op if keeps else Op.ADD.value, "relation": whole.relation if keeps else "", "edited": True}
    values |= {"title": draft.title, "kind": draft.kind.value, "route": draft.route.value}
    return Proposal(
        **{**values, "created_at": deed.now},
        proposal_id=f"{whole.proposal_id}.{number}",
        targets=whole.targets if keeps else [],
        before=whole.before if keeps else [],
        after=[draft.document()],
        fingerprint=fingerprint(draft.body),
    )


def _rewrite(
    deed: Deed,
    proposal: Proposal,
    before: Sequence[Draft],
    after: Sequence[Draft],
    columns: dict[str, Any] | None = None,
) -> None:
    known = proposal_document(proposal)
    for name, value in (columns or {}).items():
        setattr(proposal, name, value)
    stand_on(deed, proposal, before, after)
    proposal.edited = True
    proposal.lost = [lost for lost in proposal.lost if not _holds(after, lost)]
    proposal.token_effect = token_effect(deed, before, after)
    if not columns:
        proposal.title, proposal.kind, proposal.route = after[0].title, after[0].kind.value, after[0].route.value
    deed.session.add(proposal)
    free(deed.session, deed.project_id, proposal.proposal_id)
    claim(deed.session, proposal)
    deed.revised(proposal, known)


def token_effect(deed: Deed, before: Sequence[Draft], after: Sequence[Draft]) -> int:
    """Tokens that the change adds to what can be injected."""

    def weight(drafts: Sequence[Draft]) -> int:
        return sum(deed.frame.tokens.count(d.text) for d in drafts if d.route is Route.INJECTED)

    return weight(after) - weight(before)


def _holds(after: Sequence[Draft], lost: Any) -> bool:
    text = str(lost.get("text", "") if isinstance(lost, dict) else lost).casefold()
    return any(text in draft.body.casefold() for draft in after)


def _hash(draft: Draft | None) -> str:
    return draft.content_hash if draft else ""
