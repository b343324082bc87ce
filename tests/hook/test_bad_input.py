"""session-start with what is odd or broken around it: it says what it can, within its limits, and never fails."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.brief.lines import size
from curator.hosts.beads import primes
from tests.hook.helpers import CASES, TODAY, checkpoint, context, hook, item, project, start

DAY = 86_400
LIMIT = 9_500


def git(folder: Path, *words: str) -> str:
    """Run git there as somebody."""
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_a_contract_of_a_megabyte_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    """The summary at its beginning is handed over, one that stands too late is named; invalid UTF-8 becomes a mark."""
    root = project(tmp_path, [item("n-1", "a fact")])
    folder = root / ".curator"
    (folder / "TASK_STATE.md").write_bytes(b"## CURRENT\n- task: \xff\xfe mend\n## BLOCKERS\n- \xc3\x28\n")
    (folder / "HEADER.md").write_bytes(b"\xff header\n")
    (folder / "SCRATCH.md").write_bytes(b"\x80 port 8080\n")
    (folder / "CONTRACT.md").write_bytes(b"## SUMMARY\n- a: keep it\n" + b"- b: x\n" * 150_000)
    text = context(hook(root, "session-start", start()))
    assert "- a: keep it" in text and "mend" in text and "port 8080" in text and "\ufffd header" in text
    assert "a fact" in text and size(text) <= LIMIT
    (folder / "CONTRACT.md").write_bytes(b"## STACK\n" + b"- b: x\n" * 150_000 + b"## SUMMARY\n- a: keep it\n")
    text = context(hook(root, "session-start", start("S2")))
    assert "has no `## SUMMARY`" in text and "a fact" in text and size(text) <= LIMIT


def test_clocks_in_the_future_gain_nothing(tmp_path: Path) -> None:
    """A verification, a checkpoint, a ledger and a snapshot from next year: today's text, no gain in rank."""
    ahead = item("n-9", "from a clock that is ahead", verified=TODAY + 3_000)
    items = [item("n-1", "a fact of today"), ahead]
    root = project(tmp_path, items, checkpoints=(checkpoint("C1", "S0", day=TODAY + 300),))
    os.utime(root / ".curator" / "snapshot.json", (2**31, 2**31))
    text = context(hook(root, "session-start", start()))
    assert text.index("[n-1]") < text.index("[n-9]") and "today" in text
    ledger = next((root / ".curator" / "sessions").iterdir())
    known = json.loads(ledger.read_text())
    known["last"][2] += 10 * DAY
    ledger.write_text(json.dumps(known))
    assert context(hook(root, "session-start", start())) == text


def test_a_detached_head_and_no_git_at_all(tmp_path: Path) -> None:
    """No branch is known then: the checkpoint of a branch is pointed to, that of none is shown."""
    shown = {}
    for name in ("none", "detached"):
        root = tmp_path / name
        root.mkdir()
        if name == "detached":
            git(root, "init", "-q", "-b", "main")
            git(root, "commit", "-q", "--allow-empty", "-m", "one")
            git(root, "checkout", "-q", "--detach")
        on_branch = checkpoint("C1", "S0")._replace(branch="feature")
        project(root, [item("n-1", "a fact")], checkpoints=(on_branch,))
        text = context(hook(root, "session-start", start()))
        assert "The newest checkpoint here is C1 (branch feature" in text and "mission of C1" not in text
        project(root, [item("n-1", "a fact")], checkpoints=(checkpoint("C2", "S0"),))
        shown[name] = context(hook(root, "session-start", start("S2")))
        assert "mission of C2" in shown[name]
    assert shown["none"] == shown["detached"]


