"""From transcripts to record and notes: each thing once, whatever copies, cuts, kills and rivals there are."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator.config import Settings
from curator.harvest.book import notes, rows
from curator.harvest.files import Harvested, harvest_file, transcripts
from curator.harvest.noting import Outcome
from curator.store.engine import Store
from curator.store.tables import Cursor, Note, Record, Session, Sighting
from curator.vocab import NoteState, Row
from tests.helpers import load_active

CASES = Path(__file__).parent.parent / "cases"
CASE_36 = CASES / "36"
S = "5e550000-0000-4000-8000-000000000001"
BREAK = "{~}"


def count(text: str) -> int:
    """Tokens enough for a test."""
    return len(text) // 4


def harvest(store: Store, *paths: Path) -> Harvested:
    """Read files and folders."""
    total = Harvested()
    for path in paths:
        for file in transcripts(path):
            total.add(harvest_file(store, file, count))
    return total


def bodies(store: Store) -> list[str]:
    """Texts of all notes."""
    return [note.body for note in notes(store)]


def typed(store: Store) -> list[str]:
    """The person's messages, in order."""
    return [row.text for row in rows(store, typed=True)]


def test_case_11_separators_stand_inside_a_lesson(store: Store) -> None:
    """Four lessons; the odd separators are shown as a space, none split a text."""
    assert harvest(store, CASES / "11/t.jsonl").damaged == {}
    assert [" ".join(body.split()) for body in bodies(store)] == [
        "the log line says E1 TypeError and it is one message",
        "second fact after the odd one",
        "third fact with a next-line mark",
        "fourth fact, plain",
    ]


def test_case_12_a_lone_surrogate_is_stored_as_text(store: Store) -> None:
    """Three lessons, the third with a replacement character."""
    harvest(store, CASES / "12/t.jsonl")
    assert bodies(store) == ["alpha fact", "the badge shows � in the title", "omega fact"]


def test_case_16_a_growing_file_gives_each_lesson_once(store: Store, tmp_path: Path) -> None:
    """One lesson, then two, then still two."""
    path = tmp_path / "t.jsonl"
    for name, lessons in (("part1", 1), ("full", 2), ("full", 2)):
        shutil.copy(CASES / f"16/{name}.jsonl", path)
        assert harvest(store, path).damaged == {}
        assert len(bodies(store)) == lessons
    assert "the fact that was still being written 设备" in bodies(store)


@pytest.mark.slow
def test_case_17_a_huge_file_is_read_once_and_then_only_its_end(store: Store, tmp_path: Path) -> None:
    """Three lessons, then four; the second reading is of the new bytes only."""
    big = tmp_path / "big.jsonl"
    subprocess.run([sys.executable, str(CASES / "17/make_big.py"), str(big)], check=True)
    assert harvest(store, big).rows == 4_000
    assert len(bodies(store)) == 3
    more = {"type": "assistant", "uuid": "big-new", "sessionId": "big", "message": {"content": "lesson: the fourth"}}
    with big.open("a") as file:
        file.write(json.dumps(more) + "\n")
    assert harvest(store, big).rows == 1
    assert len(bodies(store)) == 4


def test_case_18_damaged_lines_are_named_and_passed_over(store: Store) -> None:
    """Four lessons; every damaged line by number; a second reading has nothing to report."""
    path = CASES / "18/t.jsonl"
    assert harvest(store, path).damaged == {str(path): [2, 4, 5, 6, 7, 8, 10, 12]}
    assert [body.split()[0] for body in bodies(store)] == ["alpha", "bravo", "delta", "omega"]
    again = harvest(store, path)
    assert (again.damaged, again.rows) == ({}, 0)


@pytest.mark.parametrize("order", [("orig", "fork"), ("fork", "orig")])
def test_case_20_a_fork_adds_only_what_is_its_own(store: Store, order: tuple[str, str]) -> None:
    """Two lessons and one message about pnpm, of the original session, in both orders."""
    harvest(store, *(CASES / f"20/{name}.jsonl" for name in order))
    assert sorted(bodies(store)) == ["fork-only fact", "this repository uses pnpm"]
    assert [row.session for row in rows(store, typed=True) if "pnpm" in row.text] == [S]


def test_case_21_a_host_summary_is_kept_apart(store: Store) -> None:
    """The smoke-test lesson only; the summary stands in the record, marked, as no one's words."""
    harvest(store, CASES / "21/t.jsonl")
    assert bodies(store) == ["the smoke test lives in ops/smoke.sh"]
    assert typed(store) == ["ship only after the smoke test", "continue"]
    assert [(row.mark, row.origin) for row in rows(store) if row.mark] == [
        ("boundary", "unverified"),
        ("summary", "unverified"),
    ]


@pytest.mark.parametrize("name", ["22/proj", "22/inline.jsonl"])
def test_case_22_sub_agents_are_asked_for(new_store: Callable[..., Store], tmp_path: Path, name: str) -> None:
    """By default their turns make no note; switched on they do, with the agent named and never as the person's."""
    for subagents in (False, True):
        store = new_store(tmp_path / str(subagents), Settings(subagents=subagents))
        harvest(store, CASES / name)
        assert typed(store) == ["find the flaky test"]
        found = {note.body: note for note in notes(store)}
        assert len(found) == 1 + subagents
        if subagents:
            helpers = found["draft thought of the helper, not verified"]
            assert (helpers.origin, helpers.source["agent"]) == ("sub-agent", "a1f")


