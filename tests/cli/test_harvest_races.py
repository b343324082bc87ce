"""Harvesting as real processes: beside each other, killed half-way, and never on the path of a session's start."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.store.engine import Store
from tests.conftest import REPOSITORY
from tests.hook.helpers import hook

CASES = REPOSITORY / "tests" / "cases"


def harvesting(project: Path, source: Path) -> "subprocess.Popen[bytes]":
    """A harvest in a process of its own."""
    call = [sys.executable, "-m", "curator", "-C", str(project), "harvest", str(source)]
    return subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def noted(project: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The bodies of all notes."""
    capsys.readouterr()
    assert main(["-C", str(project), "notes", "--json"]) == 0
    return sorted(note["body"] for note in json.loads(capsys.readouterr().out)["notes"])


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.0, 0.9, 1.4])
def test_case_47_four_harvests_and_a_kill(store: Store, capsys: pytest.CaptureFixture[str], after: float) -> None:
    """Four processes read one transcript and one of them is killed: after one more each of the 40 is there once."""
    project, source = store.place.root, CASES / "47" / "t.jsonl"
    running = [harvesting(project, source) for _ in range(4)]
    time.sleep(after)
    os.kill(running[0].pid, signal.SIGKILL)
    assert [each.communicate()[1] for each in running[1:]] == [b""] * 3
    running[0].communicate()
    assert [each.returncode for each in running[1:]] == [0] * 3
    assert main(["-C", str(project), "harvest", str(source)]) == 0
    assert noted(project, capsys) == [f"parallel fact {number:02}" for number in range(1, 41)]
    assert main(["-C", str(project), "db", "check"]) == 0


@pytest.mark.slow
def test_case_10_a_start_reads_no_transcripts(
    home: Path, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With 3,000 unread transcripts a session starts at once and nothing is noted; a harvest then finds each once.

    Only one folder in ten is harvested here: 3,000 files take a minute.
    """
    kept = home / ".claude" / "projects"
    subprocess.run([sys.executable, str(CASES / "10" / "make_projects.py"), str(kept)], check=True, capture_output=True)
    payload = json.loads((CASES / "10" / "payload.json").read_text())
    began = time.monotonic()
    done = hook(store.place.root, "session-start", {**payload, "cwd": str(store.place.root)})
    assert done.returncode == 0 and time.monotonic() - began < 2
    time.sleep(1)
    assert noted(store.place.root, capsys) == []
    folders = [str(kept / f"-srv-demo-p{number:02}") for number in range(0, 60, 10)]
    for _ in range(2):
        assert main(["-C", str(store.place.root), "harvest", *folders]) == 0
    assert noted(store.place.root, capsys) == [f"unique fact {number:06}" for number in range(0, 3_000, 10)]
