"""The real Claude Code client, offline: what `init` installed runs, and what it says reaches the model.

Skipped where the client is not installed; `CLAUDE_BINARY` names it where it is not on PATH.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator.__main__ import main
from curator.brief.snapshot_file import Snapshot, encode
from curator.config import Settings
from curator.edge.clock import now
from curator.mcp.tools import INSTRUCTIONS, TOOLS
from curator.place import find
from curator.snapshot import refresh
from curator.store.opening import create_store
from curator.store.tables import Note
from tests.clients.messages_api import serving, text, tool
from tests.conftest import REPOSITORY
from tests.helpers import load_active

CLIENT = os.environ.get("CLAUDE_BINARY") or shutil.which("claude")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CLIENT is None, reason="Claude Code is not installed (CLAUDE_BINARY names it)"),
]


@pytest.fixture
def project(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A repository in which a person has run `curator init`, with one memory."""
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    assert main(["-C", str(folder), "init", "--client", "claude"]) == 0
    place = find(folder)
    store = create_store(place, Settings(), now)
    load_active(store, [{"kind": "lesson", "title": "Marker", "body": "The marker of this test is walrus-4711."}])
    assert refresh(store) == ""
    return folder


def run(project: Path, home: Path, url: str, prompt: str, *more: str) -> dict[str, Any]:
    """One headless turn of the client in a throwaway home; returns its result document."""
    assert CLIENT
    env = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "ANTHROPIC_API_KEY": "not-a-key",
        "ANTHROPIC_BASE_URL": url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }
    call = [CLIENT, "-p", prompt, "--output-format", "json", *more]
    done = subprocess.run(
        call, cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def hook_rows(home: Path) -> list[dict[str, Any]]:
    """What the client wrote into its transcripts about hooks."""
    rows = []
    for path in (home / ".claude" / "projects").rglob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if str(row.get("attachment", {}).get("type", "")).startswith("hook"):
                rows.append(row["attachment"])
    return rows


def test_what_init_installed_reaches_the_model(project: Path, home: Path) -> None:
    """The first request of a session holds the injected block once, beside the prompt."""
    with serving(text("hello")) as service:
        run(project, home, service.url, "the typed prompt")
    told = [part for part in service.texts() if "walrus-4711" in part]
    assert len(told) == 1
    assert told[0].count("<curator-memory") == told[0].count("</curator-memory>") == 1
    assert any("the typed prompt" in part for part in service.texts())


def test_the_person_is_told_what_waits_and_the_model_is_not_told_twice(project: Path, home: Path) -> None:
    """With proposals waiting the client shows a line to the person; the line itself is not in the request."""
    (project / ".curator" / "snapshot.json").write_bytes(encode(Snapshot(waiting=2, oldest="2031-03-01")))
    with serving(text("hello")) as service:
        run(project, home, service.url, "the typed prompt")
    shown = [row["content"] for row in hook_rows(home) if row["type"] == "hook_system_message"]
    assert shown == ["curator: 2 proposals wait for your decision (curator review)"]
    assert not any("for your decision" in part for part in service.texts())


def test_no_hook_of_ours_fails_in_a_session_with_tools(project: Path, home: Path) -> None:
    """Start, prompt, a tool that works, one that fails, a destructive one, stop, end: no hook error, no block."""
    (project / "old.txt").write_text("x")
    answers = (
        tool("Bash", command="echo one", description="Say one"),
        tool("Read", file_path=str(project / "missing.py")),
        tool("Read", file_path=str(project / "missing.txt")),
        tool("Bash", command="rm -f old.txt", description="Delete a file"),
        text("done"),
    )
    with serving(*answers) as service:
        result = run(project, home, service.url, "please tidy up", "--allowedTools", "Bash", "Read")
    assert result["num_turns"] == 5
    assert not (project / "old.txt").exists()
    assert [row for row in hook_rows(home) if row["type"] not in {"hook_success", "hook_additional_context"}] == []


def test_after_uninstall_nothing_is_injected(project: Path, home: Path) -> None:
    """The same session without our hooks: no block, and no trace of a hook in the transcript."""
    assert main(["-C", str(project), "uninstall"]) == 0
    with serving(text("hello")) as service:
        run(project, home, service.url, "the typed prompt")
    assert not any("curator-memory" in part for part in service.texts())
    assert hook_rows(home) == []


def test_a_program_that_is_gone_does_not_disturb_the_client(project: Path, home: Path) -> None:
    """Settings that still name a program which was removed: the session runs, nothing is reported."""
    settings = home / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(str(REPOSITORY), "/gone"))
    with serving(text("hello")) as service:
        result = run(project, home, service.url, "the typed prompt")
    assert result["is_error"] is False
    assert [row for row in hook_rows(home) if row.get("stderr") or row.get("exitCode")] == []


def test_the_mcp_server_is_started_and_its_tools_reach_the_model(project: Path, home: Path) -> None:
    """What init registered: the request names the tools and carries the instructions; a call gives its answer."""
    answers = (
        tool("mcp__curator__search", text="walrus-4711"),
        tool("mcp__curator__show", ids=["nope"]),
        tool("mcp__curator__remember", text="lesson: noted over the protocol"),
        tool("mcp__curator__checkpoint_begin"),
        text("done"),
    )
    allowed = [f"mcp__curator__{name}" for name in ("search", "show", "remember", "checkpoint_begin")]
    with serving(*answers) as service:
        result = run(project, home, service.url, "look it up", "--allowedTools", *allowed)
    told = "\n".join(service.texts())
    assert all(f"mcp__curator__{name}" in told for name in TOOLS)
    assert INSTRUCTIONS in told
    assert '"total":1' in told
    assert "not found: nope" in told
    assert f'"session":"{result["session_id"]}"' in told
    store = create_store(find(project), Settings(), now)
    with store.read() as session:
        (note,) = session.exec(select(Note)).all()
    assert (note.body, note.origin, note.source["client"]) == ("noted over the protocol", "agent", "claude")
