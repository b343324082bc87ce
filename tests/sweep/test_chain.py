"""One rule said three times, in any order of arrival: one active entry with the newest text, and nothing comes back."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

from curator.harvest.noting import Heard, note
from curator.ledger.values import Shown
from curator.store.engine import Store
from curator.vocab import Kind, Origin
from tests.conftest import Clock
from tests.sweep.helpers import desk, entries, notes, swept

CHAINS = {
    "replaced": [f"The upload limit of the gateway is {n} MB." for n in (10, 20, 30)],
    "replaced in Chinese": [f"上传限制是 {n} MB。" for n in (10, 20, 30)],
    "narrowed": [
        "Smoke tests need Docker.",
        "Smoke tests need Docker and `make it`.",
        "Smoke tests need Docker and `make it`, on Linux only.",
    ],
    "replaced, then narrowed": [
        "The upload limit is 10 MB.",
        "The upload limit is 20 MB.",
        "The upload limit is 20 MB, only for admins.",
    ],
}
FIRST = datetime(2031, 3, 1, 9, tzinfo=UTC)


def _told(store: Store, clock: Clock, texts: Sequence[str], order: Sequence[int], at_once: int, kind: Kind) -> None:
    """Each text is noted with the day it was said, in this order of arrival; every batch is swept and accepted."""
    clock.at = FIRST + timedelta(days=9)
    for start in range(0, len(order), at_once):
        for n in order[start : start + at_once]:
            source = {"session": f"s{n}"}
            heard = Heard(texts[n], Origin.HUMAN, f"s{n}", kind, True, source=source, said_at=FIRST + timedelta(days=n))
            with store.write() as session:
                note(session, store.project_id, heard, 65_536, store.now())
        for _ in range(3):
            swept(store)
            rows = desk(store).queue().rows
            desk(store).accept([Shown(row.proposal_id, row.rev) for row in rows])
        clock.at += timedelta(hours=1)


def _held(store: Store, texts: Sequence[str]) -> None:
    """One active entry with the newest text; every other text is still there, as entry, history or note; all rests."""
    assert [entry.body for entry in entries(store)] == [texts[-1]]
    assert {entry.body for entry in entries(store, "superseded")} <= set(texts[:-1])
    assert set(notes(store)) == set(texts) and set(notes(store).values()) <= {"accepted", "seen"}
    assert swept(store).proposals == ()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)], ids=str)
def test_the_newest_saying_stands_whatever_came_in_first(store: Store, clock: Clock, order: Sequence[int]) -> None:
    """What was said earlier but is heard later replaces nothing, and is told why in the notes."""
    texts = CHAINS["replaced"]
    _told(store, clock, texts, order, 1, Kind.LESSON)
    _held(store, texts)


def test_rivals_of_one_sweep_give_way_to_the_newest(store: Store, clock: Clock) -> None:
    """Three that only seem to replace each other are added side by side; the next sweep lets the newest stand."""
    texts = CHAINS["replaced"]
    _told(store, clock, texts, (1, 2, 0), 3, Kind.LESSON)
    _held(store, texts)
    (newest,) = entries(store)
    old = entries(store, "superseded")
    assert {entry.body for entry in old} == set(texts[:2]) and {e.superseded_by for e in old} == {newest.entry_id}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_every_order_and_batch_ends_the_same(
    new_store: Callable[..., Store], tmp_path: Path, clock: Clock, name: str
) -> None:
    """All six orders, one by one, in two batches and at once, as lessons and as corrections."""
    for n, order in enumerate(permutations(range(3))):
        for at_once in (1, 2, 3):
            kind = (Kind.LESSON, Kind.CORRECTION)[(n + at_once) % 2]
            store = new_store(tmp_path / f"{n}-{at_once}")
            _told(store, clock, CHAINS[name], order, at_once, kind)
            _held(store, CHAINS[name])
            store.engine.dispose()
