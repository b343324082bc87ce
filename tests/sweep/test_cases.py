"""The cases of K7, K8, K13 and K14 through everything: from transcript or command to sweep and entry."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from curator.cycle.sweeping import run
from curator.harvest.files import harvest_file
from curator.interchange.outgoing import export_entries
from curator.recall.reading import counts, whole
from curator.recall.search import search
from curator.recall.values import Query
from curator.store.care import faults, reindex
from curator.store.engine import Store
from curator.store.search import Filters
from curator.sweep.meaning import Meanings, reembed
from curator.vocab import EntryState, Kind
from tests.desk.helpers import documents
from tests.helpers import load_active, rows_of
from tests.sweep.helpers import COUNT, accept_all, desk, entries, noted, notes, proposals, said, swept

CASES = Path(__file__).parent.parent / "cases"


def _harvest(store: Store, path: Path) -> None:
    harvest_file(store, path, COUNT.count)


def test_case_31_ten_rounds_of_the_injected_block_change_nothing(store: Store) -> None:
    """Harvest and sweep, ten sessions with the block in four places: no note, no proposal, the same entries."""
    load_active(store, CASES / "31" / "notes.jsonl")
    text = (CASES / "31" / "t.jsonl").read_text(encoding="utf-8")
    first = None
    for number in range(10):
        path = store.place.root / f"{number}.jsonl"
        path.write_text(text.replace("0001aaaa", f"{number:04}aaaa").replace("5e550000", f"{number:08}"))
        _harvest(store, path)
        assert swept(store).proposals == ()
        first = first or documents(store)
        assert documents(store) == first and notes(store) == {} and proposals(store) == []


def test_case_32_only_the_new_lesson_after_a_search_is_proposed(store: Store) -> None:
    """Output of our own commands and of `cat` on our files makes nothing; what was learnt after is a proposal."""
    load_active(store, CASES / "31" / "notes.jsonl")
    _harvest(store, CASES / "32" / "t.jsonl")
    swept(store)
    assert [(p.op, p.after[0]["body"]) for p in proposals(store)] == [
        ("add", "the staging file is generated, do not edit")
    ]
    assert swept(store).proposals == ()


def test_case_36_no_credential_reaches_a_proposal(store: Store, tmp_path: Path) -> None:
    """Harvested and swept, none of the values is in a proposal, its evidence or any file."""
    path = tmp_path / "t.jsonl"
    path.write_text((CASES / "36" / "t.jsonl").read_text(encoding="utf-8").replace("{~}", ""))
    _harvest(store, path)
    run(store, limit=0)
    values = (CASES / "36" / "values.txt").read_text(encoding="utf-8").replace("{~}", "").split()
    stored = b"".join(file.read_bytes() for file in store.place.folder.rglob("*") if file.is_file())
    assert proposals(store) and not [value for value in values if value.encode() in stored]
    told = "\n".join(str((p.after, p.evidence, p.reason, p.title)) for p in proposals(store))
    assert "[redacted: " in told and not [value for value in values if value in told]


def test_case_59_eight_texts_of_one_name_become_eight_entries(store: Store) -> None:
    """Remembered, swept, accepted: eight ids and titles as said, whatever a file system would make of them."""
    texts = [line for line in (CASES / "59" / "titles.txt").read_text(encoding="utf-8").split("\n") if line.strip()]
    noted(store, *texts)
    assert len(notes(store)) == 8 and len(swept(store).proposals) == 8
    assert {p.op for p in proposals(store)} == {"add"}
    accept_all(store)
    bodies = {entry.body: entry.entry_id for entry in entries(store)}
    assert set(bodies) == {text.removeprefix("lesson: ").strip() for text in texts} and len(set(bodies.values())) == 8
    second = bodies[texts[1].removeprefix("lesson: ")]
    desk(store).tombstone(second, 1, "fixed")
    assert {entry.entry_id for entry in entries(store)} == set(bodies.values()) - {second}
    assert swept(store).proposals == () and len(list(export_entries(store))) == 8


def test_case_61_the_other_two_statements_are_the_entrys_history(store: Store) -> None:
    """Harvested, swept, accepted: the newest is active, the earlier two its superseded revisions; undo leaves none."""
    _harvest(store, CASES / "61" / "t.jsonl")
    swept(store)
    (made,) = proposals(store)
    assert [item["string"].partition(": ")[2] for item in made.evidence] == [
        "the upload limit is 20 only for admins",
        "the upload limit is 20",
        "the upload limit is 10",
    ]
    accept_all(store)
    (entry,) = entries(store)
    told = [(row["body"], row["state"]) for row in whole(store, entry.entry_id).history]
    assert told == [
        ("the upload limit is 10", "superseded"),
        ("the upload limit is 20", "superseded"),
        ("the upload limit is 20 only for admins", "active"),
    ]
    for text in ("the upload limit is 10", "correction: the upload limit is 20"):
        noted(store, text)
    assert swept(store).proposals == () and len(entries(store)) == 1


def test_case_61_a_chain_that_replaces_an_entry_keeps_the_middle_statement(store: Store) -> None:
    """Two corrections of one entry are one proposal; the old entry is superseded, the middle one is history."""
    load_active(store, [{"id": "m-001", "kind": "lesson", "body": "The download limit is 5."}])
    for day, text in ((6, "The download limit is 6."), (7, "The download limit is 7.")):
        said(store, text, Kind.CORRECTION, datetime(2031, 3, day, tzinfo=UTC), f"s{day}")
    swept(store)
    (made,) = proposals(store)
    assert made.relation == "replaces" and made.after[0]["body"] == "The download limit is 7."
    accept_all(store)
    (entry,), (old,) = entries(store), entries(store, "superseded")
    assert (old.entry_id, old.superseded_by) == ("m-001", entry.entry_id)
    history = whole(store, entry.entry_id).history
    assert [row["body"] for row in history] == ["The download limit is 6.", "The download limit is 7."]
    desk(store).undo()
    assert [each.entry_id for each in entries(store)] == ["m-001"] and len(proposals(store, "open")) == 1


CONTRACT = "PROJECT_CONTRACT.md"


def test_case_62_an_entry_that_the_contract_contradicts_is_proposed_for_removal(store: Store) -> None:
    """The older lesson against the written rule is one proposal that quotes the rule; the superseded one is none."""
    load_active(store, CASES / "62" / "notes.jsonl")
    rule = store.place.folder / "CONTRACT.md"
    rule.write_bytes((CASES / "62" / CONTRACT).read_bytes())
    before = rule.read_bytes()
    (made,) = run(store).proposals
    assert made["op"] == "tombstone" and [t["entry_id"] for t in made["targets"]] == ["n-001"]
    assert made["evidence"][0]["speaker"] == "contract" and "A review" in made["evidence"][0]["string"]
    assert run(store).proposals == () and rule.read_bytes() == before
    accept_all(store)
    assert entries(store) == []


@pytest.mark.parametrize(
    "rule",
    [
        "validation gates: run the security workflow before a release",
        "language: Python 3.11",
        "never: commit generated files",
    ],
)
def test_a_contract_that_agrees_or_speaks_of_something_else_proposes_nothing(store: Store, rule: str) -> None:
    """Rules that say the same as an entry, or another thing, contradict nothing."""
    load_active(store, CASES / "62" / "notes.jsonl")
    load_active(store, [{"id": "n-009", "kind": "lesson", "body": "Never commit generated files."}])
    (store.place.folder / "CONTRACT.md").write_text(f"## SUMMARY\n- {rule}\n")
    assert run(store).proposals == ()


def _waiting(store: Store) -> set[str]:
    return {body for body, state in notes(store).items() if state in ("waiting", "proposed")}


class OneAxis:
    """Every text is the same vector: what only a filter can keep out is kept out by the filter."""

    name = "one-axis"

    def vectors(self, texts: list[str]) -> list[list[float]]:
        """The same unit vector for each."""
        return [[1.0, 0.0] for _ in texts]

    def unknown_share(self, text: str) -> float:
        """Every text is known."""
        return 0.0


def test_case_63_tombstoned_entries_are_in_no_read_path_before_and_after_repair(store: Store) -> None:
    """Words, vectors, labels, list, sweep candidates, counts and re-remembering, then again after `db reindex`."""
    rows = rows_of(CASES / "63" / "notes.jsonl")
    load_active(store, CASES / "63" / "notes.jsonl")
    model = Meanings(OneAxis(), 0.3)  # type: ignore[arg-type]
    reembed(store, model.embed)
    live, dead = rows[-1], rows[:-1]
    for row in dead:
        desk(store).tombstone(row["id"], 1, "the runbook says it")
    words = "token rotation gateway"
    for _ in range(2):
        asked = [Query(words, limit=3), Query(words, limit=3, similar=True), Query(filters=Filters(labels=("kb",)))]
        for query in [*asked, Query(filters=Filters(contains="rotation"))]:
            assert [hit.entry_id for hit in search(store, query, model).hits] == [live["id"]], query
        told = counts(store)
        assert sum(by.get("active", 0) for by in told.values()) == 1
        assert sum(by.get("tombstoned", 0) for by in told.values()) == 11
        everything = search(store, Query(words, limit=0, filters=Filters(states=tuple(EntryState)))).hits
        assert len(everything) == 12 and faults(store) == []
        noted(store, *(row["body"] for row in dead), "lesson: token rotation fact 13 for the gateway")
        swept(store)
        touched = {str(t["entry_id"]) for p in proposals(store) for t in p.targets}
        assert touched <= {live["id"]} and {row["body"] for row in dead}.isdisjoint(_waiting(store))
        reindex(store)
