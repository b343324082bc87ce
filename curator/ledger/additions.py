"""Accepting additions, many at a time: the same checks and the same result as one by one, in a few statements.

Owns speed only. An addition is a proposal without targets whose one draft becomes a new entry. Its effects in the
ledger are short (the entry was not there before), so that a decision about 100,000 of them stays one row.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select

from curator.draft import Draft, from_document
from curator.ledger.deed import Deed
from curator.ledger.values import Item
from curator.store import entries
from curator.store.bulk import New, insert_many
from curator.store.tables import Entry, Proposal
from curator.vocab import EntryState, NoteState, Origin, ProposalState


def is_addition(proposal: Proposal) -> bool:
    """Does the proposal make one new entry and touch nothing else?"""
    return not proposal.targets and len(proposal.after) == 1


def accept_additions(deed: Deed, found: Sequence[Proposal]) -> dict[str, Item]:
    """Make the entries; an item by proposal id, refused ones with the reason. Proposals must wait and be as shown."""
    drafts = {proposal.proposal_id: from_document(proposal.after[0]) for proposal in found}
    measured = {name: deed.measured(draft) for name, draft in drafts.items()}
    taken = _ids(deed, [draft.entry_id for draft in drafts.values() if draft.entry_id])
    said = _texts(deed, [str(each["fingerprint"]) for each in measured.values()])
    items: dict[str, Item] = {}
    good: list[Proposal] = []
    for proposal in found:
        name = proposal.proposal_id
        draft, fingerprint = drafts[name], str(measured[name]["fingerprint"])
        if reason := _against(draft, taken, said.get(fingerprint)):
            items[name] = Item(name, False, reason[0], detail=reason[1])
            continue
        said[fingerprint] = ("exists", f"{draft.entry_id or name} already says this")
        taken |= {draft.entry_id} - {""}
        good.append(proposal)
    ids = _make(deed, good, drafts, measured)
    return items | {name: Item(name, True, "accepted", entry_id=entry_id) for name, entry_id in ids.items()}


def says(entry_id: str, state: str) -> tuple[str, str] | None:
    """Why a text cannot be added that this entry has; None when the entry does not stand in the way."""
    if state == EntryState.ACTIVE:
        return "exists", f"{entry_id} already says this"
    if state == EntryState.TOMBSTONED:
        return "gone", f"{entry_id} says this and was tombstoned; `curator restore {entry_id}` brings it back"
    return None


def _against(draft: Draft, taken: set[str], said: tuple[str, str] | None) -> tuple[str, str] | None:
    """Why this draft cannot become an entry. One that brings its id may say what an active entry says."""
    if draft.entry_id in taken:
        return "exists", f"{draft.entry_id} is already there"
    return None if said and said[0] == "exists" and draft.entry_id else said


def source_of(proposal: Proposal) -> dict[str, Any]:
    """Where an entry made from this proposal came from."""
    first = proposal.evidence[0] if proposal.evidence else {}
    names = ("client", "session", "seq", "checkpoint", "part", "file", "speaker")
    return {"proposal": proposal.proposal_id, **{name: first[name] for name in names if first.get(name)}}


def _make(
    deed: Deed, good: Sequence[Proposal], drafts: dict[str, Draft], measured: dict[str, dict[str, Any]]
) -> dict[str, str]:
    if not good:
        return {}
    new = [_new(deed, proposal, drafts[proposal.proposal_id], measured[proposal.proposal_id]) for proposal in good]
    who = deed.frame.who.reviewer
    ids = insert_many(deed.session, deed.project_id, new, deed.now, reviewer=who, decision=deed.seq)
    names = [proposal.proposal_id for proposal in good]
    deed.session.connection().execute(
        update(Proposal)
        .where(col(Proposal.project_id) == deed.project_id, col(Proposal.proposal_id).in_(names))
        .values(state=ProposalState.ACCEPTED.value, rev=Proposal.rev + 1)
    )
    for proposal, item, entry_id in zip(good, new, ids, strict=True):
        state = str(item.columns.get("state", EntryState.ACTIVE))
        deed.added(proposal, entry_id, {"rev": len(item.history) + 1, "route": item.draft.route.value, "state": state})
        deed.notes(proposal.notes, NoteState.ACCEPTED)
        deed.session.expire(proposal)
    return dict(zip(names, ids, strict=True))


def _new(deed: Deed, proposal: Proposal, draft: Draft, measured: dict[str, Any]) -> New:
    """An import brings columns of its own (state, times, pin, source) and earlier revisions in the settings."""
    columns = {
        "verified_at": deed.now,
        "origin": proposal.origin or Origin.UNVERIFIED.value,
        "source": source_of(proposal),
        **measured,
        **entries.columns_of(proposal.settings.get("columns", {})),
    }
    if not draft.entry_id:
        seed = f"{deed.project_id}\0{draft.content_hash}\0{deed.now.isoformat()}\0{proposal.proposal_id}"
        draft = draft.with_(entry_id="m-" + entries.short_id(seed))
    return New(draft, columns, proposal.settings.get("history") or said_before(proposal, deed))


def said_before(proposal: Proposal, deed: Deed) -> list[dict[str, Any]]:
    """Earlier statements of the same fact, oldest first, as the entry's history."""
    chain = [from_document(value) for value in proposal.settings.get("chain", ())]
    common = {"origin": proposal.origin, "state": EntryState.SUPERSEDED.value, "reason": "said again since"}
    return [
        {"at": deed.now.isoformat(), "value": {**draft.document(), "content_hash": draft.content_hash, **common}}
        for draft in reversed(chain)
    ]


def _ids(deed: Deed, ids: Sequence[str]) -> set[str]:
    query = select(Entry.entry_id).where(Entry.project_id == deed.project_id, col(Entry.entry_id).in_(ids))
    return set(deed.session.exec(query))


def _texts(deed: Deed, fingerprints: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The reason against each of these texts that an entry has already."""
    query = select(Entry.fingerprint, Entry.entry_id, Entry.state).where(
        Entry.project_id == deed.project_id, col(Entry.fingerprint).in_(fingerprints)
    )
    out: dict[str, tuple[str, str]] = {}  # sorted so that the reason of a tombstone wins
    for fingerprint, entry_id, state in deed.session.exec(query.order_by(Entry.state, Entry.entry_id)):
        if reason := says(entry_id, state):
            out[fingerprint] = reason
    return out
