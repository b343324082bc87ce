"""Searching 100,000 entries costs little more than the raw index on the same text."""

import gzip
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from curator.recall.search import search
from curator.recall.values import Query
from curator.store import index
from curator.store.engine import Store
from curator.store.search import Filters
from curator.store.words import query_words
from tests.helpers import load_active

DATA = Path(os.environ.get("CURATOR_DATA", Path(__file__).parents[3] / "shared" / "data"))
SIZE = int(os.environ.get("CURATOR_BENCH_ENTRIES", "100000"))
QUERIES = (
    "retry upload", "database locked", "config file", "migration", "release branch", "flaky test timeout",
    "memory leak worker", "windows path", "unicode", "fix typo docs",
)  # fmt: skip


def notes() -> Iterator[tuple[int, dict[str, Any]]]:
    """Real notes for measuring; skipped where the data folder is absent."""
    path = DATA / "scale" / "notes_100k.jsonl.gz"
    if not path.exists():
        pytest.skip(f"no data at {path}")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line, number in zip(file, range(SIZE), strict=False):
            yield number, json.loads(line)


@pytest.fixture
def full(new_store: Callable[[Path], Store], tmp_path: Path) -> Store:
    """A store with the notes as active entries."""
    store = new_store(tmp_path / "big")
    rows = (
        {"kind": "lesson", "id": f"m-{n:06}", "title": row["title"], "body": row["text"] or row["title"]}
        for n, row in notes()
    )
    load_active(store, rows)
    return store


def cpu_ms(acts: dict[str, Callable[[str], object]], rounds: int = 15) -> dict[str, float]:
    """Median over the queries of the least CPU milliseconds of each: what other processes do to the clock is left out.

    The acts take turns, so that all meet the same machine.
    """
    least: dict[tuple[str, str], float] = {}
    for _ in range(rounds):
        for query in QUERIES:
            for name, act in acts.items():
                start = time.process_time()
                act(query)
                took = (time.process_time() - start) * 1000
                least[name, query] = min(took, least.get((name, query), took))
    return {name: statistics.median(least[name, query] for query in QUERIES) for name in acts}


def test_search_against_the_raw_index(full: Store) -> None:
    """Prints p50 of raw FTS5, of search by words, and of the body filter."""

    def raw(query: str) -> object:
        with full.read() as session:
            parts = [part for word in query.split() for part in query_words(word)]
            where, score, order, values = index.condition(session, parts, every=True)
            sql = f"SELECT w.entry_id, {score} AS score FROM entry_words w WHERE {where} ORDER BY {order} LIMIT 20"
            return session.connection().execute(text(sql), values).all()

    found = cpu_ms({
        "raw": raw,
        "words": lambda query: search(full, Query(query)),
        "contains": lambda query: search(full, Query(None, Filters(contains=query))),
    })  # fmt: skip
    floor, words = found["raw"], found["words"]
    told = f"search {words:.1f} ms ({words / floor:.2f}x); contains {found['contains']:.1f} ms"
    print(f"\nraw FTS5 {floor:.1f} ms; {told}")
