"""Import and export of beads files: each record one proposal, nothing newer overwritten, nothing retired comes back."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator.cycle import purging
from curator.errors import Conflict, CuratorError
from curator.interchange.beads.outgoing import export_beads
from curator.interchange.formats import Asked
from curator.store import entries
from curator.store.engine import Store
from curator.vocab import Kind, Route
from tests.conftest import Clock
from tests.helpers import load_active
from tests.interchange.beads import accept_all, desk, edit, entry, give, retire, take, written
from tests.interchange.test_entries import outcomes


def issue(key: str, title: str = "Why the backoff", day: int = 1, **more: Any) -> dict[str, Any]:
    """An issue as `bd` exports it."""
    at = f"2031-01-{day:02}T00:00:00Z"
    return {"_type": "issue", "id": key, "title": title, "status": "open", "priority": 0, "issue_type": "task",
        "created_at": "2031-01-01T00:00:00Z", "updated_at": at, **more}  # fmt: skip


def memory(key: str, value: str) -> dict[str, Any]:
    """A memory as `bd` exports it."""
    return {"_type": "memory", "key": key, "value": value}


def rows(data: bytes) -> list[dict[str, Any]]:
    """A file's objects."""
    return [json.loads(line) for line in data.split(b"\n") if line.strip()]


def test_every_kind_of_line_is_told(store: Store, tmp_path: Path) -> None:
    """Issues and memories are proposed; header, empty memory, hand-off and unknown kinds are kept; faults are named."""
    legacy = issue("cur-old", "An issue of an older file")
    del legacy["_type"]
    path = written(
        tmp_path / "in.jsonl",
        {"_schema": "beads-jsonl/1"},
        issue("cur-1", description="d", notes="n"),
        legacy,
        memory("empty", ""),
        memory("continuation-2031-01-01-topic", "see docs/handoff.md"),
        {"_type": "widget", "foo": 1},
        '{"_type":"issue","id":"cur-torn","title":"tor',
        "",
        memory("key with spaces / slash", "verbatim key"),
        b'{"_type":"memory","key":"bytes","value":"\xff"}',
        memory("dup", "first"),
        memory("dup", "second wins"),
        {"_type": "memory", "key": "number", "value": 7},
    )
    report = take(store, path)
    assert len(report.proposals) == 4
    assert report.read.bad == [(7, "not JSON"), (10, "not UTF-8"), (13, "value must be a text")]
    assert report.read.repeated == [(12, "dup", "in place of line 11")]
    assert [what for _, what in report.read.aside] == ["header of the file", "empty memory", "hand-off pointer"]
    assert [line.number for line in report.read.unknown] == [6]
    assert accept_all(store).complete
    assert entry(store, "dup").body == "second wins"
    assert entry(store, "cur-1").body == "d\n\n## Notes\n\nn"
    assert give(store) == path.read_bytes()


def test_a_kind_is_told_from_metadata_type_or_label(store: Store, tmp_path: Path) -> None:
    """What the record says of its kind counts, then the type map, then what such issues mostly are."""
    path = written(
        tmp_path / "in.jsonl",
        issue("c-1", "a text", issue_type="design"),
        issue("c-2", "b text", labels=["decision"]),
        issue("c-3", "c text", metadata={"kind": "lesson"}),
        issue("c-4", "d text", issue_type="decision"),
        issue("c-5", "e text", issue_type="epic"),
        issue("c-6", "f text", issue_type="bug"),
    )
    take(store, path)
    accept_all(store)
    found = [(entry(store, f"c-{n}").kind, entry(store, f"c-{n}").route) for n in range(1, 7)]
    kinds = ["design", "decision", "lesson", "decision", "design", "research"]
    assert found == [(kind, "deferred") for kind in kinds]


