"""The session-start hook as a process: one document, the right content for each source, always exit 0."""

import json
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

from curator.brief.envelope import faults
from tests.hook.helpers import CASES, checkpoint, context, hook, item, notes, project, start


def test_case_01_what_other_code_prints_never_reaches_stdout(tmp_path: Path) -> None:
    """A library's banner, on sys.stdout and straight on descriptor 1, leaves one document with all the lessons."""
    case = CASES / "01"
    root = project(tmp_path / "atlas", notes(case / "notes.jsonl"))
    shim = tmp_path / "shim"
    shim.mkdir()
    (shim / "sitecustomize.py").write_text(
        "import sys; sys.path.insert(0, sys.argv[0] or '.')\n"
        "import builtins; real = builtins.__import__\n"
        "def loud(name, *rest, **more):\n"
        "    if name == 'curator.brief.compose':\n"
        f"        sys.path.insert(0, {str(case / 'stub')!r}); real('tiktoken')\n"
        "    return real(name, *rest, **more)\n"
        "builtins.__import__ = loud\n"
    )
    done = hook(
        root,
        "session-start",
        (case / "payload.json").read_bytes(),
        env={"PYTHONPATH": f"{shim}:{Path.cwd()}"},
    )
    text = context(done)
    assert b"stub banner" in done.stderr
    assert all(f"fact number {n} for the atlas demo" in text for n in (1, 2, 3))


def test_case_02_every_source_gets_the_envelope_the_client_takes(tmp_path: Path) -> None:
    """For each of the five sources: the exact keys, a string, and a validator that agrees."""
    payloads = (CASES / "02" / "payloads.jsonl").read_text().splitlines()
    root = project(tmp_path, [item("n-1", "keep the batch key")])
    for n, line in enumerate(payloads):
        done = hook(root, "session-start", {**json.loads(line), "session_id": f"S{n}"})
        assert context(done) or line.count("fork")
        assert faults("claude", "session-start", done.stdout, 9_500) == []
    assert faults("claude", "session-start", b'{"additionalContext": "x"}', 9_500)


def test_case_03_a_large_store_is_cut_between_entries_and_says_so(tmp_path: Path) -> None:
    """Sixty long lessons and a long checkpoint: under the limit, the head and the best lessons kept, the rest named."""
    case = CASES / "03"
    now = (case / "now.md").read_text()
    items = notes(case / "notes.jsonl")
    kept = checkpoint("C1", "S0")._replace(parts={"mission": "the mission stands", "step": now})
    text = context(hook(project(tmp_path, items, checkpoints=(kept,)), "session-start", start()))
    assert len(text.encode()) <= 9_500 and len(text.encode("utf-16-le")) // 2 <= 10_000
    assert "the mission stands" in text and "n-001" in text
    shown = [one.id for one in items if f"[{one.id}]" in text]
    assert all(one.body in text for one in items if one.id in shown)
    assert f"{len(items) - len(shown)} memories were left out" in text.splitlines()[-2]
    assert "curator preview" in text.splitlines()[-2]


def test_case_05_a_header_file_adds_and_never_replaces(tmp_path: Path) -> None:
    """Header text and both lessons; an empty header file is an empty header."""
    case = CASES / "05"
    root = project(tmp_path, notes(case / "notes.jsonl"))
    header = root / ".curator" / "HEADER.md"
    header.write_text((case / "session_header.md").read_text())
    text = context(hook(root, "session-start", start("S1")))
    assert "Ask before deleting data." in text
    assert "config/staging.yaml" in text and "smoke test before tagging" in text
    header.write_text("")
    text = context(hook(root, "session-start", start("S2")))
    assert "config/staging.yaml" in text and "smoke test before tagging" in text


