"""A project with a snapshot, and the hook as a process."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from curator.brief import snapshot_file
from curator.brief.lines import entry, size
from curator.brief.snapshot_file import Checkpoint, Snapshot
from curator.edge.estimate import estimated
from curator.salience.item import Item

CASES = Path(__file__).parent.parent / "cases"
TODAY = date(2031, 3, 5).toordinal()


def item(id_: str, title: str, body: str = "", **more: Any) -> Item:
    """An entry with its sizes counted."""
    made = Item(id_, more.pop("kind", "lesson"), title, body, 0, 0, more.pop("verified", TODAY), **more)
    return made._replace(tokens=estimated(entry(made)), size=size(entry(made)))


def notes(path: Path, **more: Any) -> list[Item]:
    """A case's `notes.jsonl` as entries; only the active ones."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        item(row["id"], row["title"], row["body"], kind=row["kind"], importance=row.get("salience", 0.5), **more)
        for row in rows
        if row["status"] == "active"
    ]


def checkpoint(id_: str, session: str, **more: Any) -> Checkpoint:
    """A checkpoint of today on no branch."""
    parts = {"mission": f"mission of {id_}", "step": f"step of {id_}", "request": f"request of {id_}"}
    return Checkpoint(id_, session, "", "", more.pop("day", TODAY), more.pop("through", 10), parts, **more)


def project(root: Path, items: Sequence[Item] = (), **more: Any) -> Path:
    """A folder with `.curator/snapshot.json`; returns the folder."""
    folder = root / ".curator"
    folder.mkdir(parents=True, exist_ok=True)
    kinds: dict[str, int] = {}
    for one in items:
        kinds[one.kind] = kinds.get(one.kind, 0) + 1
    (folder / "snapshot.json").write_bytes(
        snapshot_file.encode(Snapshot(items=tuple(items), **{"counts": kinds, **more}))
    )
    return root


def hook(
    root: Path, event: str, payload: Mapping[str, Any] | bytes, *words: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the hook as a client does."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    command = [sys.executable, "-m", "curator", "hook", event, *(words or ("--client", "claude"))]
    return subprocess.run(
        command, input=data, capture_output=True, cwd=root, env={**os.environ, **(env or {})}, timeout=30, check=False
    )


def start(session: str = "S1", source: str = "startup") -> dict[str, Any]:
    """A session-start payload."""
    return {"session_id": session, "hook_event_name": "SessionStart", "source": source}


def context(done: subprocess.CompletedProcess[bytes]) -> str:
    """The injected text; "" when the hook printed nothing. Fails on anything but one valid document."""
    assert done.returncode == 0, done.stderr
    if not done.stdout:
        return ""
    value = json.loads(done.stdout)
    assert set(value) == {"hookSpecificOutput"}
    assert set(value["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    text = value["hookSpecificOutput"]["additionalContext"]
    assert isinstance(text, str)
    return text
