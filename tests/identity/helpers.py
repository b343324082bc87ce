"""Real repositories, and what a person and an agent do in them."""

import io
import json
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.hosts.claude import encoded
from tests.checkpoint.talk import now
from tests.conftest import REPOSITORY
from tests.hook.helpers import context, hook, start

_GIT = ["git", "-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "-c", "protocol.file.allow=always"]


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    subprocess.run([*_GIT, "-C", str(folder), *words], check=True, capture_output=True)


def made(case: str, folder: Path) -> Path:
    """The repositories that a case's `setup.sh` makes."""
    subprocess.run(["sh", str(REPOSITORY / "tests/cases" / case / "setup.sh"), str(folder)], check=True)
    return folder


def repository(folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "readme").write_text("x\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def learned(folder: Path, lesson: str, *words: str) -> None:
    """A lesson remembered in a folder, swept and accepted there; needs the person's key."""
    for call in (["remember", f"lesson: {lesson}"], ["sweep"], ["accept", "--all"]):
        assert main(["-C", str(folder), *call, *words]) == 0, call


def handed(folder: Path) -> str:
    """What a new session that starts in the folder is handed."""
    return context(hook(folder, "session-start", start(uuid.uuid4().hex)))


def stores(folder: Path) -> list[str]:
    """Where stores lie below a folder, by the path of each."""
    return sorted(str(path.parent.relative_to(folder)) for path in folder.rglob("curator.db") if path.is_file())


def talked(home: Path, folder: Path, branch: str, session: str) -> Path:
    """A Claude Code session of two messages that ran in a folder on a branch; returns its transcript."""
    kept = home / ".claude/projects" / encoded(folder)
    kept.mkdir(parents=True)
    rows = [
        {
            "type": "user",
            "uuid": str(uuid.uuid4()),
            "sessionId": session,
            "timestamp": f"2031-03-04T09:0{number}:00.000Z",
            "cwd": str(folder),
            "gitBranch": branch,
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(["ship the importer", "never push to main"])
    ]
    path = kept / f"{session}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def checkpointed(folder: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkpoint that an agent makes of its session in a folder, by the command line."""
    assert main(["-C", str(folder), "checkpoint", "begin"]) == 0

    def commit() -> int:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(now(step, 120).encode())))
        return main(["-C", str(folder), "checkpoint", "commit"])

    assert commit() == 0 or commit() == 0  # the first try may be told what is missing
