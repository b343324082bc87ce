"""The lock between processes: everybody gets a turn, nobody waits for ever, the dead hold nothing."""

import multiprocessing
import os
import signal
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from curator.errors import Busy
from curator.store.lock import held

FORK = multiprocessing.get_context("fork")
TURNS = 60


def greedy(folder: Path, name: str, start: Barrier) -> None:
    """Take it again at once, 60 times; each turn leaves a letter."""
    book = folder / "turns"
    start.wait()
    for _ in range(TURNS):
        with held(folder / "lock", 60):
            time.sleep(0.002)
            with book.open("a") as file:
                file.write(name)


def test_who_asks_again_at_once_passes_nobody(tmp_path: Path) -> None:
    """Three processes that never let go for long: when the first has had 60 turns, each other has had at least 30."""
    (tmp_path / "turns").touch()
    start = FORK.Barrier(3)
    found = [FORK.Process(target=greedy, args=(tmp_path, name, start)) for name in "abc"]
    for each in found:
        each.start()
    for each in found:
        each.join()
    turns = (tmp_path / "turns").read_text()
    first = min(turns.rindex(name) for name in "abc")
    assert min(turns[: first + 1].count(name) for name in "abc") >= TURNS // 2, turns


def test_it_is_given_up_after_its_time_and_free_again_afterwards(tmp_path: Path) -> None:
    """Who finds it taken says so after its time, names the folder, and leaves nothing taken behind."""
    with held(tmp_path / "lock", 1), pytest.raises(Busy, match="in use") as caught, held(tmp_path / "lock", 0.05):
        pass
    assert str(tmp_path) in str(caught.value)
    for _ in range(3):
        with held(tmp_path / "lock", 5):
            pass


def sleeper(folder: Path) -> None:
    """Hold it and say so."""
    with held(folder / "lock", 5):
        (folder / "holding").touch()
        time.sleep(60)


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    """After kill -9 the next one has it, without anybody's help."""
    each = FORK.Process(target=sleeper, args=(tmp_path,))
    each.start()
    while not (tmp_path / "holding").exists():
        time.sleep(0.01)
    assert each.pid is not None
    os.kill(each.pid, signal.SIGKILL)
    with held(tmp_path / "lock", 5):
        each.join()
