"""Timings of the desk: the queue, one proposal, one decision, a bulk and its undo. Printed, never asserted."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from curator.desk.views import Shown
from curator.door.normal import fingerprint
from curator.store.engine import Store
from curator.store.proposals import add_many
from curator.vocab import Op
from curator.worddiff import diff
from tests.desk.helpers import desk_on, enter, lesson, propose


def timed(name: str, call: Callable[[], Any], times: int = 1) -> Any:
    """Print the best of some runs in milliseconds."""
    best, value = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        value = call()
        best = min(best, time.perf_counter() - start)
    print(f"{name:<44} {best * 1000:10.1f} ms")
    return value


def fill(store: Store, count: int) -> None:
    """Additions that wait."""
    rows = []
    for number in range(count):
        made = lesson(f"Text {number}: the importer of module {number % 97} needs a lock before it writes.")
        rows.append(
            {
                "op": "add",
                "title": made.title,
                "kind": "lesson",
                "route": "injected",
                "origin": "human",
                "after": [made.document()],
                "fingerprint": fingerprint(made.body),
                "confidence": 0.9,
                "harm": 0.3,
                "created_at": store.now(),
            }
        )
    with store.write() as session:
        add_many(session, store.project_id, rows)


@pytest.mark.parametrize("count", [1_000, 10_000])
def test_queue_dossier_decision_and_bulk(store: Store, count: int) -> None:
    """With proposals by the thousand."""
    fill(store, count)
    (old,) = enter(store, "The staging config file is in the repo root.")
    propose(store, Op.UPDATE, [old], [old.with_(body="The staging config file is config/staging.yaml.")])
    desk = desk_on(store)
    print(f"\n{count:,} proposals")
    rows = timed("queue", desk.queue, 3).rows
    timed("one proposal", lambda: desk.dossier(rows[0].proposal_id), 3)
    timed("accept one", lambda: desk.accept([Shown(rows[0].proposal_id, rows[0].rev)]))
    timed("undo it", desk.undo)
    rows = desk.queue().rows
    timed(f"accept all {len(rows):,}", lambda: desk.accept([Shown(row.proposal_id, row.rev) for row in rows]))
    timed("undo all of it", desk.undo)


def test_word_diff() -> None:
    """At the sizes where the way of comparing changes."""
    for words in (100, 390, 1_000, 5_000):
        old = "\n".join(" ".join(f"word{n % 211}" for n in range(at, at + 10)) for at in range(0, words, 10))
        new = old.replace("word7 ", "other ").replace("word42 ", "")
        timed(f"diff of {words:,} words", partial(diff, old, new), 3)
