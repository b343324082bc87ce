"""What goes on beside the writers: searches, sweeps and session starts, each a process that repeats until told to stop.

Each prints one JSON document at its end: how often, how slow at worst (seconds), and what went wrong.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from curator.cycle.sweeping import run as sweep
from curator.recall.search import search
from curator.recall.values import Query
from tests.storm.writer import SHARED, opened

_PAUSE = 0.3
"""Seconds between two: readers that never rest would only measure how two cores are shared out."""


def searching(root: Path, number: int) -> str:
    """The shared entries are always all found, whatever is written."""
    text = "stands at count" if number % 2 else SHARED[number % len(SHARED)]
    found = {hit.entry_id for hit in search(opened(root), Query(text, limit=0)).hits}
    missing = set(SHARED if number % 2 else [text]) - found
    return f"search did not find {sorted(missing)}" if missing else ""


def sweeping(root: Path, number: int) -> str:
    """A sweep, as the background makes it."""
    sweep(opened(root), limit=20)
    return ""


def starting(root: Path, number: int) -> str:
    """The real hook: one valid document, nothing on stderr, exit 0."""
    payload = {"session_id": f"start-{os.getpid()}-{number}", "hook_event_name": "SessionStart", "source": "startup"}
    done = subprocess.run(
        [sys.executable, "-m", "curator", "hook", "session-start", "--client", "claude"],
        input=json.dumps({**payload, "cwd": str(root)}),
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
    )
    if done.returncode or done.stderr or not done.stdout:
        return f"hook: exit {done.returncode}, stdout {len(done.stdout)} bytes, stderr {done.stderr[-300:]!r}"
    text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    return "" if "<curator-memory" in text else f"hook without a block: {text[:200]!r}"


def repeat(act: Callable[[Path, int], str], root: Path) -> dict[str, object]:
    """Until the file `stop` appears."""
    times, wrong = 0, []
    slowest = 0.0
    while not (root / "stop").exists():
        began = time.monotonic()
        try:
            if problem := act(root, times):
                wrong.append(problem)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            wrong.append(f"{type(error).__name__}: {error}")
        slowest = max(slowest, time.monotonic() - began)
        times += 1
        time.sleep(_PAUSE)
    return {"what": act.__name__, "times": times, "slowest": round(slowest, 2), "wrong": wrong}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(repeat(globals()[sys.argv[2]], Path(sys.argv[1]))))
