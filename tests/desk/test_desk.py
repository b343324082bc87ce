"""Deciding: what is accepted is what was shown; what was refused stays refused; what was done can be taken back."""

import pytest
from sqlmodel import select

from curator.desk.views import Filter, Shown
from curator.errors import Conflict, CuratorError
from curator.store.engine import Store
from curator.store.tables import Note, OpenTarget, Refusal
from curator.vocab import Kind, Op, Route
from tests.conftest import Clock
from tests.desk.helpers import desk_on, documents, enter, lesson, note, propose, states


def test_accepting_an_addition_makes_an_active_entry(store: Store) -> None:
    """The entry has the text, origin and tokens of the proposal, and the note behind it is accepted."""
    made = note(store, "Use pnpm in web/.")
    shown = propose(store, Op.ADD, after=[lesson("Use pnpm in web/.", labels=["web"])], notes=[made])
    outcome = desk_on(store).accept([shown])
    assert outcome.complete and outcome.decision == 1
    (document,) = documents(store).values()
    assert (document["body"], document["state"], document["labels"]) == ("Use pnpm in web/.", "active", ["web"])
    assert (document["origin"], document["tokens"]) == ("human", 4)
    with store.read() as session:
        kept = session.get(Note, (store.project_id, made))
        assert kept is not None and kept.state == "accepted"


def test_an_update_changes_its_target_and_keeps_the_revision_before(store: Store) -> None:
    """The old text stays in the history."""
    (old,) = enter(store, "The limit is 10.")
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="The limit is 10 per hour.")])
    desk = desk_on(store)
    assert desk.accept([shown]).complete
    entry = desk.entry(old.entry_id)
    assert (entry.draft.body, entry.rev) == ("The limit is 10 per hour.", 2)
    assert [change.rev for change in entry.history] == [2, 1]


def test_a_replacement_leaves_the_old_superseded_and_pointing_to_the_new(store: Store) -> None:
    """Both texts are kept; only the new one is active."""
    (old,) = enter(store, "The limit is 10.")
    shown = propose(store, Op.UPDATE, [old], [lesson("The limit is 20.")], relation="replaces")
    item = desk_on(store).accept([shown]).items[0]
    found = documents(store)
    assert (found[old.entry_id]["state"], found[old.entry_id]["superseded_by"]) == ("superseded", item.entry_id)
    assert (found[item.entry_id]["state"], found[item.entry_id]["body"]) == ("active", "The limit is 20.")


def test_a_merge_has_the_lowest_origin_and_every_sighting_of_its_parts(store: Store) -> None:
    """The part that is not kept is superseded by the other."""
    (one,) = enter(store, "Retry S3 reads.", origin="human", sightings=2)
    (two,) = enter(store, "Reads from S3 need a retry.", origin="agent", sightings=1, pinned=True)
    shown = propose(store, Op.MERGE, [one, two], [one.with_(body="Retry reads from S3.")])
    assert desk_on(store).accept([shown]).complete
    found = documents(store)
    kept = found[one.entry_id]
    assert (kept["origin"], kept["sightings"], kept["pinned"]) == ("agent", 3, True)
    assert (found[two.entry_id]["state"], found[two.entry_id]["superseded_by"]) == ("superseded", one.entry_id)


def test_tombstone_split_reroute_and_relabel(store: Store) -> None:
    """Each operation does what its name says to its target."""
    dead, wide, moved, tagged = enter(store, "Node 16 in CI.", "Use UTC. Freeze time.", "Why backoff.", "Ports.")
    desk = desk_on(store)
    deferred = moved.with_(kind=Kind.DESIGN, route=Route.DEFERRED)
    outcome = desk.accept(
        [
            propose(store, Op.TOMBSTONE, [dead], reason="gone"),
            propose(store, Op.SPLIT, [wide], [lesson("Use UTC."), lesson("Freeze time.")]),
            propose(store, Op.REROUTE, [moved], [deferred]),
            propose(store, Op.RELABEL, [tagged], [tagged.with_(labels=("net",))]),
        ]
    )
    assert outcome.complete, outcome
    found = documents(store)
    assert (found[dead.entry_id]["state"], found[dead.entry_id]["reason"]) == ("tombstoned", "gone")
    assert found[wide.entry_id]["state"] == "superseded"
    assert sorted(d["body"] for d in found.values() if d["state"] == "active") == [
        "Freeze time.",
        "Ports.",
        "Use UTC.",
        "Why backoff.",
    ]
    assert (found[moved.entry_id]["route"], found[moved.entry_id]["labels"]) == ("deferred", ["kb"])
    assert found[tagged.entry_id]["labels"] == ["net"]


