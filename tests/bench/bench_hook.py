"""session-start against a bare interpreter, and the snapshot's rewriting, at 1,000 and 100,000 entries.

Printed as ratios of `python -c pass` in the same run, so that a busy machine does not decide. Bounds: three times at
1,000 entries, at most 1.6 times as long at 100,000; a rewrite 300 ms at 100,000.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from curator.snapshot import Seen, refocus, refresh
from curator.snapshot.relevance import Work
from curator.store.engine import Store
from tests.conftest import Clock
from tests.helpers import load_active

RUNS = 21
WORDS = ("queue", "retry", "parser", "header", "invoice", "batch", "cache", "token", "index", "schema", "worker",
    "deploy", "branch", "socket", "stream")  # fmt: skip


KINDS = ("lesson", "pattern", "root-cause", "correction", "design", "decision", "research")


def filled(store: Store, count: int, *, mixed: bool = False) -> Store:
    """A store of many entries with a snapshot."""
    chance = Random(3)
    rows = (
        {
            "id": f"e-{n:06}",
            "kind": KINDS[n % (7 if mixed else 4)],
            "title": f"{WORDS[n % 15]} {WORDS[n // 15 % 15]} case {n}",
            "body": f"The {WORDS[n % 15]} needs the {WORDS[n // 7 % 15]} before step {n}; seen in run {n % 97}.",
            "salience": chance.random() if mixed else n % 50 / 50,
            "labels": [WORDS[n % 15], f"l{n % 40}", f"m{n % 9}"] if mixed else [],
            "pinned": mixed and n % 500 == 0,
            "updated_at": (store.now() - timedelta(days=n % 900 if mixed else 0)).isoformat(),
        }
        for n in range(count)
    )
    load_active(store, rows)
    assert refocus(store, store.place, Seen("", Work(("make the parser read the header",), "fix/parser"))) == ""
    return store


def once(command: list[str], payload: bytes, cwd: Path) -> float:
    """Seconds of one process."""
    before = time.perf_counter()
    done = subprocess.run(command, input=payload, capture_output=True, cwd=cwd, check=True)
    spent = time.perf_counter() - before
    assert not payload or b"curator-memory" in done.stdout, done.stderr
    return spent


def test_session_start(new_store: Callable[..., Store], tmp_path: Path) -> None:
    """Median of interleaved runs: bare interpreter, 1,000 entries, 100,000 entries."""
    bare = [sys.executable, "-c", "pass"]
    script = Path(sys.executable).with_name("curator")
    hook = [sys.executable, "-E", str(script), "hook", "session-start", "--client", "claude"]
    small = filled(new_store(tmp_path / "small"), 1_000).place.root
    large = filled(new_store(tmp_path / "large"), 100_000).place.root
    spent: dict[str, list[float]] = {"bare": [], "small": [], "large": []}
    for run in range(RUNS):
        payload = json.dumps({"session_id": f"S{run}", "source": "startup"}).encode()
        spent["bare"].append(once(bare, b"", tmp_path))
        spent["small"].append(once(hook, payload, small))
        spent["large"].append(once(hook, payload, large))
    middle = {name: statistics.median(values) for name, values in spent.items()}
    best = {name: min(values) for name, values in spent.items()}
    print(
        f"\nsession-start p50: bare {middle['bare'] * 1000:.1f} ms, 1,000 entries {middle['small'] * 1000:.1f} ms "
        f"(x {middle['small'] / middle['bare']:.2f}, best x {best['small'] / best['bare']:.2f}), "
        f"100,000 entries {middle['large'] * 1000:.1f} ms (x {middle['large'] / middle['small']:.2f} of 1,000)"
    )
    assert middle["small"] <= 3 * middle["bare"]
    assert middle["large"] <= 1.6 * middle["small"]


@pytest.mark.parametrize("mixed", [False, True])
def test_rewrite(mixed: bool, new_store: Callable[..., Store], tmp_path: Path, clock: Clock) -> None:
    """The rewrite after a decision, at 100,000 entries; once warm, because the review screen's process is.

    Mixed: three in seven are deferred, all have three labels, any choice and any age, and one in 500 is pinned.
    """
    store = filled(new_store(tmp_path / "large"), 100_000, mixed=mixed)
    clock.at += timedelta(minutes=1)  # entries of this very moment would be scored anew each time
    assert refresh(store) == ""
    spent, worked = [], []
    for _ in range(5):
        before, used = time.perf_counter(), time.process_time()
        assert refresh(store) == ""
        spent.append(time.perf_counter() - before)
        worked.append(time.process_time() - used)
    size = (store.place.folder / "snapshot.json").stat().st_size
    print(
        f"\nsnapshot rewrite at 100,000 entries{', mixed' * mixed}: {statistics.median(spent) * 1000:.0f} ms, "
        f"{statistics.median(worked) * 1000:.0f} ms of processor time, {size / 1024:.0f} KiB"
    )


@pytest.fixture(autouse=True)
def _as_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks run without the test's variables; the bare interpreter too."""
    monkeypatch.delenv("PYTHONWARNINGS")
    monkeypatch.delenv("PYTHONPATH")
