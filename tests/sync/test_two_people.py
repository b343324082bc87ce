"""Two people decide apart and then bring their files together: by import, or by git's merge driver."""

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.desk.views import Shown
from curator.sync.driver import merge
from tests.sync.helpers import Person

Meet = Callable[[Person, Person, Path], None]


def by_import(ann: Person, ben: Person, folder: Path) -> None:
    """Each takes the other's file."""
    ben.takes(ann.gives(folder / "ann.jsonl"))
    ann.takes(ben.gives(folder / "ben.jsonl"))


def by_driver(ann: Person, ben: Person, folder: Path) -> None:
    """git merges the two files, and each takes what came of it."""
    ours, theirs = ann.gives(folder / "ann.jsonl"), ben.gives(folder / "ben.jsonl")
    merge(ours, theirs)
    ann.takes(ours)
    ben.takes(ours)


both = pytest.mark.parametrize("meet", [by_import, pytest.param(by_driver, marks=pytest.mark.slow)])


def start(ann: Person, ben: Person, folder: Path, body: str = "use port 80 for the shop server, always") -> str:
    """One entry that both have."""
    (entry,) = ann.adds(body)
    ben.takes(ann.gives(folder / "start.jsonl"))
    assert ben.body(entry) == body
    return entry


def same(ann: Person, ben: Person, folder: Path) -> bool:
    """Do both stores give the same file?"""
    one, other = ann.gives(folder / "one.jsonl"), ben.gives(folder / "other.jsonl")
    return one.read_bytes() == other.read_bytes()


@both
def test_one_side_is_taken_with_its_decision(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """What only one changed, each has then, and the ledger says who decided."""
    one = start(ann, ben, tmp_path)
    two = ben.adds("ben's own lesson")[0]
    ann.edits(one, "use port 8080 for the shop server, always")
    meet(ann, ben, tmp_path)
    for person in (ann, ben):
        assert person.body(one) == "use port 8080 for the shop server, always"
        assert person.body(two) == "ben's own lesson"
        assert [line.reviewer for line in person.desk.log(0) if line.verb == "edit"] == ["ann"]
    assert same(ann, ben, tmp_path)


@both
def test_other_words_on_both_sides_are_put_together(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """Nobody has to choose, both decisions stay in the ledger, and both stores say the same."""
    entry = start(ann, ben, tmp_path)
    ann.edits(entry, "use port 8080 for the shop server, always")
    ben.edits(entry, "use port 80 for the shop server, never for tests")
    meet(ann, ben, tmp_path)
    for person in (ann, ben):
        assert person.body(entry) == "use port 8080 for the shop server, never for tests"
        assert not person.waiting()
        assert {line.reviewer for line in person.desk.log(0) if line.verb == "edit"} == {"ann", "ben"}
    assert same(ann, ben, tmp_path)


@both
def test_the_same_words_go_to_the_review_of_who_imports(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """Both texts stay; the review shows base, here and there; the choice of one settles it for both."""
    entry = start(ann, ben, tmp_path)
    ann.edits(entry, "use port 8080 for the shop server, always")
    ben.edits(entry, "use port 9090 for the shop server, always")
    meet(ann, ben, tmp_path)
    assert ann.body(entry) == "use port 8080 for the shop server, always"
    assert ben.body(entry) == "use port 9090 for the shop server, always"
    (shown,) = ben.waiting()
    dossier = ben.desk.dossier(shown.proposal_id)
    assert dossier.row.conflict and dossier.row.warnings == ("conflict",)
    texts = [drafts[0].body.split()[2] for drafts in (dossier.before, dossier.now, dossier.after) if drafts[0]]
    assert texts == ["80", "9090", "8080"]
    assert not ben.takes(ann.gives(tmp_path / "again.jsonl")).proposals, "asked once"
    chosen = dossier.after[0].with_(body="use port 8443 for the shop server, always")
    assert ben.desk.accept_as(Shown(shown.proposal_id, shown.rev), [chosen], dossier.now).complete
    ann.takes(ben.gives(tmp_path / "settled.jsonl"))
    assert ann.body(entry) == "use port 8443 for the shop server, always"
    again = ben.takes(ann.gives(tmp_path / "settled.jsonl"))
    assert not again.conflicts and again.decision is None
    assert same(ann, ben, tmp_path)


@both
def test_keeping_ones_own_text_settles_it_too(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """A rejection is a choice for the text that is here; the other takes it and is not asked either."""
    entry = start(ann, ben, tmp_path)
    ann.edits(entry, "use port 8080 for the shop server, always")
    ben.edits(entry, "use port 9090 for the shop server, always")
    meet(ann, ben, tmp_path)
    ben.later().desk.reject(ben.waiting(), "9090 it is")
    path = ben.gives(tmp_path / "settled.jsonl")
    assert not ben.takes(path).conflicts
    ann.takes(path)
    assert ann.body(entry) == ben.body(entry) == "use port 9090 for the shop server, always"
    assert same(ann, ben, tmp_path)


@both
def test_a_tombstone_wins_over_an_edit_that_did_not_know_it(
    ann: Person, ben: Person, tmp_path: Path, meet: Meet
) -> None:
    """Also when the edit came later by the clock; the edited text stays in the history."""
    entry = start(ann, ben, tmp_path)
    ann.tombstones(entry, "never true")
    ben.edits(entry, "use port 9090 for the shop server, always")
    meet(ann, ben, tmp_path)
    for person in (ann, ben):
        assert person.body(entry).startswith("tombstoned")
        assert person.desk.entry(entry).reason == "never true"
    assert same(ann, ben, tmp_path)


@both
def test_an_edit_that_knew_the_tombstone_is_a_restore(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """The entry is active again on both sides, also for one who only had the tombstone."""
    entry = start(ann, ben, tmp_path)
    ann.tombstones(entry)
    ben.takes(ann.gives(tmp_path / "gone.jsonl"))
    ben.restores(entry)
    ben.edits(entry, "use port 9090 for the shop server, always")
    meet(ann, ben, tmp_path)
    assert ann.body(entry) == ben.body(entry) == "use port 9090 for the shop server, always"
    assert same(ann, ben, tmp_path)


@both
def test_an_addition_taken_back_leaves_the_other_store(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """Undo travels; what somebody edited after it stays."""
    entry = start(ann, ben, tmp_path)
    ann.undoes()
    meet(ann, ben, tmp_path)
    assert ann.body(entry) == ben.body(entry) == ""
    other = start(ann, ben, tmp_path, "another lesson of the shop")
    ann.undoes()
    ben.edits(other, "another lesson of the new shop")
    meet(ann, ben, tmp_path)
    assert ann.body(other) == ben.body(other) == "another lesson of the new shop"
    assert same(ann, ben, tmp_path)


@both
def test_a_refusal_and_its_undo_travel(ann: Person, ben: Person, tmp_path: Path, meet: Meet) -> None:
    """What ann refuses, ben's store refuses too, until she takes it back."""
    start(ann, ben, tmp_path)
    ann.rejects("deploy on fridays")
    meet(ann, ben, tmp_path)
    assert same(ann, ben, tmp_path)
    assert b"deploy on fridays" in ben.gives(tmp_path / "one.jsonl").read_bytes()
    ann.undoes()
    meet(ann, ben, tmp_path)
    assert b'"refusal"' not in ben.gives(tmp_path / "two.jsonl").read_bytes()
    assert same(ann, ben, tmp_path)
