"""Building and judging a checkpoint of a 200,000-token session: at most one second, in memory linear in it."""

import time
import tracemalloc
from dataclasses import replace

from curator.checkpoint import Outcome, Row, Sources, Window, bloated, built, finished, judged, opened
from curator.edge.tokens import tokens
from tests.checkpoint.talk import answer, conversation, mind, now

COUNT = tokens().count
WINDOW = Window(200_000)


def session(wanted: int) -> tuple[Row, ...]:
    """Turns of a question, an answer with a tool call, a result and a closing answer; nothing is counted yet."""
    reply = (
        "The importer reads one row at a time and keeps its batch key; the test for it is in tests/test_rows.py. " * 8
    )
    turns, total, number = [], 0, 0
    while total < wanted:
        number += 1
        turns += [
            f"u:please look at part {number} and never change its interface",
            f"a:{reply}",
            "t:Read",
            f"a:{reply}",
        ]
        total += 2 * 190 + 20 + 1_000
    rows = conversation(*turns)
    return tuple(replace(row, size=4_000 if row.name else 0) for row in rows)


def once(rows: tuple[Row, ...]) -> float:
    """Seconds to open, judge, finish and weigh one checkpoint, and to build one without a model."""
    started = time.perf_counter()
    turn = opened(rows, None, WINDOW)
    given = answer(turn, [1, 5], now(filler=400), mind(mission="- ship it [#1]"))
    done = judged(turn, given, COUNT)
    assert done.outcome is Outcome.COMMITTED and done.value, done.problems
    value = finished(done.value, WINDOW, COUNT, Sources("s"))
    assert not bloated(value, None, rows, COUNT)
    free = built(rows, None, WINDOW, COUNT)
    assert free and finished(free, WINDOW, COUNT, Sources("s")).text
    return time.perf_counter() - started


def test_a_checkpoint_of_a_full_window_takes_at_most_a_second() -> None:
    """Both ways together, the best of three."""
    rows = session(200_000)
    spent = min(once(rows) for _ in range(3))
    print(f"\ncheckpoint of {len(rows)} rows, 200,000 tokens: {spent * 1000:.0f} ms")
    assert spent <= 1.0


def test_memory_is_linear() -> None:
    """Twice the session takes at most 2.5 times the memory."""
    peaks = []
    for wanted in (200_000, 400_000):
        rows = session(wanted)
        tracemalloc.start()
        once(rows)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    print(f"\npeak memory: {peaks[0] / 1e6:.1f} and {peaks[1] / 1e6:.1f} MB")
    assert peaks[1] <= 2.5 * peaks[0]
