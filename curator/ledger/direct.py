"""A person's direct changes to entries: edit, pin, tombstone, restore. Decisions like any other."""

from typing import Any

from curator.draft import Draft
from curator.errors import Conflict, CuratorError
from curator.ledger.accept import retire, withdraw
from curator.ledger.deed import Deed
from curator.store import entries
from curator.store.tables import Entry, OpenTarget
from curator.vocab import EntryState


def edit(deed: Deed, entry_id: str, rev: int, draft: Draft) -> Entry:
    """Give an active entry another text, kind, route or labels; raises `Conflict` when it is not at `rev` any more."""
    entry = _active(deed, entry_id, rev)
    if draft.content_hash == entry.content_hash and draft.refs == deed.draft(entry).refs:
        return entry
    return deed.change(entry, draft.with_(entry_id=entry_id), verified_at=deed.now)


def pin(deed: Deed, entry_id: str, rev: int, *, pinned: bool) -> Entry:
    """Always inject an active entry, or stop that."""
    entry = _active(deed, entry_id, rev)
    return entry if entry.pinned == pinned else deed.change(entry, pinned=pinned)


def tombstone(deed: Deed, entry_id: str, rev: int, reason: str) -> Entry:
    """Retire an entry: out of every read path, and learned again through no door."""
    return retire(deed, _active(deed, entry_id, rev), "", reason)


def leave(deed: Deed, entry_id: str, rev: int, reason: str) -> Entry:
    """Retire an entry that goes on elsewhere; it may be learned again here."""
    entry = _active(deed, entry_id, rev)
    drop_proposal(deed, entry_id)
    return deed.change(entry, state=EntryState.SUPERSEDED.value, reason=reason, pinned=False)


def arrive(deed: Deed, draft: Draft, **columns: Any) -> str:
    """Take in an entry that comes from another store; returns its id here."""
    return deed.add(draft.with_(entry_id=""), **columns).entry_id


def restore(deed: Deed, entry_id: str, rev: int) -> Entry:
    """Bring a tombstoned or superseded entry back as it was."""
    entry = _at(deed, entry_id, rev)
    if entry.state == EntryState.ACTIVE:
        raise CuratorError(f"{entry_id} is active; there is nothing to restore")
    return deed.change(entry, state=EntryState.ACTIVE.value, superseded_by="", reason="", verified_at=deed.now)


def drop_proposal(deed: Deed, entry_id: str) -> None:
    """Withdraw the proposal that waits about an entry, if there is one."""
    held = deed.session.get(OpenTarget, (deed.project_id, entry_id))
    if held is not None:
        withdraw(deed, held.proposal_id)


def _active(deed: Deed, entry_id: str, rev: int) -> Entry:
    entry = _at(deed, entry_id, rev)
    if entry.state != EntryState.ACTIVE:
        raise CuratorError(f"{entry_id} is {entry.state}; `curator restore {entry_id}` brings it back first")
    return entry


def _at(deed: Deed, entry_id: str, rev: int) -> Entry:
    entry = entries.get(deed.session, deed.project_id, entry_id)
    if entry.rev != rev:
        raise Conflict(f"{entry_id} changed since it was shown (revision {rev}, now {entry.rev}); look again")
    return entry
