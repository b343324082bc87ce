"""Export into an empty store gives the same store, and ten rounds change no byte."""

import json
from pathlib import Path

import pytest

from curator.draft import draft
from curator.vocab import Kind, Op
from tests.conftest import Clock
from tests.desk.helpers import propose
from tests.sync.helpers import Make, Person, told, whole


def eventful(person: Person) -> dict[str, str]:
    """A store with every kind of decision in it; ids by what became of them."""
    kept, edited, gone, back, taken = person.adds("keep this", "first words", "wrong", "comes back", "taken back")
    person.undoes()
    kept, edited, gone, back = person.adds(
        "keep 红色\nthis \u200d too", "first words", "wrong", "comes back", labels=("b", "a")
    )
    (taken,) = person.adds("only for a minute")
    person.undoes()
    person.edits(edited, "second words")
    person.edits(edited, "third words")
    person.tombstones(gone, "never true")
    person.tombstones(back)
    person.restores(back)
    person.later().desk.pin(kept, 1)
    person.rejects("do not say this")
    person.rejects("this was right after all")
    person.undoes()
    old, new = draft("", "port 80", Kind.DECISION), draft("", "port 8080", Kind.DECISION, refs=("src/a.py:3",))
    (port,) = person.adds(old)
    before = person.desk.entry(port).draft
    person.later().desk.accept([propose(person.store, Op.UPDATE, before=[before], after=[new], relation="replaces")])
    return {"kept": kept, "edited": edited, "gone": gone, "back": back, "taken": taken, "port": port}


def test_an_empty_store_becomes_the_same_store(ann: Person, ben: Person, tmp_path: Path) -> None:
    """Entries with every column, labels, history with its times, refusals and the ledger are the same."""
    ids = eventful(ann)
    report = ben.takes(ann.gives(tmp_path / "memory.jsonl"))
    assert not report.doubted and report.complete and not report.proposals and not report.blocked
    assert whole(ben.store) == whole(ann.store)
    assert told(ben.desk.log(0)) == told(ann.desk.log(0))
    assert ben.body(ids["gone"]) == "tombstoned: wrong" and ben.body(ids["taken"]) == ""
    assert [change.what for change in ben.desk.entry(ids["edited"]).history] == ["edit", "edit", "accept"]


@pytest.mark.parametrize("rounds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_rounds_change_no_byte(ann: Person, new_store: Make, tmp_path: Path, clock: Clock, rounds: int) -> None:
    """Each round goes into a new store, and out into a new file and over the old one."""
    eventful(ann)
    first = ann.gives(tmp_path / "0.jsonl").read_bytes()
    for number in range(1, rounds + 1):
        other = Person(new_store(tmp_path / f"store{number}"), f"person{number}", clock)
        other.takes(tmp_path / f"{number - 1}.jsonl")
        assert other.gives(tmp_path / f"{number}.jsonl").read_bytes() == first
        assert other.gives(tmp_path / "0.jsonl").read_bytes() == first
        assert ann.takes(tmp_path / f"{number}.jsonl").decision is None


def test_one_record_a_line_and_what_newer_programs_wrote_comes_back(ann: Person, ben: Person, tmp_path: Path) -> None:
    """Unknown records and unknown fields of known ones go through a store; lines end at LF and nowhere else."""
    ann.adds("one", "two")
    path = ann.gives(tmp_path / "a.jsonl")
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    assert lines[0] == {"_schema": "curator-memory", "version": 1}
    lines[1]["mood"] = {"new": [1]}
    lines[-1]["sealed"] = "by hand"
    lines.append({"_type": "constellation", "stars": 3})
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    assert ben.takes(path).complete
    assert ben.gives(tmp_path / "b.jsonl").read_bytes() == path.read_bytes()


def test_an_import_is_one_decision_and_one_undo(ann: Person, ben: Person, tmp_path: Path) -> None:
    """Undo takes back all of it, and what was taken back is not taken again; undoing the undo brings it back."""
    (mine,) = ben.adds("ben's own")
    ids = eventful(ann)
    path = ann.gives(tmp_path / "memory.jsonl")
    before = whole(ben.store)
    assert ben.takes(path).decision is not None
    after = {row["entry_id"]: row["body"] for row in whole(ben.store)["entries"]}
    ben.undoes()
    assert whole(ben.store) == before
    again = ben.takes(path)
    assert again.decision is None and whole(ben.store) == before
    ben.undoes(ben.desk.log(1)[0].seq)
    assert {row["entry_id"]: row["body"] for row in whole(ben.store)["entries"]} == after
    assert ben.body(mine) == "ben's own" and ben.body(ids["edited"]) == "third words"


def test_a_teammates_decision_can_be_taken_back_alone(ann: Person, ben: Person, tmp_path: Path) -> None:
    """A brought decision is a decision like any other, and its undo travels back."""
    (entry,) = ann.adds("first")
    ann.edits(entry, "second")
    path = ann.gives(tmp_path / "memory.jsonl")
    ben.takes(path)
    (edit,) = (line.seq for line in ben.desk.log(0) if line.verb == "edit")
    ben.undoes(edit)
    assert ben.body(entry) == "first"
    ann.takes(ben.gives(path))
    assert ann.body(entry) == "first"
    assert ann.desk.log(0)[1].undoes is not None
