"""Rejecting and putting off."""

from collections.abc import Sequence

from curator.ledger.accept import decidable
from curator.ledger.deed import Deed
from curator.ledger.values import Item, Shown
from curator.vocab import NoteState, ProposalState

PRIVATE = "private"
"""The reason that also drops the notes behind a proposal."""


def reject(deed: Deed, shown: Sequence[Shown], reason: str) -> tuple[Item, ...]:
    """Refuse each proposal; its text comes back from no door until a slot of it changes."""
    out = []
    for each in shown:
        proposal = decidable(deed, each)
        if isinstance(proposal, Item):
            out.append(proposal)
            continue
        deed.settle(proposal, ProposalState.REJECTED)
        deed.notes(proposal.notes, NoteState.DROPPED if reason == PRIVATE else NoteState.REFUSED, reason)
        deed.refuse(proposal, reason)
        out.append(Item(each.proposal_id, True, "rejected", detail=reason))
    return tuple(out)


def snooze(deed: Deed, shown: Sequence[Shown]) -> tuple[Item, ...]:
    """Put each proposal off until the next sweep, as it is."""
    out = []
    for each in shown:
        proposal = decidable(deed, each)
        if isinstance(proposal, Item):
            out.append(proposal)
        elif proposal.state == ProposalState.SNOOZED:
            out.append(Item(each.proposal_id, False, "refused", detail="already snoozed"))
        else:
            deed.settle(proposal, ProposalState.SNOOZED)
            out.append(Item(each.proposal_id, True, "snoozed"))
    return tuple(out)
