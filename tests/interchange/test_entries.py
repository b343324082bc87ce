"""Import and export of entries: nothing newer is overwritten, nothing retired comes back, nothing is lost."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.cycle import purging
from curator.desk.desk import Desk
from curator.desk.views import Filter, Outcome, Shown
from curator.edge.tokens import tokens
from curator.interchange.entries import OUTCOMES, Report, import_entries
from curator.interchange.outgoing import export_entries
from curator.store.engine import Store
from tests.conftest import Clock
from tests.helpers import load_active

CASES = Path(__file__).parent.parent / "cases"
Make = Callable[[Path], Store]


def take(store: Store, path: Path) -> Report:
    """Import a file."""
    return import_entries(store, path, tokens())


def desk(store: Store) -> Desk:
    """A person at the store."""
    return Desk(store, tokens(), "ann")


def accept_all(store: Store) -> Outcome:
    """Accept everything that waits, as shown."""
    shown = [Shown(row.proposal_id, row.rev) for row in desk(store).queue(Filter()).rows]
    return desk(store).accept(shown)


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    """A file of rows; texts stand as they are."""
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def lesson(entry_id: str, body: str, day: int = 1, **more: Any) -> dict[str, Any]:
    """A row of the file."""
    return {"id": entry_id, "kind": "lesson", "body": body, "updated_at": f"2031-01-{day:02}T00:00:00Z", **more}


def exported(store: Store) -> list[dict[str, Any]]:
    """The file's rows."""
    return [json.loads(line) for line in export_entries(store)]


def outcomes(report: Report) -> dict[str, list[str]]:
    """What is not empty."""
    return {name: keys for name, keys in report.outcomes.items() if keys}


def test_case_65_an_older_snapshot_overwrites_nothing(store: Store) -> None:
    """The six rows get their six outcomes; accepting changes only what was proposed; a repeat nothing."""
    load_active(store, CASES / "65/local.jsonl")
    first = take(store, CASES / "65/incoming.jsonl")
    assert outcomes(first) == {
        "older": ["n-001"],
        "newer": ["n-002"],
        "retired": ["n-003"],
        "new": ["n-004"],
        "conflict": ["n-005"],
        "same": ["n-006"],
    }
    assert len(first.proposals) == 3 and first.complete
    again = take(store, CASES / "65/incoming.jsonl")
    assert again.proposals == []
    assert outcomes(again)["waiting"] == ["n-002", "n-004", "n-005"]
    conflict = desk(store).dossier(first.proposals[1 if first.outcomes["conflict"] else 0])
    assert conflict.row.warnings in ((), ("conflict",))
    assert accept_all(store).complete
    bodies = {row["id"]: (row["body"], row["status"]) for row in exported(store)}
    assert bodies == {
        "n-001": ("lesson: local newer", "active"),
        "n-002": ("lesson: incoming newer", "active"),
        "n-003": ("lesson: gone", "tombstoned"),
        "n-004": ("lesson: new one", "active"),
        "n-005": ("lesson: text B", "active"),
        "n-006": ("lesson: same", "active"),
    }
    before = exported(store)
    assert take(store, CASES / "65/incoming.jsonl").proposals == []
    assert exported(store) == before


def test_case_65_both_texts_of_a_conflict_are_shown(store: Store) -> None:
    """A row of the same time and another text becomes a marked proposal with the text here and the text there."""
    load_active(store, CASES / "65/local.jsonl")
    take(store, CASES / "65/incoming.jsonl")
    (row,) = (row for row in desk(store).queue(Filter()).rows if row.warnings)
    shown = desk(store).dossier(row.proposal_id)
    assert row.warnings == ("conflict",)
    assert [draft.body for draft in (*shown.before, *shown.after)] == ["lesson: text A", "lesson: text B"]


def test_case_66_a_damaged_file_costs_only_what_is_damaged(store: Store) -> None:
    """Marks and the torn line are named by number, the newer side is taken, the unknown kind comes back on export."""
    report = take(store, CASES / "66/conflict.jsonl")
    assert not report.complete
    assert report.read.marks == [2, 4, 6]
    assert [number for number, _ in report.read.bad] == [8]
    assert [(number, key) for number, key, _ in report.read.repeated] == [(5, "n-002"), (7, "n-001")]
    assert outcomes(report) == {"new": ["n-001", "n-002", "n-003"]}
    assert accept_all(store).complete
    rows = exported(store)
    assert [row["body"] for row in rows if "body" in row] == ["lesson: one", "lesson: two theirs", "lesson: three"]
    assert rows[-1] == {"id": "x-1", "kind": "constellation", "schema": 99, "payload": {"a": 1}}
    take(store, CASES / "66/conflict.jsonl")
    assert exported(store) == rows


