"""Taking a decision back: the ledger's effects in reverse, recorded as a decision of its own.

Owns which decision is the last, what stands in the way of an undo, and how a document comes back. Only what the
decision changed goes back; what was measured or noticed since (sightings, checked anchors) stays.
"""

from typing import Any

from sqlalchemy import and_, update
from sqlmodel import Session, col, select

from curator.draft import from_document
from curator.errors import Conflict, NotFound
from curator.ledger import bulk_undo
from curator.ledger.accept import withdraw
from curator.ledger.deed import Deed, claim, free, proposal_document, refusal_document, write_refusal
from curator.ledger.values import Item, name
from curator.store import entries
from curator.store.proposals import WAITING
from curator.store.tables import Decision, Entry, Note, OpenTarget, Proposal, Record, Refusal
from curator.vocab import ProposalState, Verb

_OWN = frozenset({"entry_id", "rev", "updated_at", "content_hash"})

_CHECKED = frozenset({"anchors", "anchor_state", "verified_at", "sightings"})

_PART = 500


def last(session: Session, project_id: str) -> int | None:
    """The newest decision that still stands and can be taken back; None when there is none."""
    return session.exec(
        select(Decision.seq)
        .where(
            Decision.project_id == project_id,
            col(Decision.undone_by).is_(None),
            col(Decision.verb).not_in([Verb.UNDO, Verb.PURGE]),
        )
        .order_by(col(Decision.seq).desc())
        .limit(1)
    ).first()


def undo(deed: Deed, seq: int) -> tuple[Item, ...]:
    """Take decision `seq` back. Raises `Conflict` naming what must be undone first, `NotFound` for an unknown one."""
    decision = deed.session.get(Decision, (deed.project_id, seq))
    if decision is None:
        raise NotFound(f"there is no decision {name(seq)}")
    if decision.undone_by is not None:
        raise Conflict(f"{name(seq)} was already taken back by {name(decision.undone_by)}")
    if decision.verb == Verb.PURGE:
        raise Conflict(f"{name(seq)} erased private data and cannot be taken back")
    _unbuilt(deed, decision)
    effects, items = decision.effects[::-1], []
    in_bulk = bulk_undo.fits(effects)
    for start in range(0, len(effects), _PART):
        part = effects[start : start + _PART]
        done = bulk_undo.back(deed, part, seq) if in_bulk else {}
        items += [
            _item(done, effect) if in_bulk and bulk_undo.knows(effect) else _back(deed, effect, seq) for effect in part
        ]
        if len(effects) > _PART:
            deed.session.flush()
            deed.session.expunge_all()  # a bulk stays flat in memory
    decision = deed.session.merge(decision)
    decision.undone_by = deed.seq
    deed.session.add(decision)
    if decision.undoes is not None:
        again = deed.session.get(Decision, (deed.project_id, decision.undoes))
        if again is not None:
            again.undone_by = None
            deed.session.add(again)
    deed.session.flush()
    return tuple(item for item in items if item is not None)


def _item(done: dict[str, Item], effect: dict[str, Any]) -> Item | None:
    return done.get(str(effect.get("entry_id") or effect.get("proposal_id")))


def _unbuilt(deed: Deed, decision: Decision) -> None:
    """Raise `Conflict` where a later decision that stands touched the same entries or proposals."""
    # An import of a sync file names as its own only what none of the decisions it brought did; its effects name all.
    touched = {*decision.proposals, *(each["entry_id"] for each in decision.effects if "entry_id" in each)}
    later = deed.session.exec(
        select(Decision.seq, Decision.entries, Decision.proposals, Decision.undoes)
        .where(
            Decision.project_id == deed.project_id,
            Decision.seq > decision.seq,
            col(Decision.undone_by).is_(None),
        )
        .order_by(col(Decision.seq).desc())
    ).all()
    for seq, entry_ids, proposal_ids, undoes in later:
        # An undo leaves things as they were before what it took back: nothing is built on it if that came later too.
        if undoes is not None and undoes > decision.seq:
            continue
        if common := sorted(touched & {*entry_ids, *proposal_ids}):
            raise Conflict(f"{name(seq)} changed {', '.join(common[:3])} later: undo {name(seq)} first")


def _back(deed: Deed, effect: dict[str, Any], seq: int) -> Item | None:
    if "entry_id" in effect:
        return _entry_back(deed, effect, seq)
    if "proposal_id" in effect:
        return _proposal_back(deed, effect)
    if "note_id" in effect:
        note = deed.session.get(Note, (deed.project_id, effect["note_id"]))
        if note is not None and note.state == effect["after"]["state"]:
            note.state, note.reason = effect["before"]["state"], effect["before"]["reason"]
            deed.session.add(note)
            deed.effects.append({**effect, "before": effect["after"], "after": effect["before"]})
    elif "fingerprint" in effect:
        found = deed.session.get(Refusal, (deed.project_id, effect["fingerprint"]))
        now = refusal_document(found) if found else None
        write_refusal(deed.session, deed.project_id, effect["fingerprint"], effect["before"])
        deed.effects.append({**effect, "before": now, "after": effect["before"]})
    elif "decisions" in effect or "decision" in effect:
        _decisions_back(deed, effect, seq)
    elif "record" in effect:
        row = deed.session.get(Record, (deed.project_id, *effect["record"]))
        if row is not None:
            row.typed, row.origin, row.sender = (effect["before"][name] for name in ("typed", "origin", "sender"))
            deed.session.add(row)
            deed.effects.append({**effect, "before": effect["after"], "after": effect["before"]})
    return None