def test_case_93_each_source_gets_its_own_content(tmp_path: Path) -> None:
    """Startup, clear, unknown and missing: all; compact: the newest checkpoint and a reminder; resume, fork: news."""
    rows = [json.loads(line) for line in (CASES / "93" / "payloads.jsonl").read_text().splitlines()]
    mine = rows[0]["session_id"]
    items = [item(f"n-{n:02}", f"lesson number {n}", importance=n / 40) for n in range(20)]
    first, second = checkpoint("C1", mine), checkpoint("C2", mine, through=20)
    root = project(tmp_path, items, checkpoints=(first,))

    def fire(row: int) -> str:
        return context(hook(root, "session-start", rows[row]))

    startup = fire(0)
    assert startup.count("lesson number") == 20 and "C1" in startup
    compact = fire(1)
    assert "checkpoint c1" in compact.lower() and 1 <= compact.count("lesson number") <= 5
    project(tmp_path, items, checkpoints=(first, second))
    again = fire(2)
    assert "C2" in again and "step of C2" in again and "C1" not in again
    assert "Continue the current step." in again
    resumed = fire(3)
    assert "lesson number" not in resumed
    assert fire(4).count("lesson number") == 20
    assert "lesson number" not in fire(5)
    assert fire(6).count("lesson number") == 20
    assert fire(7).count("lesson number") == 20


def test_resume_is_told_only_what_changed(tmp_path: Path) -> None:
    """Nothing changed: nothing is printed. One entry edited and one added: those two and no others."""
    items = [item(f"n-{n}", f"fact {n}") for n in range(4)]
    root = project(tmp_path, items)
    assert context(hook(root, "session-start", start()))
    assert hook(root, "session-start", start(source="resume")).stdout == b""
    project(tmp_path, [*items[:3], items[3]._replace(rev=2), item("n-9", "fact 9")])
    text = context(hook(root, "session-start", start(source="resume")))
    assert "[n-3]" in text and "[n-9]" in text and "[n-0]" not in text


def test_case_45_a_hook_registered_twice_injects_once(tmp_path: Path) -> None:
    """In sequence: one block and one empty answer; the compact event of the same session gets its own."""
    payload = json.loads((CASES / "45" / "payload.json").read_text())
    root = project(tmp_path, [item("n-1", "fact")])
    assert context(hook(root, "session-start", payload))
    assert hook(root, "session-start", payload).stdout == b""
    compact = json.loads((CASES / "45" / "payload_compact.json").read_text())
    assert context(hook(root, "session-start", compact))


def test_case_45_two_hooks_at_the_same_moment_inject_once(tmp_path: Path) -> None:
    """In parallel, four times over: exactly one of the two prints the block, the other nothing; both end well."""
    root = project(tmp_path, [item("n-1", "fact")])
    command = [sys.executable, "-m", "curator", "hook", "session-start", "--client", "claude"]
    for number in range(4):
        data = json.dumps(start(f"S{number}")).encode()
        both = [subprocess.Popen(command, cwd=root, stdin=PIPE, stdout=PIPE, stderr=PIPE) for _ in range(2)]
        for each in both:
            assert each.stdin
            each.stdin.write(data)
        for each in both:
            assert each.stdin
            each.stdin.close()
            each.stdin = None
        said = [each.communicate() for each in both]
        assert [each.returncode for each in both] == [0, 0] and [err for _, err in said] == [b"", b""]
        assert sorted(b"fact" in out for out, _ in said) == [False, True], said


def test_a_store_that_could_not_be_read_is_said(tmp_path: Path) -> None:
    """Missing, damaged or of another version: named in the text; no `.curator/`: silence."""
    root = tmp_path / "p"
    (root / ".curator").mkdir(parents=True)
    assert "snapshot is missing" in context(hook(root, "session-start", start("S1")))
    for data, said in ((b"{", "damaged"), (b'{"format": 9}', "format 9"), (b"[]", "damaged"), (b"\xff", "damaged")):
        (root / ".curator" / "snapshot.json").write_bytes(data)
        assert said in context(hook(root, "session-start", start(said + repr(data))))
    bare = tmp_path / "bare"
    bare.mkdir()
    assert hook(bare, "session-start", start()).stdout == b""


def test_an_empty_store_is_silent(tmp_path: Path) -> None:
    """Nothing stored: no header-only text, no empty list."""
    assert hook(project(tmp_path), "session-start", start()).stdout == b""


def test_any_stdin_is_survived(tmp_path: Path) -> None:
    """No bytes, no JSON, another shape and invalid UTF-8 count as an empty payload: a full start."""
    root = project(tmp_path, [item("n-1", "the fact")])
    for data in (b"", b"{", b"[1]", b"\xff\xfe", b"null"):
        assert "the fact" in context(hook(root, "session-start", data))