def test_older_same_and_newer_rows(store: Store, tmp_path: Path) -> None:
    """By time: an equal row makes nothing, an older one is reported, a newer one is proposed, and again nothing."""
    take(store, written(tmp_path / "in.jsonl", *(issue(f"c-{n}", f"text {n}", 5) for n in range(3))))
    assert accept_all(store).complete
    path = written(tmp_path / "in.jsonl", issue("c-0", "text 0", 5), issue("c-1", "older", 4), issue("c-2", "newer", 6))
    assert outcomes(take(store, path)) == {"same": ["c-0"], "older": ["c-1"], "newer": ["c-2"]}
    assert outcomes(take(store, path)) == {"same": ["c-0"], "older": ["c-1"], "waiting": ["c-2"]}


def test_a_tombstone_stays_one(store: Store, tmp_path: Path) -> None:
    """A record that was a tombstone once is never proposed as alive: in the same file, later, accepted or not."""
    dead = issue("c-1", "gone", 2, status="tombstone", delete_reason="dup")
    report = take(store, written(tmp_path / "in.jsonl", dead, issue("c-1", "gone", 9), issue("c-2")))
    assert report.read.repeated == [(2, "c-1", "but line 1 retires it, which stays")]
    alive = written(tmp_path / "other.jsonl", issue("c-1", "gone", 9))
    assert outcomes(take(store, alive)) == {"retired": ["c-1"]}
    assert accept_all(store).complete
    assert (entry(store, "c-1").state, entry(store, "c-1").reason) == ("tombstoned", "dup")
    assert outcomes(take(store, alive)) == {"retired": ["c-1"]}


def test_what_was_retired_here_goes_out_as_a_tombstone(store: Store, tmp_path: Path) -> None:
    """Retiring writes `tombstone` into that line, and the next import of the living row is refused."""
    path = written(tmp_path / "in.jsonl", issue("c-1", "one", issue_type="bug"), issue("c-2", "two"))
    before = path.read_bytes().split(b"\n")
    take(store, path)
    accept_all(store)
    retire(store, "c-1")
    out = give(store)
    gone = rows(out)[0]
    assert (gone["status"], gone["delete_reason"], gone["original_type"]) == ("tombstone", "wrong", "bug")
    assert gone["deleted_at"] == gone["updated_at"] == "2031-03-05T12:00:00Z"
    assert out.split(b"\n")[1:] == before[1:]
    assert outcomes(take(store, path)) == {"same": ["c-2"], "retired": ["c-1"]}
    assert give(store) == out


def test_a_tombstone_of_the_file_is_not_brought_back(store: Store, tmp_path: Path) -> None:
    """Restored here, the record stays a tombstone in the file, and the export says so."""
    path = written(tmp_path / "in.jsonl", issue("c-1", "gone", status="tombstone"))
    take(store, path)
    accept_all(store)
    assert desk(store).restore("c-1", entry(store, "c-1").rev).complete
    wrote = export_beads(store, None, Asked())
    assert b"".join(wrote.lines) == path.read_bytes()
    assert any("c-1" in note and "retired in the file" in note for note in wrote.notes)


def test_an_edit_changes_its_line_only(store: Store, tmp_path: Path) -> None:
    """Title and one section: those two fields and the time change, in Go's escapes; a second export changes nothing."""
    row = issue("c-1", "<b> & co", description="first", design="d", notes="n", x={"keep": 1.0})
    path = written(tmp_path / "in.jsonl", row, issue("c-2", "two"))
    take(store, path)
    accept_all(store)
    edit(store, "c-1", title="<i> & co", body="first\n\n## Design\n\nd > e\n\n## Notes\n\nn")
    out = give(store)
    expected = path.read_bytes().replace(b"\\u003cb\\u003e", b"\\u003ci\\u003e", 1)
    expected = expected.replace(b'"design":"d"', b'"design":"d \\u003e e"')
    expected = expected.replace(b'"updated_at":"2031-01-01T00:00:00Z"', b'"updated_at":"2031-03-05T12:00:00Z"', 1)
    assert out == expected
    assert give(store, tmp_path / "out.jsonl") == out
    assert take(store, tmp_path / "out.jsonl").proposals == []
    assert give(store) == out


