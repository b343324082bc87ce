"""Taking back a bulk of additions in a few statements gives what taking it back one by one gives."""

import json
from typing import Any

import pytest
from sqlalchemy import text

from curator.desk.views import Shown
from curator.errors import Conflict
from curator.interchange.entries import import_entries
from curator.ledger import bulk_undo, undo
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import WORDS, desk_on, documents, lesson, note, propose, states

TABLES = ("entry", "entry_label", "revision", "proposal", "open_target", "note", "entry_words")


def offered(store: Store, number: int) -> list[Shown]:
    """Proposals of an import, and one with a note behind it."""
    path = store.place.root / "offer.jsonl"
    rows = [{"id": f"n-{n}", "kind": "lesson", "body": f"belt {n} slips", "labels": ["web"]} for n in range(number)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ids = import_entries(store, path, WORDS).proposals
    other = propose(store, Op.ADD, after=[lesson("Use pnpm.")], notes=[note(store, "use pnpm")])
    return [*(Shown(each, 1) for each in ids), other]


def contents(store: Store) -> dict[str, list[str]]:
    """Every row of what a decision touches, but for revisions' numbers of a proposal."""
    with store.engine.connect() as connection:
        return {
            name: sorted(repr(row._mapping) for row in connection.execute(text(f"SELECT * FROM {name}")))
            for name in TABLES
        }


def accepted(store: Store, number: int = 7) -> dict[str, dict[str, Any]]:
    """All accepted in one decision; the entries then."""
    assert desk_on(store).accept(offered(store, number)).complete
    return documents(store)


@pytest.mark.parametrize("part", [3, 500])
def test_a_bulk_goes_and_comes_back_as_one_by_one(store: Store, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """Undo and its undo leave every row of every table as the way entry by entry leaves it, however it is cut."""
    monkeypatch.setattr(undo, "_PART", part)
    there = accepted(store)
    desk, seen = desk_on(store), []
    before = contents(store)
    for in_bulk in (True, False):
        with monkeypatch.context() as patch:
            if not in_bulk:
                patch.setattr(bulk_undo, "fits", lambda effects: False)
            gone = desk.undo()
            assert documents(store) == {} and set(states(store).values()) == {"open"}
            assert {item.outcome for item in gone.items} == {"taken back", "open again"}
            seen.append({**contents(store), "proposal": []})
            back = desk.undo(gone.decision)
            assert documents(store) == there and back.complete
    assert seen[0] == seen[1]
    after = contents(store)
    assert {name: after[name] for name in ("entry_label", "entry_words", "open_target", "note")} == {
        name: before[name] for name in ("entry_label", "entry_words", "open_target", "note")
    }


def test_what_was_built_on_it_or_is_gone_stops_the_whole(store: Store) -> None:
    """A later decision about one entry is named; an entry that went without a decision stops it; nothing changed."""
    there = accepted(store)
    desk = desk_on(store)
    desk.pin("n-3", 1)
    with pytest.raises(Conflict, match="undo D-0002 first"):
        desk.undo(1)
    desk.undo()
    with store.write() as session:
        for name in ("entry_label", "revision", "entry"):
            session.connection().execute(text(f"DELETE FROM {name} WHERE entry_id = 'n-5'"))
    with pytest.raises(Conflict, match="n-5 is not as D-0001 left it"):
        desk.undo(1)
    assert documents(store).keys() == there.keys() - {"n-5"}


def test_a_newer_proposal_about_what_goes_is_withdrawn(store: Store) -> None:
    """The entry that a later proposal is about goes, and the proposal leaves the queue."""
    accepted(store)
    old = desk_on(store).entry("n-2").draft
    update = propose(store, Op.UPDATE, [old], [old.with_(body="belt 2 holds")])
    desk_on(store).undo(1)
    assert states(store)[update.proposal_id] == "withdrawn"


def test_other_decisions_go_one_by_one(store: Store) -> None:
    """What changes an entry, or keeps a proposal whole, is no bulk of additions; notes and refusals may be in one."""
    short = {"proposal_id": "P-1", "before": {"state": "open", "rev": 1}, "after": {"state": "accepted", "rev": 2}}
    made = {"entry_id": "n-1", "before": None, "after": {"rev": 1}}
    others: list[dict[str, Any]] = [{name: "x", "before": None, "after": {}} for name in ("note_id", "fingerprint")]
    assert bulk_undo.fits([made, short, *others]) and not any(bulk_undo.knows(each) for each in others)
    odds: list[dict[str, Any]] = [
        {"entry_id": "n-2", "before": {"rev": 1}, "after": {"rev": 2}},
        {**short, "before": {"state": "open", "rev": 1, "title": "x"}},
        made,
    ]
    for odd in odds:
        assert not bulk_undo.fits([made, odd])
