"""What a note costs is counted, not timed: rows of the index, entries read, texts measured."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.store import index
from curator.store.engine import Store
from curator.sweep import nominate
from curator.sweep.nominate import Nominator
from tests.helpers import load_active

NOTES = 20


def test_a_note_costs_the_same_in_a_store_twenty_times_larger(
    new_store: Callable[..., Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of the index, rows whose words are read, entries read and texts measured stay under one bound a note."""
    monkeypatch.setattr(nominate, "COMMON", 20)
    small = _counted(new_store(tmp_path / "small"), 60, monkeypatch)
    large = _counted(new_store(tmp_path / "large"), 1_200, monkeypatch)
    assert set(small) == set(large) == {"found", "held", "words", "loaded", "measured"}
    assert small["found"] >= NOTES and large["found"] >= NOTES
    assert all(large[name] <= 1.5 * small[name] for name in small), (small, large)


def test_entries_retired_or_superseded_take_no_place_among_the_candidates(
    new_store: Callable[..., Store], tmp_path: Path
) -> None:
    """Forty retired versions of one rule do not crowd out the one that holds, whatever the index finds first."""
    store = new_store(tmp_path / "store")
    rule = "The gateway retries an upload three times before the janitor archives it"
    states = ["tombstoned", "superseded"] * 20
    rows = [{"id": f"old-{n}", "kind": "lesson", "body": rule, "status": state} for n, state in enumerate(states)]
    load_active(store, [*rows, {"id": "now", "kind": "lesson", "body": f"{rule} and the clerk is told"}])
    with store.read() as session:
        near = Nominator(session, store.project_id).near(rule)
    assert [known.entry_id for known, _ in near] == ["now"]


def _counted(store: Store, size: int, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What nominating for some notes comes to in a store of that size."""
    load_active(store, [{"id": f"e-{n}", "kind": "lesson", "body": _text(n)} for n in range(size)])
    counts: Counter[str] = Counter()
    with monkeypatch.context() as patch, store.read() as session:
        nominator = Nominator(session, store.project_id)
        _count(patch, index, "holding", counts, "held", lambda found: sum(map(len, found)))
        _count(patch, index, "words_of", counts, "words", len)
        _count(patch, nominate, "_known", counts, "loaded", lambda _: 1)
        _count(patch, nominate, "likeness", counts, "measured", lambda _: 1)
        for n in range(NOTES):
            counts["found"] += len(nominator.near(f"{_text(n)} once more")) > 0
    return counts


def _count(
    patch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    counts: Counter[str],
    label: str,
    size: Callable[[Any], int],
) -> None:
    real = getattr(module, name)

    def counting(*given: Any, **more: Any) -> Any:
        result = real(*given, **more)
        counts[label] += size(result)
        return result

    patch.setattr(module, name, counting)


def _text(n: int) -> str:
    """Words that every entry holds, one that a fifth holds, one that two hold, and one of its own."""
    subject = ("gateway", "ledger", "printer", "archive", "sensor")[n % 5]
    return f"The {subject} of the plant keeps the queue short; valve{n} and pump{n // 2} need oil weekly"