def test_everything_pinned_and_nothing_that_fits(tmp_path: Path) -> None:
    """Pins stay within their quarter however many; entries larger than the budget are named and keep nothing out."""
    pinned = [item(f"n-{n:03}", f"a pinned fact {n} " + "word " * 30, pinned=True) for n in range(300)]
    text = context(hook(project(tmp_path / "pins", pinned), "session-start", start()))
    shown = [one for one in pinned if f"[{one.id}]" in text]
    assert shown and sum(-(-one.tokens * 165 // 100) for one in shown) <= 500
    assert f"{300 - len(shown)} memories were left out" in text
    large = [item(f"n-{n}", "huge " + "word " * 9_000, kind="correction", importance=1.0) for n in range(3)]
    text = context(hook(project(tmp_path / "large", [*large, item("n-x", "small")]), "session-start", start()))
    assert "[n-x]" in text and "3 memories were left out, the lowest-ranked (3 correction)" in text
    assert size(text) <= LIMIT
    only = context(hook(project(tmp_path / "only", large), "session-start", start()))
    assert "3 memories were left out" in only or only == ""


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_case_79_a_full_disk_does_not_keep_the_memories_back(tmp_path: Path) -> None:
    """Where not a byte can be written the start injects from what it can read, exits 0 and names the path on stderr."""
    root = project(tmp_path, [item("n-1", "a fact")])
    code = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        "sys.argv = ['curator', 'hook', 'session-start', '--client', 'claude'];"
        "runpy.run_module('curator', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=(CASES / "79" / "payload.json").read_bytes(),
        capture_output=True,
        cwd=root,
        check=False,
    )
    assert "a fact" in context(done)
    assert str(root / ".curator").encode() in done.stderr and b"Traceback" not in done.stderr


def test_case_74_a_start_is_the_same_in_every_time_zone(tmp_path: Path) -> None:
    """Days in the text are UTC's, and whether the task state is behind the newest commit is one answer."""
    git(tmp_path, "init", "-q", "-b", "main")
    root = project(tmp_path, [item("n-1", "a fact")], checkpoints=(checkpoint("C1", "S0")._replace(branch="main"),))
    for name in ("CONTRACT.md", "TASK_STATE.md"):
        (root / ".curator" / name).write_text("## SUMMARY\n- a: b\n## CURRENT\n- task: x\n")
    zones = ("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati")
    os.utime(root / ".curator" / "TASK_STATE.md", (time.time() - 3_600,) * 2)
    git(root, "commit", "-q", "--allow-empty", "-m", "newer than the state, by less than any zone's offset")
    told = {context(hook(root, "session-start", start(f"S{zone}"), env={"TZ": zone})) for zone in zones}
    assert len(told) == 1 and "older than the newest commit" in told.pop()
    os.utime(root / ".curator" / "TASK_STATE.md", (time.time() + 3_600,) * 2)
    told = {context(hook(root, "session-start", start(f"T{zone}"), env={"TZ": zone})) for zone in zones}
    assert len(told) == 1 and "older than the newest commit" not in told.pop()


def test_what_bd_hands_over_too_is_left_to_it(tmp_path: Path, home: Path) -> None:
    """With `bd prime` at its start, as a command and not as a mention: entries in bd stay out, all others come."""
    root = project(tmp_path / "p", [item("n-bd", "known to bd", in_bd=True), item("n-own", "ours alone")])
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()

    def told(hooks: object, session: str) -> str:
        settings.write_text(json.dumps(hooks))
        return context(hook(root, "session-start", start(session)))

    def at(event: str, command: str) -> object:
        return {"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]}}

    for n, command in enumerate(("bd prime", "bd prime --hook-json", "/usr/local/bin/bd prime", "cd x && bd prime")):
        text = told(at("SessionStart", command), f"S{n}")
        assert "[n-own]" in text and "[n-bd]" not in text, command
    for n, other in enumerate(
        (
            at("SessionStart", "echo bd prime"),
            at("SessionStart", "# bd prime"),
            at("PreCompact", "bd prime"),
            {"permissions": {"allow": ["Bash(bd prime)"]}},
            {},
        )
    ):
        assert "[n-bd]" in told(other, f"T{n}"), other
    settings.write_text(json.dumps(at("SessionStart", "bd prime")))
    assert primes(str(root))
    (root / ".curator" / "config.toml").write_text("yield_to_bd = false\n")
    assert "[n-bd]" in context(hook(root, "session-start", start("U")))


@pytest.mark.slow
def test_the_same_state_gives_the_same_bytes_a_hundred_times(tmp_path: Path) -> None:
    """A hundred processes with a hash seed each, over every kind of part: one text."""
    items = [item(f"n-{n:03}", f"fact {n} 编码 🙂", importance=n % 7 / 7, near=(("n-001", 0.8),)) for n in range(120)]
    more = {"labels": {f"l{n}": 3 for n in range(9)} | {"kb": 9}}
    root = project(tmp_path, items, checkpoints=(checkpoint("C1", "S0"),), **more)
    (root / ".curator" / "CONTRACT.md").write_text("## SUMMARY\n- a: b\n")
    (root / ".curator" / "TASK_STATE.md").write_text("## CURRENT\n- task: x\n")
    texts = {context(hook(root, "session-start", start(f"S{n}"), env={"PYTHONHASHSEED": str(n)})) for n in range(100)}
    assert len(texts) == 1 and "left out" in texts.pop()
