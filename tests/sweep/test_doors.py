"""What a person refused or retired comes back through no door; the sweep has nothing to propose of it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlmodel import select

from curator.harvest.files import harvest_file
from curator.interchange.entries import import_entries
from curator.ledger.values import Shown
from curator.store.engine import Store
from curator.store.tables import Refusal
from curator.vocab import Kind, Origin
from tests.sweep.helpers import COUNT, accept_all, desk, entries, noted, notes, proposals, said, swept

TEXT = "Do not commit generated files."
OTHER_WORDS = "Never commit generated files."


def _remember(store: Store, text: str) -> None:
    noted(store, f"lesson: {text}")


def _remember_as_an_agent(store: Store, text: str) -> None:
    noted(store, text, origin=Origin.AGENT)


def _harvest(store: Store, text: str) -> None:
    path = store.place.root / "again.jsonl"
    message = {"role": "assistant", "content": [{"type": "text", "text": f"lesson: {text}"}]}
    row = {"type": "assistant", "uuid": "u1", "sessionId": "later", "timestamp": "2031-03-04T09:01:00.000Z"}
    path.write_text(json.dumps({**row, "message": message}) + "\n")
    harvest_file(store, path, COUNT.count)


def _checkpoint(store: Store, text: str) -> None:
    said(store, text, Kind.LESSON, datetime(2031, 3, 4, tzinfo=UTC), "later")


def _import(store: Store, text: str) -> None:
    path = store.place.root / "in.jsonl"
    path.write_text(json.dumps({"id": "other-1", "kind": "lesson", "body": text}) + "\n")
    import_entries(store, path, COUNT)


DOORS = [_remember, _remember_as_an_agent, _harvest, _checkpoint, _import]
Door = Callable[[Store, str], None]


def _learn(store: Store) -> Shown:
    noted(store, f"lesson: {TEXT}")
    swept(store)
    (row,) = proposals(store)
    return Shown(row.proposal_id, row.rev)


@pytest.mark.parametrize("door", DOORS)
def test_a_refused_text_comes_back_through_no_door(store: Store, door: Door) -> None:
    """Refused once, offered again as it was: no proposal, no entry, and the repeat is counted."""
    desk(store).reject([_learn(store)], "wrong")
    door(store, TEXT)
    for _ in range(2):
        assert swept(store).proposals == ()
    assert proposals(store, "open") == [] and entries(store) == []
    with store.read() as session:
        (refusal,) = session.exec(select(Refusal)).all()
    assert refusal.blocked >= (door is not _remember_as_an_agent)


@pytest.mark.parametrize("door", DOORS)
def test_a_tombstoned_text_comes_back_through_no_door(store: Store, door: Door) -> None:
    """Retired once, offered again as it was: it stays retired and nothing is proposed."""
    _learn(store)
    accept_all(store)
    (entry,) = entries(store)
    desk(store).tombstone(entry.entry_id, entry.rev, "no longer so")
    door(store, TEXT)
    for _ in range(2):
        assert swept(store).proposals == ()
    assert proposals(store, "open") == [] and entries(store) == []
    assert [each.entry_id for each in entries(store, "tombstoned")] == [entry.entry_id]


@pytest.mark.parametrize("refuse", [True, False], ids=["refused", "tombstoned"])
def test_what_was_refused_or_retired_does_not_come_back_in_other_words(store: Store, refuse: bool) -> None:
    """A paraphrase with the same specifics is blocked; with another specific it is proposed and says why."""
    shown = _learn(store)
    if refuse:
        desk(store).reject([shown], "we do commit them")
    else:
        accept_all(store)
        (entry,) = entries(store)
        desk(store).tombstone(entry.entry_id, entry.rev, "we do commit them")
    noted(store, OTHER_WORDS)
    assert swept(store).proposals == () and notes(store)[OTHER_WORDS] == "blocked"
    noted(store, "Do not commit generated files larger than 5 MB.")
    (made,) = swept(store).proposals
    assert "we do commit them" in made["settings"]["rejected_before"]


def test_a_merge_cannot_bring_a_retired_text_back(store: Store) -> None:
    """Where the merged text became a tombstone meanwhile, accepting refuses and says how to restore it."""
    noted(store, f"lesson: {TEXT}")
    swept(store)
    accept_all(store)
    noted(store, f"lesson: {OTHER_WORDS}")
    swept(store)
    (merge,) = proposals(store, "open")
    assert merge.op == "merge"
    from tests.desk.helpers import enter

    (retired,) = enter(store, OTHER_WORDS)
    desk(store).tombstone(retired.entry_id, 1, "wrong")
    item = desk(store).accept([Shown(merge.proposal_id, merge.rev)]).items[0]
    assert not item.done and f"curator restore {retired.entry_id}" in item.detail
    assert [entry.body for entry in entries(store)] == [TEXT]
