"""How long a sweep of many notes against a large store takes, and what it needs: printed, never a gate.

Uses the measuring data's 100,000 notes where they are (`CURATOR_DATA` or `../shared/data`), else is skipped.
"""

import gzip
import json
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.store.engine import Store
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
    del rows, made
    started, worked = time.perf_counter(), time.process_time()
    report = sweep(store, lambda text: len(text) // 4, limit=0)
    seconds, worked = time.perf_counter() - started, time.process_time() - worked
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = 1000 * seconds / NOTES
    print(f"\n{size} entries: {seconds:.1f} s ({worked:.1f} s of CPU), {each:.1f} ms a note, peak {peak:.0f} MB")
    _cost[size] = worked
    print(f"  {worked / _cost[min(_cost)]:.1f} times the processor time of {min(_cost)} entries; {dict(report.counts)}")
    started = time.perf_counter()
    again = sweep(store, lambda text: len(text) // 4, limit=0)
    print(f"  again: {time.perf_counter() - started:.1f} s, {len(again.proposals)} new proposals")


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
