"""Entries whose anchors moved or went stale: noted, proposed for change, and quiet when nothing changed."""

from pathlib import Path

from curator.cycle.sweeping import run
from curator.store.engine import Store
from tests.conftest import Clock
from tests.helpers import load_active
from tests.sweep.helpers import accept_all, entries, proposals


def _rows() -> list[dict[str, object]]:
    return [
        {
            "id": "m-001",
            "kind": "lesson",
            "body": "Read docs/limits.md before raising one.",
            "refs": ["docs/limits.md"],
        },
        {"id": "m-002", "kind": "lesson", "body": "The loader skips blank lines.", "refs": ["src/loader.py:2"]},
    ]


def test_a_stale_anchor_is_noted_and_proposed_for_change(store: Store, clock: Clock) -> None:
    """FRESH first; the file deleted, the entry is STALE (no new revision) and a tombstone is proposed; then quiet."""
    top: Path = store.place.top
    for name in ("docs/limits.md", "src/loader.py"):
        (top / name).parent.mkdir(parents=True)
        (top / name).write_text("one\ntwo\nthree\n")
    load_active(store, _rows())
    assert run(store).proposals == ()
    assert {entry.anchor_state for entry in entries(store)} == {"FRESH"}
    (top / "docs/limits.md").unlink()
    (made,) = run(store).proposals
    assert made["op"] == "tombstone" and "docs/limits.md no longer exists" in made["reason"]
    stale = entries(store)[0]
    assert (stale.anchor_state, stale.rev) == ("STALE", 1)
    assert run(store).proposals == () and len(proposals(store)) == 1
    accept_all(store)
    assert [entry.entry_id for entry in entries(store)] == ["m-002"]
    assert run(store).proposals == ()


def test_a_look_that_sees_nothing_new_writes_nothing(store: Store) -> None:
    """Two sweeps at the same time leave the same times of checking."""
    load_active(store, _rows())
    run(store)
    before = [(entry.entry_id, entry.anchors) for entry in entries(store)]
    run(store)
    assert [(entry.entry_id, entry.anchors) for entry in entries(store)] == before
