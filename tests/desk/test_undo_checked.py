"""Undo of a change to an entry whose anchors a sweep checked meanwhile."""

from datetime import timedelta

from curator.cycle.sweeping import run as sweep
from curator.desk.desk import Desk
from curator.store.engine import Store
from tests.conftest import Clock
from tests.desk.helpers import WORDS, enter, lesson


def edited_and_checked(store: Store, clock: Clock, refs: tuple[str, ...]) -> tuple[Desk, str]:
    """An entry with an anchor, given another text and these anchors, and looked at by a sweep a month later."""
    for name in ("a.py", "b.py"):
        (store.place.root / name).write_text("port = 80\n", encoding="utf-8")
    (made,) = enter(store, lesson("the port is 80", refs=("a.py",)))
    desk = Desk(store, WORDS, "ana")
    desk.edit(made.entry_id, 1, made.with_(body="the port is 8080", refs=refs))
    clock.at += timedelta(days=30)
    sweep(store)
    assert desk.entry(made.entry_id).anchor_state == "FRESH"
    return desk, made.entry_id


def test_what_a_check_noticed_since_does_not_stand_in_the_way(store: Store, clock: Clock) -> None:
    """The text goes back; that the anchor was found fresh stays."""
    desk, entry_id = edited_and_checked(store, clock, ("a.py",))
    desk.undo()
    entry = desk.entry(entry_id)
    assert (entry.draft.body, entry.anchor_state, entry.verified_at) == ("the port is 80", "FRESH", clock.at)


def test_anchors_that_the_decision_changed_go_back(store: Store, clock: Clock) -> None:
    """Also after the new ones were checked."""
    desk, entry_id = edited_and_checked(store, clock, ("b.py",))
    desk.undo()
    assert desk.entry(entry_id).draft.refs == ("a.py",)