def test_a_section_that_is_not_plain_loses_no_text(store: Store, tmp_path: Path) -> None:
    """Where a heading stands twice, the whole text becomes the description rather than half of it a section."""
    take(store, written(tmp_path / "in.jsonl", issue("c-1", notes="x\n## Notes\ny", description="d")))
    accept_all(store)
    edit(store, "c-1", body=entry(store, "c-1").body + " more")
    (row,) = rows(give(store))
    assert (row["description"], row["notes"]) == ("d\n\n## Notes\n\nx\n## Notes\ny more", "")


def test_a_changed_kind_and_labels(store: Store, tmp_path: Path) -> None:
    """A kind that bd has no type for stands in the metadata, beside what was there; `kb` leads the labels."""
    take(store, written(tmp_path / "in.jsonl", issue("c-1", metadata={"n": 1.0}, labels=["x"])))
    accept_all(store)
    edit(store, "c-1", kind=Kind.DESIGN, labels=("x", "hooks"))
    (row,) = rows(give(store))
    assert (row["issue_type"], row["labels"]) == ("task", ["kb", "hooks", "x"])
    assert b'"metadata":{"n":1.0,"kind":"design"}' in give(store)
    out = tmp_path / "out.jsonl"
    give(store, out)
    assert outcomes(take(store, out)) == {"same": ["c-1"]}
    own = replace(store, settings=replace(store.settings, issue_types={"research": "spike", "design": "design"}))
    assert take(own, out).proposals == [] and give(own) == out.read_bytes()
    take(own, written(tmp_path / "in.jsonl", issue("c-1", metadata={"n": 1.0}, labels=["x"])))
    assert (row := rows(give(own))[0])["issue_type"] == "design" and row["metadata"] == {"n": 1.0}


def test_what_is_new_is_appended(store: Store, tmp_path: Path) -> None:
    """Deferred entries go out as deferred issues with `kb`; injected ones only when asked; both come back the same."""
    load_active(store, written(tmp_path / "own.jsonl",
        {"id": "m-aaaaaaaa", "kind": "design", "title": "Queue", "body": "One queue.", "labels": ["hooks"], "status":
         "active", "created_at": "2031-01-01T00:00:00Z", "updated_at": "2031-01-02T00:00:00Z"},
        {"id": "m-bbbbbbbb", "kind": "pattern", "title": "Retry", "body": "Twice at most.", "labels": ["net"], "status":
         "active", "created_at": "2031-01-01T00:00:00Z", "updated_at": "2031-01-02T00:00:00Z", "salience": 0.8},
    ))  # fmt: skip
    path = written(tmp_path / "in.jsonl", issue("c-1"))
    take(store, path)
    accept_all(store)
    out = give(store)
    assert out.startswith(path.read_bytes())
    new = rows(out)[1]
    assert (new["id"], new["status"], new["labels"], new["issue_type"]) == (
        "m-aaaaaaaa",
        "deferred",
        ["kb", "hooks"],
        "task",
    )
    assert len(rows(out)) == 2
    whole = give(store, tmp_path / "all.jsonl", memories=True)
    header = "@type=semantic:pattern @created=2031-01-01 @salience=4 @tags=net"
    assert rows(whole)[2] == memory("m-bbbbbbbb", f"{header}\nRetry\nTwice at most.")
    assert outcomes(take(store, tmp_path / "all.jsonl")) == {"same": ["c-1", "m-aaaaaaaa", "m-bbbbbbbb"]}
    assert give(store) == whole


def test_a_credential_is_not_written(store: Store, tmp_path: Path) -> None:
    """An entry that holds a credential is left out of the export, which says so and is not complete."""
    token = "ghp_" + "A1b2C3d4" * 5
    load_active(store, written(tmp_path / "own.jsonl", {"id": "m-1", "kind": "lesson", "body": f"use {token}", "status":
        "active", "title": "t", "labels": []}))  # fmt: skip
    wrote = export_beads(store, None, Asked(memories=True))
    assert not wrote.complete
    assert (list(wrote.lines), "m-1" in " ".join(wrote.notes)) == ([], True)


