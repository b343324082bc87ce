"""How long a sweep of many notes against a large store takes, and what it needs: printed, never a gate.

Uses the measuring data's 100,000 notes where they are (`CURATOR_DATA` or `../shared/data`), else is skipped.
"""

import gzip
import json
import os
import time
from collections.abc import Callable
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from curator.config import Settings
from curator.place import Place
from curator.store.engine import Store
from curator.store.opening import open_store
from curator.store.tables import Note
from curator.sweep.run import sweep
from tests.helpers import load_active

DATA = Path(os.environ.get("CURATOR_DATA") or Path(__file__).parents[3] / "shared" / "data")
NOTES = 1_000
_cost: dict[int, float] = {}
"""Processor seconds by size of the store."""


@pytest.mark.skipif(not (DATA / "scale" / "notes_100k.jsonl.gz").exists(), reason="the measuring data are not here")
@pytest.mark.parametrize("size", [1_000, 10_000, 99_000])
def test_sweep_of_a_thousand_notes(new_store: Callable[..., Store], tmp_path: Path, size: int) -> None:
    """Seconds, milliseconds a note, and peak memory, for stores of three sizes."""
    store = new_store(tmp_path / "large")
    with gzip.open(DATA / "scale" / "notes_100k.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    made = [
        {"id": f"m-{n:06d}", "kind": "lesson", "title": row["title"], "body": row["text"] or row["title"]}
        for n, row in enumerate(rows[:size])
    ]
    for start in range(0, size, 10_000):
        load_active(store, made[start : start + 10_000])
    _notes(store, rows[99_000 : 99_000 + NOTES])
    # In a process of its own: what filling the store needed is not the sweep's.
    with get_context("spawn").Pool(1) as pool:
        said = pool.apply(_swept, (store.place.root, store.now()))
    _cost[size] = said["cpu"]
    print(f"\n{size} entries: {said['cpu']:.1f} s of CPU, {said['wall']:.1f} s, peak {said['peak']:.0f} MB")
    print(
        f"  {1000 * said['cpu'] / NOTES:.1f} ms of CPU a note, {said['cpu'] / _cost[min(_cost)]:.2f} times {min(_cost)}"
    )
    print(f"  {said['counts']}; again: {said['again']:.1f} s of CPU, {said['new']} new proposals")


def _swept(root: Path, now: datetime) -> dict[str, Any]:
    """One sweep and another in this process: seconds, megabytes at the peak, and what was found."""
    store = open_store(Place(root, root), Settings(), lambda: now)
    assert store is not None
    started, worked = time.perf_counter(), time.process_time()
    report = sweep(store, lambda text: len(text) // 4, limit=0)
    wall, cpu = time.perf_counter() - started, time.process_time() - worked
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024  # what getrusage tells includes the parent's
    worked = time.process_time()
    again = sweep(store, lambda text: len(text) // 4, limit=0)
    more = {"again": time.process_time() - worked, "new": len(again.proposals), "counts": dict(report.counts)}
    return {"wall": wall, "cpu": cpu, "peak": peak, **more}


def _notes(store: Store, rows: list[dict[str, str]]) -> None:
    with store.write() as session:
        for n, row in enumerate(rows):
            session.add(
                Note(
                    project_id=store.project_id,
                    note_id=f"n-{n:06d}",
                    kind="lesson",
                    title=row["title"],
                    body=row["text"] or row["title"],
                    origin="agent",
                    fingerprint=f"f{n}",
                    created_at=store.now(),
                )
            )
