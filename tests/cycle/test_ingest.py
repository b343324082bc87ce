"""From the spool to the store: in order, once, one at a time, and nothing lost when it dies half-way."""

import json
import multiprocessing
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator import spool
from curator.cycle.ingest import Stages, ingest
from curator.errors import CuratorError
from curator.harvest.book import notes, rows
from curator.ports import Tokens
from curator.store.engine import Store
from curator.store.lock import held
from curator.store.tables import Fact, Receipt

CASES = Path(__file__).parent.parent / "cases"
TOKENS = Tokens(lambda text: len(text) // 4, "test")
S = "5e550000-0000-4000-8000-000000000001"


class Steps:
    """Stages that note when they were called."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.stages = Stages(self.checkpoint, self.sweep, self.snapshot)

    def checkpoint(self, store: Store, session: str) -> str:
        self.called.append(f"checkpoint {session}".strip())
        return "c-1"

    def sweep(self, store: Store) -> int:
        self.called.append("sweep")
        return 2

    def snapshot(self, store: Store) -> str:
        self.called.append("snapshot")
        return ""


def left(store: Store, event: str, **more: Any) -> None:
    """Leave an event as a hook does."""
    base = {"event": event, "client": "claude", "session": S, "at": 1_930_000_000.0}
    spool.append(str(store.place.folder), base | more)


def test_what_hooks_left_is_taken_in_in_order(store: Store) -> None:
    """Transcript, receipt, sub-agents are taken in; then checkpoint, snapshot, sweep, snapshot; the spool is empty."""
    left(store, "stop", transcript=str(CASES / f"22/proj/{S}.jsonl"))
    left(store, "pre-compact", transcript=str(CASES / f"22/proj/{S}.jsonl"))
    receipt = {"digest": "d", "tokens": 7, "bytes": 90, "entries": [["m-1", 2, 0.5, 1, 1, 0.6, 0.4, 0.2]]}
    left(store, "session-start", source="startup", receipt=receipt | {"left": [["m-2", "budget", 0.1]]})
    left(store, "prompt", delivered=True, digest="d")
    steps = Steps()
    done = ingest(store, TOKENS, steps.stages)
    assert steps.called == [f"checkpoint {S}", "snapshot", "sweep", "snapshot"]
    assert (done.events, done.checkpoints, done.proposals, done.trouble) == (4, ["c-1"], 2, [])
    assert {row.session for row in rows(store)} == {S, f"{S}/a1f"}
    assert not spool.waiting(str(store.place.folder))
    with store.read() as session:
        kept = session.exec(select(Receipt)).one()
        assert session.get(Fact, (store.project_id, "ingested")) is not None
    assert (kept.tokens, kept.delivered, kept.source) == (7, True, "startup")
    assert kept.entries[0] == {
        "entry_id": "m-1",
        "rev": 2,
        "total": 0.5,
        "scope": 1,
        "state": 1,
        "importance": 0.6,
        "relevance": 0.4,
        "freshness": 0.2,
    }


def test_doing_it_again_changes_nothing(store: Store) -> None:
    """The same event ten times: the same rows and notes."""
    for _ in range(10):
        left(store, "stop", transcript=str(CASES / "18/t.jsonl"))
        ingest(store, TOKENS, Steps().stages)
    assert len(list(rows(store))) == 4 and len(notes(store)) == 4


def test_what_fails_is_said_and_does_not_stop_the_rest(store: Store) -> None:
    """A missing transcript, a torn line, an odd receipt and a failing stage are each one line of trouble."""
    left(store, "stop", transcript="/nowhere/t.jsonl")
    left(store, "stop", transcript=str(CASES / "12/t.jsonl"))
    left(store, "session-start", receipt=5)
    with (store.place.folder / "spool" / "events.jsonl").open("a") as file:
        file.write("{torn\n")
    steps = Steps()

    def broken(store: Store) -> int:
        raise CuratorError("the sweep broke")

    done = ingest(store, TOKENS, Stages(steps.checkpoint, broken, steps.snapshot))
    assert len(notes(store)) == 3
    assert len(done.trouble) == 4 and "the sweep broke" in done.trouble[-1]
    assert not spool.waiting(str(store.place.folder))


def test_a_checkpoint_is_made_when_asked_for(store: Store) -> None:
    """`--checkpoint` makes one of the newest session even with an empty spool."""
    steps = Steps()
    ingest(store, TOKENS, steps.stages, checkpoint=True)
    assert steps.called[0] == "checkpoint"


def test_one_at_a_time(store: Store) -> None:
    """While another ingest runs, this one leaves everything where it is and says so."""
    left(store, "stop", transcript=str(CASES / "12/t.jsonl"))
    steps = Steps()
    with held(store.place.folder / "ingest.lock", 1):
        assert ingest(store, TOKENS, steps.stages).busy
    assert steps.called == [] and spool.waiting(str(store.place.folder))


@pytest.mark.slow
def test_a_kill_loses_no_event(store: Store, tmp_path: Path) -> None:
    """Killed while it works, the next ingest takes in what the spool still holds, and nothing twice."""
    big = tmp_path / "t.jsonl"
    row = {"type": "assistant", "sessionId": "k"}
    big.write_text(
        "".join(
            json.dumps(row | {"uuid": f"u{n}", "message": {"content": f"lesson: fact {n}"}}) + "\n" for n in range(900)
        )
    )
    left(store, "stop", transcript=str(big))
    process = multiprocessing.get_context("fork").Process(target=ingest, args=(store, TOKENS, Steps().stages))
    process.start()
    time.sleep(0.2)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    ingest(store, TOKENS, Steps().stages)
    assert len(list(rows(store))) == 900 and len(notes(store)) == 900


def test_a_fresh_store_has_nothing_to_do(store: Store) -> None:
    """Without a spool: no event, no trouble; only the sweep looks."""
    shutil.rmtree(store.place.folder / "spool", ignore_errors=True)
    done = ingest(store, TOKENS, Steps().stages)
    assert (done.events, done.trouble) == (0, [])