def test_two_texts_of_one_id_and_time_go_to_review_together(store: Store, tmp_path: Path) -> None:
    """Neither side is the newer: the proposal is marked and carries both."""
    report = take(store, write(tmp_path / "f.jsonl", lesson("n-1", "red belt"), lesson("n-1", "green belt")))
    assert outcomes(report) == {"conflict": ["n-1"]}
    dossier = desk(store).dossier(report.proposals[0])
    assert {evidence.text for evidence in dossier.evidence} == {"red belt", "green belt"}


def test_case_67_a_tombstone_travels_and_never_comes_back(new_store: Make, tmp_path: Path, clock: Clock) -> None:
    """B takes A's tombstone with reason and labels; A takes nothing back from B, and the round settles."""
    a, b = new_store(tmp_path / "a"), new_store(tmp_path / "b")
    for each in (a, b):
        load_active(each, CASES / "67/notes.jsonl")
    desk(a).tombstone("n-002", 1, "never true")
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"".join(export_entries(a)))
    report = take(b, file)
    assert outcomes(report) == {"newer": ["n-002"], "same": ["n-001", "n-003"]}
    assert accept_all(b).complete
    (there,) = (row for row in exported(b) if row["id"] == "n-002")
    assert (there["status"], there["reason"], there["labels"]) == ("tombstoned", "never true", ["kb"])
    back = tmp_path / "b.jsonl"
    back.write_bytes(b"".join(export_entries(b)))
    assert outcomes(take(a, back)) == {"same": ["n-001", "n-002", "n-003"]}
    assert outcomes(take(a, CASES / "67/notes.jsonl")) == {"same": ["n-001", "n-003"], "retired": ["n-002"]}


def test_case_67_what_was_purged_comes_back_from_no_copy(new_store: Make, tmp_path: Path) -> None:
    """After the purge of a tombstone the export is without it; neither B's copy nor an old file brings it back."""
    a, b = new_store(tmp_path / "a"), new_store(tmp_path / "b")
    for each in (a, b):
        load_active(each, CASES / "67/notes.jsonl")
        desk(each).tombstone("n-002", 1, "never true")
    before = {row["id"] for row in exported(a)}
    done = purging.items(a, ["n-002"], reviewer="ann", via="terminal")
    assert done.rows == len(before - {row["id"] for row in exported(a)}) == 1
    back = tmp_path / "b.jsonl"
    back.write_bytes(b"".join(export_entries(b)))
    for file in (back, CASES / "67/notes.jsonl"):
        assert outcomes(take(a, file)) == {"same": ["n-001", "n-003"], "retired": ["n-002"]}
    out = tmp_path / "a.jsonl"
    out.write_bytes(b"".join(export_entries(a)))
    assert outcomes(take(b, out)) == {"same": ["n-001", "n-003"]}
    assert {row["id"]: row["status"] for row in exported(b)}["n-002"] == "tombstoned"


def test_export_into_an_empty_store_gives_the_same_store(new_store: Make, tmp_path: Path, clock: Clock) -> None:
    """Every field, label, foreign field, earlier revision and retired entry is the same after the round."""
    a, b = new_store(tmp_path / "a"), new_store(tmp_path / "b")
    rows = [
        lesson(
            "n-1",
            "红色皮带 \u200d next\nline two",
            labels=["web", "日本"],
            pinned=True,
            salience=0.7,
            source={"k": [1]},
        ),
        lesson(
            "n-2", "old way", status="superseded", superseded_by="n-1", reason="n-1 says it", created_at="2030-12-31"
        ),
        lesson("n-3", "gone", status="tombstoned", reason="wrong", team="blue", origin="human"),
        {"id": "n-4", "kind": "decision", "title": "Port", "body": "8080", "refs": ["src/a.py:3"], "source": "wiki"},
    ]
    load_active(a, rows)
    clock.at = clock.at.replace(hour=13)
    entry = desk(a).entry("n-1")
    desk(a).edit("n-1", entry.rev, entry.draft.with_(body="红色皮带 is now green"))
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"".join(export_entries(a)))
    assert [row["id"] for row in exported(a)] == ["n-1", "n-2", "n-3", "n-4"]
    assert take(b, file).complete and accept_all(b).complete
    assert b"".join(export_entries(b)) == file.read_bytes()
    assert len(exported(b)[0]["history"]) == 1