def test_case_23_honest_repetitions_stay(store: Store) -> None:
    """Three messages with three numbers, in order."""
    harvest(store, CASES / "23/t.jsonl")
    assert [(row.seq, row.text) for row in rows(store, typed=True)] == [(n, "run it again") for n in (1, 3, 5)]


def test_cases_26_and_27_nothing_of_the_machine_is_the_persons(store: Store) -> None:
    """Notices, skill bodies, caveats and stdout are neither typed nor notes."""
    harvest(store, CASES / "26/t.jsonl")
    assert typed(store) == ["build and wait"] and bodies(store) == []


def test_case_31_the_injected_block_comes_to_nothing(store: Store) -> None:
    """Ten rounds, each as a session of its own: no note, no block in the record, the same store."""
    load_active(store, CASES / "31/notes.jsonl")
    text = (CASES / "31/t.jsonl").read_text()
    for round_number in range(10):
        path = store.place.root / f"{round_number}.jsonl"
        path.write_text(text.replace("0001aaaa", f"{round_number:04}aaaa").replace("5e550000", f"{round_number:08}"))
        harvest(store, path)
    assert bodies(store) == []
    assert not any("curator-memory" in row.text for row in rows(store))
    assert typed(store) == ["where is the staging config?"] * 10


def test_case_32_the_products_own_output_is_no_news(store: Store) -> None:
    """Search results and store files are not noted; a new lesson stated afterwards is."""
    load_active(store, CASES / "31/notes.jsonl")
    harvest(store, CASES / "32/t.jsonl")
    assert bodies(store) == ["the staging file is generated, do not edit"]


def test_case_35_a_late_block_is_not_typed_and_a_quotation_is(store: Store) -> None:
    """A block that the host presents as typed is nobody's; the person's own sentence stays."""
    load_active(store, CASES / "31/notes.jsonl")
    harvest(store, CASES / "35/t.jsonl")
    start, own = typed(store)
    assert start == "start" and "that is wrong now, it is Thursday" in own
    assert bodies(store) == []


def test_case_36_no_credential_reaches_the_store(store: Store, tmp_path: Path) -> None:
    """None of the eleven values is in any file; every sentence is noted; the six innocent lines are unchanged."""
    path = tmp_path / "t.jsonl"
    path.write_text((CASES / "36/t.jsonl").read_text().replace(BREAK, ""))
    harvest(store, path)
    stored = b"".join(file.read_bytes() for file in store.place.folder.rglob("*") if file.is_file())
    values = [line.replace(BREAK, "") for line in (CASE_36 / "values.txt").read_text().split("\n") if line]
    assert not [value for value in values if value.encode() in stored]
    survivors = [
        line.removeprefix("lesson: ") for line in (CASE_36 / "must_survive.txt").read_text().split("\n") if line
    ]
    found = bodies(store)
    assert len(found) == 17 and set(survivors) <= set(found)
    assert all("[redacted: " in body and "lives in the vault" in body for body in set(found) - set(survivors))


def _rows(number: int) -> list[dict[str, Any]]:
    def row(n: int, kind: str, content: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": f"u{n}", "sessionId": "race", "message": {"role": kind, "content": content}}

    found = []
    for n in range(number):
        text = f"lesson: fact number {n}" if n % 3 else f"reply {n}"
        found.append(row(n, "assistant", text) if n % 2 else row(n, "user", f"question {n}"))
    return found


def _written(path: Path, number: int) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in _rows(number)))
    return path


def _work(root: str, path: str) -> None:
    from curator.edge.clock import now
    from curator.place import Place
    from curator.store.opening import open_store

    store = open_store(Place(Path(root), Path(root)), Settings(), now)
    assert store is not None
    harvest_file(store, Path(path), count)


def _numbers(store: Store) -> list[int]:
    return [row.seq for row in rows(store, "race")]


def test_two_harvesters_of_one_file_do_nothing_twice(store: Store, tmp_path: Path) -> None:
    """Read by three processes at once: every row once, numbered without a gap, every note once."""
    path = _written(tmp_path / "t.jsonl", 240)
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_work, args=(str(store.place.root), str(path))) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert _numbers(store) == list(range(1, 241))
    assert len(bodies(store)) == 80