def test_a_credential_of_the_file_stays_in_the_file_alone(store: Store, tmp_path: Path) -> None:
    """The store never holds it; the export still gives the line back from the file, and without the file a safe one."""
    token = "ghp_" + "A1b2C3d4" * 5
    path = written(tmp_path / "in.jsonl", issue("c-1", description=f"use {token}", comments=[{"text": token}]))
    assert take(store, path).read.redacted == 1
    accept_all(store)
    assert token.encode() not in b"".join(each.read_bytes() for each in store.place.folder.glob("*") if each.is_file())
    assert give(store, tmp_path / "out.jsonl") == path.read_bytes()
    path.unlink()
    (tmp_path / "out.jsonl").unlink()
    wrote = export_beads(store, None, Asked())
    assert token.encode() not in b"".join(wrote.lines)
    assert any("credentials" in note for note in wrote.notes)


def test_no_file_loses_records(store: Store, tmp_path: Path) -> None:
    """A file with records that are not here is not written over unless told; a file that changed meanwhile neither."""
    path = written(tmp_path / "in.jsonl", issue("c-1"))
    take(store, path)
    accept_all(store)
    more = written(tmp_path / "more.jsonl", issue("c-1"), issue("c-2"), issue("c-3"))
    before = more.read_bytes()
    with pytest.raises(CuratorError, match=r"holds 3 records, and 2 of them would be lost \(c-2, c-3\)"):
        give(store, more)
    assert more.read_bytes() == before
    written(path, issue("c-1", "changed by bd", 9))
    with pytest.raises(Conflict, match="changed since it was read, in c-1"):
        give(store, path)
    assert rows(give(store, more, force=True)) == [issue("c-1")]
    assert not list(tmp_path.glob(".*part"))


def test_what_waits_is_left_as_the_file_has_it(store: Store, tmp_path: Path) -> None:
    """While a newer row of the file waits for a decision, the export leaves that row alone."""
    path = written(tmp_path / "in.jsonl", issue("c-1", "one"))
    take(store, path)
    accept_all(store)
    written(path, issue("c-1", "two", 9))
    take(store, path)
    wrote = export_beads(store, path, Asked())
    assert rows(path.read_bytes()) == [issue("c-1", "two", 9)]
    assert any("wait for a decision" in note for note in wrote.notes)


def test_two_files_stay_apart(store: Store, tmp_path: Path) -> None:
    """Each file gets its own lines back; a new file gets the records of both, once."""
    one, two = written(tmp_path / "1.jsonl", issue("c-1", "one")), written(tmp_path / "2.jsonl", memory("k", "two"))
    before = one.read_bytes(), two.read_bytes()
    take(store, one)
    take(store, two)
    accept_all(store)
    assert (give(store, one), give(store, two)) == before
    assert sorted(give(store, tmp_path / "3.jsonl").splitlines()) == sorted(b"".join(before).splitlines())


def test_an_issue_and_a_memory_of_one_name(store: Store, tmp_path: Path) -> None:
    """They are two entries, and both lines come back."""
    path = written(tmp_path / "in.jsonl", memory("c-1", "the memory"), issue("c-1", "the issue"))
    take(store, path)
    assert accept_all(store).complete
    assert (entry(store, "c-1").body, entry(store, "memory:c-1").body) == ("the issue", "the memory")
    assert give(store) == path.read_bytes()


def test_times_of_a_changed_record(store: Store, clock: Clock, tmp_path: Path) -> None:
    """A row with nanoseconds and an offset is compared as an instant."""
    row = issue("c-1", "x") | {"updated_at": "2031-01-02T03:04:05.123456789+10:00"}
    take(store, written(tmp_path / "in.jsonl", row))
    accept_all(store)
    assert entry(store, "c-1").updated_at.isoformat() == "2031-01-01T17:04:05.123456+00:00"