def test_what_a_person_refused_or_retired_stays_so(store: Store, tmp_path: Path) -> None:
    """Under any id: a refused text is counted and not proposed, a tombstoned one neither."""
    file = write(tmp_path / "f.jsonl", lesson("n-1", "Always push to main"), lesson("n-2", "Never push to main"))
    first, second = take(store, file).proposals
    desk(store).reject([Shown(first, 1)], "wrong")
    accepted = desk(store).accept([Shown(second, 1)]).items[0].entry_id
    desk(store).tombstone(accepted, 1, "obsolete")
    again = write(tmp_path / "g.jsonl", lesson("n-8", "always push to main."), lesson("n-9", "never push to main", 30))
    assert outcomes(take(store, again)) == {"refused": ["n-8"], "retired": ["n-9"]}
    assert desk(store).queue(Filter()).blocked == 1


def test_an_entry_has_one_proposal_at_a_time(store: Store, tmp_path: Path) -> None:
    """A second file's newer version waits outside until the first is decided on."""
    load_active(store, [lesson("n-1", "one")])
    take(store, write(tmp_path / "f.jsonl", lesson("n-1", "two", 2)))
    assert outcomes(take(store, write(tmp_path / "g.jsonl", lesson("n-1", "three", 3)))) == {"held": ["n-1"]}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (lesson("n-1", ""), "needs a text"),
        (lesson("../n", "x"), "an id may hold"),
        (lesson("n-1", "x", status="sleeping"), "status"),
        (lesson("n-1", "x", labels="web"), "labels"),
        (lesson("n-1", "x", created_at="yesterday"), "created_at"),
        ({"id": 7, "kind": "lesson", "body": "x"}, "id must be a text"),
        ({"id": "n-1", "body": "x"}, "is not a valid Kind"),
        (lesson("n-1", "wörd " * 20_000), "the limit is 65,536"),
        ('["n-1"]', "not an object"),
        ("{" * 100_000, "not JSON"),
    ],
)
def test_a_row_that_cannot_be_taken_is_named_and_its_neighbours_are_taken(
    store: Store, tmp_path: Path, row: dict[str, Any] | str, reason: str
) -> None:
    """The reason stands with the line number; rows before and after it are proposed."""
    report = take(store, write(tmp_path / "f.jsonl", lesson("n-0", "before"), row, lesson("n-2", "after")))
    assert [number for number, _ in report.read.bad] == [2]
    assert reason in report.read.bad[0][1]
    assert outcomes(report) == {"new": ["n-0", "n-2"]}


def test_odd_bytes_are_tolerated(store: Store, tmp_path: Path) -> None:
    """A byte order mark, CR LF, blank lines, separators inside texts, a lone surrogate and a missing last line end."""
    path = tmp_path / "f.jsonl"
    bodies = ["a\u2028b", "c\u0085d", "half \ud83d"]
    lines = [json.dumps(lesson(f"n-{n}", body), ensure_ascii=n == 2).encode() for n, body in enumerate(bodies)]
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n\r\n".join(lines))
    report = take(store, path)
    assert report.complete and outcomes(report) == {"new": ["n-0", "n-1", "n-2"]}


def test_credentials_do_not_come_in(store: Store, tmp_path: Path) -> None:
    """A token in a file is taken out before anything is stored, and counted."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    report = take(store, write(tmp_path / "f.jsonl", lesson("n-1", f"push with {token} only")))
    assert report.read.redacted == 1
    accept_all(store)
    assert token not in json.dumps(exported(store))
    assert token.encode() not in (store.place.folder / "curator.db").read_bytes()


def test_every_outcome_is_documented_once() -> None:
    """The list has no name twice."""
    assert len(set(OUTCOMES)) == len(OUTCOMES)
