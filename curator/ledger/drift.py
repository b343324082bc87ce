"""Has what a proposal would change changed since it was made? And if so, can the proposal stand on what is there now?

Pure reading and computing; `curator.ledger.accept` writes what comes of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from curator.draft import Draft, from_document
from curator.ledger.values import name
from curator.store import entries
from curator.store.tables import Entry, Proposal, Revision
from curator.vocab import EntryState
from curator.worddiff import merge

_SEEN = ("title", "body", "kind", "route", "state", "pinned", "superseded_by", "labels")


@dataclass(frozen=True)
class Drift:
    """A target that is not what the proposal was made on: `now` is None where the entry left the memory."""

    entry_id: str
    now: Draft | None
    why: str


@dataclass(frozen=True)
class Rebased:
    """A proposal on what is there now; `clean` says that nothing of it was a matter of choice."""

    before: tuple[Draft, ...]
    after: tuple[Draft, ...]
    clean: bool


def targets_of(session: Session, proposal: Proposal) -> dict[str, Entry]:
    """The proposal's targets that exist, by id."""
    found = {}
    for target in proposal.targets:
        entry = session.get(Entry, (proposal.project_id, str(target["entry_id"])))
        if entry is not None:
            found[entry.entry_id] = entry
    return found


def drifts(session: Session, proposal: Proposal) -> tuple[Drift, ...]:
    """Every target that a person would see otherwise than the proposal showed it; empty when none."""
    found = targets_of(session, proposal)
    labels = entries.labels_of(session, proposal.project_id, found)
    out = []
    for target in proposal.targets:
        entry_id = str(target["entry_id"])
        entry = found.get(entry_id)
        if entry is None:
            out.append(Drift(entry_id, None, f"{entry_id} no longer exists"))
        elif entry.state != EntryState.ACTIVE:
            by = f" by {entry.superseded_by}" if entry.superseded_by else ""
            out.append(Drift(entry_id, None, f"{entry_id} was {entry.state}{by} meanwhile"))
        elif not _as_shown(session, entry, labels[entry_id], target):
            now = entries.draft_of(entry, labels[entry_id])
            out.append(
                Drift(entry_id, now, f"{entry_id} changed since: revision {target.get('rev')} to {_by(session, entry)}")
            )
    return tuple(out)


def changed(session: Session, project_id: str, targets: Sequence[dict[str, Any]]) -> frozenset[str]:
    """Of these targets' entries, those whose content or state is not as recorded: the queue's quick look."""
    wanted = {str(target["entry_id"]): target for target in targets}
    ids = list(wanted)
    good = set()
    for start in range(0, len(ids), 500):
        query = select(Entry.entry_id, Entry.content_hash, Entry.state).where(
            Entry.project_id == project_id, col(Entry.entry_id).in_(ids[start : start + 500])
        )
        for entry_id, content_hash, state in session.exec(query):
            if state == EntryState.ACTIVE and content_hash == wanted[entry_id].get("content_hash"):
                good.add(entry_id)
    return frozenset(wanted) - good


def rebase(proposal: Proposal, now: dict[str, Draft]) -> Rebased:
    """The proposal's change made again on what its targets say now (`now` holds the ones that changed).

    Texts are merged by words, title and body each; kind, route and labels as values. Where a target is used up by the
    proposal (superseded, merged away) and its words changed, the change is a matter of choice.
    """
    before = [from_document(value) for value in proposal.before]
    after = [from_document(value) for value in proposal.after]
    clean = True
    for base in before:
        ours = now.get(base.entry_id)
        if ours is None:
            continue
        at = next((n for n, draft in enumerate(after) if draft.entry_id == base.entry_id), None)
        if at is None:
            clean = clean and (not after or ours.text == base.text)
        else:
            after[at], good = merged(base, ours, after[at])
            clean = clean and good
    return Rebased(tuple(now.get(base.entry_id, base) for base in before), tuple(after), clean)


def merged(base: Draft, ours: Draft, theirs: Draft) -> tuple[Draft, bool]:
    """Both changes of one draft together, and whether they touched different words."""
    title, body = merge(base.title, ours.title, theirs.title), merge(base.body, ours.body, theirs.body)
    kind, same_kind = _value(base.kind, ours.kind, theirs.kind)
    route, same_route = _value(base.route, ours.route, theirs.route)
    labels = (set(ours.labels) | set(theirs.labels)) - (set(base.labels) - (set(ours.labels) & set(theirs.labels)))
    draft = theirs.with_(title=title.text, body=body.text, kind=kind, route=route, labels=tuple(labels))
    return draft, title.clean and body.clean and same_kind and same_route


def unsettled(base: Draft, ours: Draft, theirs: Draft, result: Draft) -> bool:
    """Does a result still hold words of both sides, because nobody chose?"""
    pairs = ((base.title, ours.title, theirs.title, result.title), (base.body, ours.body, theirs.body, result.body))
    return any(merge(one, two, three).unsettled(text) for one, two, three, text in pairs)


def _by(session: Session, entry: Entry) -> str:
    """The present revision, who made it and in which decision."""
    kept = session.get(Revision, (entry.project_id, entry.entry_id, entry.rev))
    who = f" by {kept.reviewer}" if kept and kept.reviewer else ""
    return f"{entry.rev}{who}" + (f" in {name(kept.decision)}" if kept and kept.decision else "")


def _value(base: Any, ours: Any, theirs: Any) -> tuple[Any, bool]:
    if theirs in (base, ours):
        return ours, True
    return theirs, ours == base


def _as_shown(session: Session, entry: Entry, labels: Sequence[str], target: dict[str, Any]) -> bool:
    if entry.content_hash != target.get("content_hash"):
        return False
    if entry.rev == target.get("rev"):
        return True
    kept = session.get(Revision, (entry.project_id, entry.entry_id, target.get("rev", 0)))
    if kept is None:
        return False
    now = entries.document(entry, labels)
    return all(kept.value.get(name) == now[name] for name in _SEEN)