def test_what_is_purged_is_in_no_kept_line(store: Store, tmp_path: Path) -> None:
    """Purging an entry or a value takes it out of the kept lines, a new import keeps it out, and the file is safe."""
    rows_ = (
        issue("c-1", "first <b>", description='one\n"two"', comments=[{"text": "of c-1"}]),
        issue("c-2", 'say "<b> ü"'),
    )
    path = written(tmp_path / "in.jsonl", *rows_)
    take(store, path)
    accept_all(store)
    purging.items(store, ["c-1"], reviewer="ann", via="terminal")
    assert b"of c-1" not in give(store)
    purging.value(store, 'y "<b> ü', reviewer="ann", via="terminal")
    assert [row["title"] for row in rows(give(store))] == ['sa[purged]"']
    take(store, path)
    assert [row["id"] for row in rows(give(store))] == ["c-2"]
    with pytest.raises(CuratorError, match="would be lost"):
        give(store, path)


def test_work_that_is_superseded_stays_in_the_tracker(store: Store, tmp_path: Path) -> None:
    """A merge takes knowledge out of the file as a tombstone; an open issue stays as it is, and the export says so."""
    path = written(tmp_path / "in.jsonl", issue("c-1", "one"), issue("c-2", "two", status="deferred"), issue("c-3"))
    take(store, path)
    accept_all(store)
    with store.write() as session:
        for key in ("c-1", "c-2"):
            row = entries.get(session, store.project_id, key)
            entries.change(session, row, store.now(), rev=row.rev, state="superseded", superseded_by="c-3")
    wrote = export_beads(store, None, Asked())
    one, two, _ = rows(b"".join(wrote.lines))
    assert (one["status"], two["status"], two["delete_reason"]) == ("open", "tombstone", "superseded by c-3")
    assert any(note.startswith("1 are superseded here") and note.endswith(": c-1") for note in wrote.notes)


def test_a_line_keeps_its_own_dialect(store: Store, tmp_path: Path) -> None:
    """In a file of two writers a changed line is written as that line was."""
    path = tmp_path / "in.jsonl"
    lines = [json.dumps(issue(f"c-{n}", f"title {n} <b>", notes="é"), separators=how) for n, how in
        enumerate(((", ", ": "), (",", ":"), (",", ":")))]  # fmt: skip
    lines[1] = json.dumps(issue("c-1", "title 1 <b>", notes="é"), separators=(",", ":"), ensure_ascii=False)
    lines[1] = lines[1].replace("<", "\\u003c").replace(">", "\\u003e")
    path.write_text("\n".join(lines), encoding="utf-8")
    take(store, path)
    accept_all(store)
    for n in range(3):
        edit(store, f"c-{n}", title=f"title {n} <ö>")
    out = give(store).decode().split("\n")
    assert '"title": "title 0 <\\u00f6>"' in out[0]
    assert '"title":"title 1 \\u003cö\\u003e"' in out[1]
    assert '"title":"title 2 <\\u00f6>"' in out[2]


def test_a_change_of_store_is_said_in_the_metadata(store: Store, tmp_path: Path) -> None:
    """An issue whose entry a person put into the injected store says so, and comes back as the same."""
    out = tmp_path / "out.jsonl"
    take(store, written(tmp_path / "in.jsonl", issue("c-1"), issue("c-2", "other", metadata="a text")))
    accept_all(store)
    edit(store, "c-1", route=Route.INJECTED)
    edit(store, "c-2", kind=Kind.LESSON)
    one, two = rows(give(store, out))
    assert one["metadata"] == {"route": "injected"}
    assert (two["metadata"], two["issue_type"]) == ("a text", "lesson")
    assert outcomes(take(store, out)) == {"same": ["c-1", "c-2"]}


def test_stdout_gets_the_bytes(store: Store, tmp_path: Path) -> None:
    """What is no UTF-8 goes through a pipe as it stands in the file."""
    path = written(tmp_path / "in.jsonl", b'{"id":"c-1","title":"\xff"}', issue("c-2"))
    take(store, path)
    call = [sys.executable, "-m", "curator", "-C", str(store.place.root), "export", "beads"]
    assert subprocess.run(call, capture_output=True, check=True).stdout == path.read_bytes()