def test_a_rejection_remembers_the_text_and_frees_the_target(store: Store) -> None:
    """The refusal holds fingerprint, reason and decision; the entry may have another proposal."""
    (old,) = enter(store, "The limit is 10.")
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="The limit is 11.")], settings={"slots": "11"})
    desk = desk_on(store)
    with pytest.raises(CuratorError):
        desk.reject([shown], " ")
    assert desk.reject([shown], "wrong", "I checked").complete
    with store.read() as session:
        (refusal,) = session.exec(select(Refusal)).all()
        assert (refusal.reason, refusal.slots, refusal.decision) == ("wrong", "11", 1)
        assert session.get(OpenTarget, (store.project_id, old.entry_id)) is None
    assert documents(store)[old.entry_id]["body"] == "The limit is 10."
    (line,) = desk.log()
    assert (line.reason, line.comment, line.reviewer, line.via) == ("wrong", "I checked", "ana", "terminal")


def test_a_decision_on_an_older_revision_of_a_proposal_does_nothing(store: Store) -> None:
    """A proposal edited between showing and applying is not accepted."""
    shown = propose(store, Op.ADD, after=[lesson("Use pnpm.")], rev=2)
    outcome = desk_on(store).accept([Shown(shown.proposal_id, 1), Shown("P-9999", 1)])
    assert [(item.done, item.outcome) for item in outcome.items] == [(False, "stale"), (False, "gone")]
    assert outcome.decision is None and documents(store) == {}


def test_undo_takes_back_one_after_another_and_can_be_taken_back_itself(store: Store, clock: Clock) -> None:
    """Documents and proposals are exactly as they were at each step; an undo can be undone."""
    (old,) = enter(store, "The limit is 10.")
    desk = desk_on(store)
    steps = [documents(store)]
    update = propose(store, Op.UPDATE, [old], [old.with_(body="The limit is 10 per hour.")])
    desk.accept([update])
    steps.append(documents(store))
    added = propose(store, Op.ADD, after=[lesson("Use pnpm.")])
    desk.accept([added])
    steps.append(documents(store))
    assert desk.undo().complete
    assert documents(store) == steps[1] and states(store)[added.proposal_id] == "open"
    desk.undo()
    assert documents(store) == steps[0] and states(store)[update.proposal_id] == "open"
    with pytest.raises(CuratorError, match="nothing to undo"):
        desk.undo()
    desk.undo(4)
    desk.undo(3)
    assert documents(store) == steps[2]
    assert set(states(store).values()) == {"accepted"}


def test_undo_names_the_later_decision_that_stands_in_the_way(store: Store) -> None:
    """An older decision that another was built on is not taken back."""
    (old,) = enter(store, "The limit is 10.")
    desk = desk_on(store)
    desk.accept([propose(store, Op.UPDATE, [old], [old.with_(body="The limit is 10 per hour.")])])
    desk.pin(old.entry_id, 2)
    with pytest.raises(Conflict, match="D-0002 first"):
        desk.undo(1)
    desk.undo(2)
    desk.undo(1)
    assert desk.entry(old.entry_id).draft.body == "The limit is 10."


def test_the_queue_puts_the_worst_first_and_related_ones_together(store: Store) -> None:
    """Harm, then confidence; a group stands where its worst member stands; counts ignore the filter."""
    for name, harm, confidence, group in (
        ("a", 0.2, 0.9, "g"),
        ("b", 0.9, 0.5, ""),
        ("c", 0.9, 0.7, ""),
        ("d", 0.95, 0.5, "g"),
    ):
        propose(
            store, Op.ADD, after=[lesson(f"Text {name}.", title=name)], harm=harm, confidence=confidence, group=group
        )
    desk = desk_on(store)
    assert [row.title for row in desk.queue().rows] == ["d", "a", "c", "b"]
    narrowed = desk.queue(Filter(words=("text C",), at_least=0.6))
    assert [row.title for row in narrowed.rows] == ["c"] and narrowed.waiting == 4