def test_case_47_four_harvests_at_once_and_one_killed(store: Store) -> None:
    """Four read one transcript, one dies half-way, one more reads it: 40 lessons, each from one place, no lock left."""
    path = CASES / "47/t.jsonl"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_work, args=(str(store.place.root), str(path))) for _ in range(4)]
    for process in processes:
        process.start()
    assert processes[0].pid is not None
    time.sleep(0.02)
    os.kill(processes[0].pid, signal.SIGKILL)
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes[1:]] == [0, 0, 0]
    harvest(store, path)
    found = notes(store)
    assert len(found) == len({note.body for note in found}) == 40
    assert len({tuple(note.source["seqs"]) for note in found}) == 40
    numbers = [row.seq for row in rows(store)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.slow
def test_a_kill_leaves_no_half_state(store: Store, tmp_path: Path) -> None:
    """Killed at several moments, then read to the end: the same rows and notes as read in one go."""
    path = _written(tmp_path / "t.jsonl", 1_500)
    context = multiprocessing.get_context("fork")
    for moment in (0.05, 0.15, 0.3):
        process = context.Process(target=_work, args=(str(store.place.root), str(path)))
        process.start()
        time.sleep(moment)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        noted = set(bodies(store))
        said = {row.text.removeprefix("lesson: ") for row in rows(store) if row.text.startswith("lesson: ")}
        assert noted == said
    harvest(store, path)
    assert _numbers(store) == list(range(1, 1_501))
    assert len(bodies(store)) == 500


def test_a_replaced_file_is_read_from_its_start(store: Store, tmp_path: Path) -> None:
    """A file that was rewritten adds what is new and nothing twice."""
    path = _written(tmp_path / "t.jsonl", 40)
    harvest(store, path)
    path.write_text("".join(json.dumps(row) + "\n" for row in reversed(_rows(50))))
    assert harvest(store, path).rows == 10
    assert len(_numbers(store)) == 50


def test_a_response_and_its_results_are_one_unit(store: Store, tmp_path: Path) -> None:
    """Rows of one response share a unit with the results of its calls, also when a message comes between them."""

    def row(n: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "content": content} | ({"id": more.pop("id")} if "id" in more else {})
        return {"type": kind, "uuid": f"u{n}", "sessionId": "s", "message": message} | more

    call = [{"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "a.py"}}]
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]
    lines = [
        row(1, "user", "go"),
        row(2, "assistant", [{"type": "text", "text": "editing"}], id="m1"),
        row(3, "assistant", call, id="m1"),
        row(4, "user", "and hurry"),
        row(5, "user", result, toolUseResult={}),
        row(6, "assistant", "ok", id="m2"),
    ]
    path = tmp_path / "t.jsonl"
    for known in (3, 6):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines[:known]))
        harvest(store, path)
    with store.read() as session:
        found = session.exec(select(Record).order_by(Record.seq)).all()  # type: ignore[arg-type]
    assert [row.unit for row in found] == [1, 2, 2, 3, 2, 4]
    assert (found[4].kind, found[4].text, found[4].files) == (Row.TOOL_RESULT, "", {"written": ["a.py"]})


def test_the_same_said_in_two_sessions_is_one_note_and_two_sightings(store: Store, tmp_path: Path) -> None:
    """A person's rule in two sessions, twice in one of them: one note; each session counts once."""
    for name, times in (("one", 1), ("two", 2)):
        lines = []
        for n in range(times):
            said = {"role": "user", "content": "Never push to main without a review."}
            lines.append({"type": "user", "uuid": f"{name}{n}", "sessionId": name, "message": said})
            lines.append({"type": "assistant", "uuid": f"{name}a{n}", "sessionId": name, "message": {"content": "ok"}})
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        harvest(store, path)
    assert len(notes(store)) == 1
    with store.read() as session:
        assert {(s.session_id, s.origin) for s in session.exec(select(Sighting))} == {
            ("one", "human"),
            ("two", "human"),
        }


def test_a_retired_statement_stays_out(store: Store, tmp_path: Path) -> None:
    """What an entry said that is tombstoned comes back as a blocked note, never as a waiting one."""
    entry: dict[str, object] = {"id": "m-gone", "kind": "lesson", "title": "the cache is safe to delete"}
    entry |= {"body": "the cache is safe to delete", "labels": [], "status": "tombstoned"}
    entry |= {"created_at": "2031-01-01T00:00:00Z", "updated_at": "2031-01-01T00:00:00Z"}
    (tmp_path / "e.jsonl").write_text(json.dumps(entry) + "\n")
    load_active(store, tmp_path / "e.jsonl")
    said = {"role": "user", "content": "lesson: The cache is safe to delete."}
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"type": "user", "uuid": "x", "sessionId": "s", "message": said}) + "\n")
    assert harvest(store, path).outcomes == {Outcome.BLOCKED: 1}
    (note,) = notes(store)
    assert note.state == NoteState.BLOCKED and "m-gone" in note.reason


def test_a_session_knows_its_client_branch_and_times(store: Store) -> None:
    """The session row carries where and when it ran; its cursor knows the file."""
    harvest(store, CASES / "21/t.jsonl")
    with store.read() as session:
        (found,) = session.exec(select(Session)).all()
        (cursor,) = session.exec(select(Cursor)).all()
        assert session.exec(select(Note)).one().source["seqs"] == [6]
    assert (found.client, found.path, found.session_id) == ("claude", "/srv/demo/atlas", S)
    assert found.started_at is not None and found.last_at is not None and found.last_at > found.started_at
    assert cursor.line == 6 and cursor.offset == (CASES / "21/t.jsonl").stat().st_size