def _decisions_back(deed: Deed, effect: dict[str, Any], seq: int) -> None:
    """What an import of a sync file did to decisions: those it brought stand no more; others get their mark back."""
    deed.effects.append({**effect, "before": effect["after"], "after": effect["before"]})
    if "decision" in effect:
        wanted, by = Decision.seq == effect["decision"], effect["before"]["undone_by"]
    else:
        first, last = effect["decisions"]
        stand = col(Decision.undone_by).is_(None) if effect["before"] is None else col(Decision.undone_by) == seq
        wanted = and_(col(Decision.seq).between(first, last), stand)
        by = deed.seq if effect["before"] is None else None
    deed.session.connection().execute(
        update(Decision).where(col(Decision.project_id) == deed.project_id, wanted).values(undone_by=by)
    )


def _entry_back(deed: Deed, effect: dict[str, Any], seq: int) -> Item:
    entry_id, before, after = effect["entry_id"], effect["before"], effect["after"]
    entry = deed.session.get(Entry, (deed.project_id, entry_id))
    now = entries.document(entry, deed.labels(entry_id)) if entry is not None else None
    if (after is None) != (now is None):
        raise Conflict(f"{entry_id} is not as {name(seq)} left it")
    if before is None:
        _take_away(deed, entry_id)
        deed.entries.append(entry_id)
        deed.effects.append({"entry_id": entry_id, "before": now, "after": None})
        return Item(entry_id, True, "taken back", entry_id)
    if now is None or entry is None:
        _make_again(deed, before)
        return Item(entry_id, True, "back", entry_id)
    moved = {key for key, value in before.items() if key not in _OWN and value != after.get(key)}
    moved -= _noticed_since(before, after, now)
    if odd := sorted(key for key in moved - _CHECKED if now[key] != after[key]):
        raise Conflict(f"{entry_id} changed since {name(seq)} without a decision ({', '.join(odd)})")
    value = {**now, **{key: before[key] for key in moved}}
    written = entries.write_back(
        deed.session, deed.project_id, value, deed.now, reviewer=deed.frame.who.reviewer, decision=deed.seq
    )
    deed.entries.append(entry_id)
    deed.effects.append(
        {"entry_id": entry_id, "before": now, "after": entries.document(written, deed.labels(entry_id))}
    )
    return Item(entry_id, True, "back", entry_id)


def _noticed_since(before: dict[str, Any], after: dict[str, Any], now: dict[str, Any]) -> set[str]:
    """What a check of the anchors wrote after the decision: it stays, unless the decision changed the anchors."""
    was, made, are = ([anchor.get("ref") for anchor in value["anchors"]] for value in (before, after, now))
    checked = {key for key in _CHECKED if now[key] != after.get(key)}
    return checked - {"anchors", "anchor_state"} if was != made == are else checked


def _take_away(deed: Deed, entry_id: str) -> None:
    """An entry that the decision made is not there any more; the ledger keeps its whole document."""
    held = deed.session.get(OpenTarget, (deed.project_id, entry_id))
    if held is not None:
        withdraw(deed, held.proposal_id)
    entries.take_away(deed.session, deed.project_id, entry_id)


def _make_again(deed: Deed, value: dict[str, Any]) -> None:
    skipped = {"entry_id", "kind", "route", "title", "body", "labels", "content_hash", "rev"}
    columns = {key: item for key, item in value.items() if key not in skipped}
    draft = from_document({**value, "refs": [anchor.get("ref", "") for anchor in value.get("anchors", [])]})
    made = deed.add(draft, **entries.columns_of(columns))
    if made.entry_id != value["entry_id"]:
        raise Conflict(f"{value['entry_id']} cannot be made again")


def _proposal_back(deed: Deed, effect: dict[str, Any]) -> Item | None:
    before, after = effect["before"], effect["after"]
    proposal = deed.session.get(Proposal, (deed.project_id, effect["proposal_id"]))
    if proposal is None or proposal.state != after["state"]:
        return None
    if before is None:
        deed.settle(proposal, ProposalState.WITHDRAWN)
        return Item(proposal.proposal_id, True, "withdrawn")
    now = proposal_document(proposal)
    for key, value in before.items():
        if value != after.get(key):
            setattr(proposal, key, value)
    proposal.rev = now["rev"] + 1
    deed.session.add(proposal)
    deed.session.flush()
    free(deed.session, deed.project_id, proposal.proposal_id)
    if proposal.state in WAITING:
        _reclaim(deed, proposal)
    deed.revised(proposal, now)
    return Item(proposal.proposal_id, True, f"{proposal.state} again")


def _reclaim(deed: Deed, proposal: Proposal) -> None:
    """The proposal waits again, so newer proposals about the same entries go: they were made on what is taken back."""
    for target in proposal.targets:
        held = deed.session.get(OpenTarget, (deed.project_id, str(target["entry_id"])))
        if held is not None and held.proposal_id != proposal.proposal_id:
            withdraw(deed, held.proposal_id)
    claim(deed.session, proposal)
