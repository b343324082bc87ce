"""Taking back a bulk of additions, and an undo of one: the same checks and the same result as one by one, in a few
statements.

Owns speed only, as `curator.ledger.additions` does for making them. Effects on anything but entries and proposals
are left to the caller.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update
from sqlmodel import col, select

from curator.draft import from_document
from curator.errors import Conflict
from curator.ledger.deed import Deed
from curator.ledger.values import Item, name
from curator.store import entries
from curator.store.bulk import New, insert_many
from curator.store.tables import Entry, OpenTarget, Proposal

Effects = Sequence[dict[str, Any]]

_SHORT = {"state", "rev"}
_DRAFT = frozenset({"entry_id", "kind", "route", "title", "body", "labels", "content_hash", "rev"})


def fits(effects: Effects) -> bool:
    """Do these effects only make entries, or only take them away, with states of proposals and what is no entry's?"""
    made = [effect for effect in effects if "entry_id" in effect]
    proposals = [effect for effect in effects if "proposal_id" in effect]
    return (
        bool(made or proposals)
        and (all(each["before"] is None for each in made) or all(each["after"] is None for each in made))
        and all(each["before"] and each["before"].keys() == _SHORT for each in proposals)
        and len({each["entry_id"] for each in made}) == len(made)
        and len({each["proposal_id"] for each in proposals}) == len(proposals)
    )


def knows(effect: dict[str, Any]) -> bool:
    """Is the effect one that `back` takes back? The others are the caller's."""
    return "entry_id" in effect or "proposal_id" in effect


def back(deed: Deed, effects: Effects, seq: int) -> dict[str, Item]:
    """Take a part of the effects of decision `seq` back; an item by entry or proposal id. Raises `Conflict`."""
    made = [effect for effect in effects if "entry_id" in effect]
    if made and made[0]["before"] is None:
        items = _take_away(deed, [effect["entry_id"] for effect in made], seq)
    else:
        items = _make_again(deed, [effect["before"] for effect in made], seq)
    return items | _proposals(deed, [effect for effect in effects if "proposal_id" in effect])


def _take_away(deed: Deed, ids: list[str], seq: int) -> dict[str, Item]:
    from curator.ledger.accept import withdraw  # which imports what makes additions

    rows = {row.entry_id: row for row in deed.session.exec(_entries(deed, ids))}
    if missing := [each for each in ids if each not in rows]:
        raise Conflict(f"{missing[0]} is not as {name(seq)} left it")
    labels = entries.labels_of(deed.session, deed.project_id, ids)
    documents = {each: entries.document(rows[each], labels[each]) for each in ids}
    held = select(OpenTarget).where(OpenTarget.project_id == deed.project_id, col(OpenTarget.entry_id).in_(ids))
    for proposal_id in {target.proposal_id for target in deed.session.exec(held)}:
        withdraw(deed, proposal_id)
    entries.take_away_many(deed.session, deed.project_id, ids)
    deed.entries += ids
    deed.effects += [{"entry_id": each, "before": documents[each], "after": None} for each in ids]
    return {each: Item(each, True, "taken back", each) for each in ids}


def _make_again(deed: Deed, values: Sequence[dict[str, Any]], seq: int) -> dict[str, Item]:
    new = []
    for value in values:
        draft = from_document({**value, "refs": [anchor.get("ref", "") for anchor in value.get("anchors", [])]})
        columns = {key: item for key, item in value.items() if key not in _DRAFT}
        new.append(New(draft, {**deed.measured(draft), **entries.columns_of(columns)}))
    ids = [str(value["entry_id"]) for value in values]
    if there := deed.session.exec(_entries(deed, ids)).first():
        raise Conflict(f"{there.entry_id} is not as {name(seq)} left it")
    who = deed.frame.who.reviewer
    insert_many(deed.session, deed.project_id, new, deed.now, reviewer=who, decision=deed.seq)
    rows = deed.session.exec(_entries(deed, ids)).all()
    labels = entries.labels_of(deed.session, deed.project_id, ids)
    deed.entries += ids
    deed.effects += [
        {"entry_id": row.entry_id, "before": None, "after": entries.document(row, labels[row.entry_id])} for row in rows
    ]
    return {each: Item(each, True, "back", each) for each in ids}


def _proposals(deed: Deed, effects: Effects) -> dict[str, Item]:
    """Give proposals that are still as the decision left them their state back."""
    wanted = {effect["proposal_id"]: effect for effect in effects}
    query = select(Proposal.proposal_id, Proposal.state, Proposal.rev).where(
        Proposal.project_id == deed.project_id, col(Proposal.proposal_id).in_(list(wanted))
    )
    moved: dict[str, list[str]] = {}
    for proposal_id, state, rev in deed.session.exec(query).all():
        effect = wanted[proposal_id]
        if state != effect["after"]["state"]:
            continue
        now, then = {"state": state, "rev": rev}, {"state": effect["before"]["state"], "rev": rev + 1}
        moved.setdefault(then["state"], []).append(proposal_id)
        deed.proposals.append(proposal_id)
        deed.effects.append({"proposal_id": proposal_id, "before": now, "after": then})
    for state, ids in moved.items():
        deed.session.connection().execute(
            update(Proposal)
            .where(col(Proposal.project_id) == deed.project_id, col(Proposal.proposal_id).in_(ids))
            .values(state=state, rev=Proposal.rev + 1)
        )
    return {each: Item(each, True, f"{state} again") for state, ids in moved.items() for each in ids}


def _entries(deed: Deed, ids: Sequence[str]) -> Any:
    return select(Entry).where(Entry.project_id == deed.project_id, col(Entry.entry_id).in_(ids))
