"""The snapshot from a real store: what can win is in it, whole, counted, and replaced atomically."""

import stat
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import col

from curator.brief.compose import compose
from curator.brief.gather import gather
from curator.brief.lines import entry, size
from curator.brief.snapshot_file import NAME, Snapshot, read
from curator.edge.tokens import tokens
from curator.place import Place, locate
from curator.snapshot import Seen, refocus, refresh
from curator.snapshot.compose import composed
from curator.snapshot.relevance import Work
from curator.store.engine import Store
from curator.store.lock import held
from curator.store.tables import Entry
from tests.conftest import Clock
from tests.helpers import load_active
from tests.hook.helpers import CASES, context, hook, start


def row(id_: str, body: str, kind: str = "lesson", **more: Any) -> dict[str, Any]:
    """An active entry as a cases file has it."""
    return {"id": id_, "kind": kind, "title": body[:60], "body": body, **more}


def picked(store: Store, source: str = "startup") -> list[str]:
    """Ids that the next session would be handed."""
    spot = locate(str(store.place.root), home=str(Path.home()))
    asked = gather(spot, source=source, client="claude", today=store.now().date().toordinal())
    return [one.item.id for one in compose(asked).pick.taken]


def test_the_snapshot_holds_active_injectable_entries_counted_as_they_are_injected(store: Store) -> None:
    """Deferred, superseded and tombstoned ones are not in it; tokens and bytes are those of the injected line."""
    load_active(
        store,
        [
            row("a", "keep the batch key"),
            row("b", "the design of the queue", "design", labels=["queue"]),
            row("c", "an old rule", status="superseded"),
            row("d", "a refused rule", status="tombstoned"),
        ],
    )
    assert refresh(store) == ""
    known = read(str(store.place.folder)).snapshot
    assert [item.id for item in known.items] == ["a"]
    assert known.items[0].size == size(entry(known.items[0]))
    assert known.items[0].tokens == tokens().count(entry(known.items[0]) + "\n")
    assert known.counts == {"lesson": 1}
    assert known.labels["kb"] == 1 and known.labels["queue"] == 1
    assert known.newest == (("b", "the design of the queue"),)


def test_a_file_of_the_store_is_private_and_never_half_written(store: Store, monkeypatch: Any) -> None:
    """Mode 0600, no temporary file beside it; a failed write leaves the old bytes and says why."""
    load_active(store, [row("a", "keep the batch key")])
    refresh(store)
    path = store.place.folder / NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    load_active(store, [row("b", "another fact")])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("curator.snapshot.file.Path.replace", full)
    assert "No space left on device" in refresh(store)
    assert path.read_bytes() == before
    assert not list(path.parent.glob(".snapshot*"))


def test_what_touches_the_work_comes_first_and_a_new_entry_enters_at_once(store: Store) -> None:
    """Relevance is learnt at a checkpoint; an entry accepted afterwards is scored by the same focus."""
    load_active(store, [row(f"n-{n:02}", f"fact number {n} about invoices") for n in range(30)])
    load_active(store, [row("hit", "the parser must skip the header row", refs=["src/parser.py"])])
    work = Work(("Make the parser robust", "skip the header"), "fix/parser", ("src/parser.py",))
    assert refocus(store, store.place, Seen("", work)) == ""
    assert picked(store)[0] == "hit"
    load_active(store, [row("late", "parser header rows come in two encodings")])
    refresh(store)
    assert set(picked(store)[:2]) == {"hit", "late"}


def test_stale_entries_are_held_back(store: Store) -> None:
    """An entry whose anchor is gone is not injected, and is not counted as left out for want of room."""
    load_active(store, [row("a", "good fact"), row("b", "bad fact")])
    with store.write() as session:
        session.connection().execute(update(Entry).where(col(Entry.entry_id) == "b").values(anchor_state="STALE"))
    refresh(store)
    assert picked(store) == ["a"]
    assert read(str(store.place.folder)).snapshot.counts == {"lesson": 1}


def test_only_what_can_win_is_kept_and_the_rest_is_counted(store: Store) -> None:
    """Of 1,200 entries at most those that could win are in the file; the text says how many were left out."""
    load_active(store, [row(f"n-{n:04}", f"fact number {n}", salience=n / 1200) for n in range(1200)])
    refresh(store)
    known = read(str(store.place.folder)).snapshot
    assert len(known.items) == 250 and known.counts == {"lesson": 1200}
    best = picked(store)
    assert best[0] == "n-1199"
    text = context(hook(store.place.root, "session-start", start()))
    assert f"{1200 - len(best)} memories were left out" in text


def test_what_is_kept_is_what_scores_best_of_all(store: Store) -> None:
    """Six hundred entries of every kind, choice and age: the kept are those that scoring each one puts first."""
    from datetime import timedelta
    from random import Random

    from curator.salience.item import Item
    from curator.salience.score import importance, score
    from curator.snapshot.items import KEPT

    chance = Random(7)
    rows, scored = [], []
    today = store.now().date().toordinal()
    for n in range(600):
        kind = chance.choice(["lesson", "pattern", "root-cause", "correction"])
        choice, age = chance.choice([None, round(chance.random(), 3)]), chance.randrange(900)
        at = (store.now() - timedelta(days=age)).isoformat()
        rows.append(row(f"n-{n:03}", f"fact {n}", kind, created_at=at, updated_at=at, salience=choice))
        value = importance(kind, human=False, choice=choice, sightings=0)[0]
        scored.append((-score(Item(f"n-{n:03}", kind, "", "", 0, 0, today - age, value), today).total, f"n-{n:03}"))
    load_active(store, rows)
    refresh(store)
    kept = {item.id: item for item in read(str(store.place.folder)).snapshot.items}
    assert all(item.verified <= today for item in kept.values())
    assert set(kept) == {id_ for _, id_ in sorted(scored)[:KEPT]}


def test_case_33_the_loop_of_starts_changes_no_input(store: Store, clock: Clock) -> None:
    """Twenty starts leave the snapshot's bytes and the store's rows as they were; so does showing an entry."""
    from sqlmodel import select

    load_active(store, CASES / "33" / "notes.jsonl")
    refresh(store)
    path = store.place.folder / NAME

    def inputs() -> list[dict[str, Any]]:
        with store.read() as session:
            return [one.model_dump() for one in session.exec(select(Entry).order_by(Entry.entry_id))]

    before, rows = path.read_bytes(), inputs()
    texts = {context(hook(store.place.root, "session-start", start(f"S{n}"))) for n in range(20)}
    assert len(texts) == 1
    assert refresh(store) == ""
    assert path.read_bytes() == before and inputs() == rows
    load_active(store, [row("new", "lesson: a fact of today")])
    refresh(store)
    assert "new" in picked(store)


def test_two_worktrees_have_each_their_own_relevance(tmp_path: Path, new_store: Callable[..., Store]) -> None:
    """The same store ranks differently for the work in the main and in a linked worktree."""
    main = tmp_path / "main"
    main.mkdir()
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(main)]
    subprocess.run([*run, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*run, "commit", "-q", "--allow-empty", "-m", "start"], check=True)
    subprocess.run([*run, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side"], check=True)
    store = new_store(main)
    load_active(store, [row("p", "parser skips headers"), row("q", "queue retries twice")])
    refocus(store, Place(main, main), Seen("", Work(("the parser",))))
    refocus(store, Place(main, tmp_path / "side", "side"), Seen("side", Work(("the queue",))))
    found = {}
    for top in (main, tmp_path / "side"):
        spot = locate(str(top), home=str(Path.home()))
        asked = gather(spot, source="startup", client="claude", today=store.now().date().toordinal())
        found[top.name] = compose(asked).pick.taken[0].item.id
    assert found == {"main": "p", "side": "q"}


def test_who_waited_for_a_newer_snapshot_does_not_write_it_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three that wait are served by one rewriting that began after they asked; a later one by its own."""
    made: list[int] = []

    def counted(*words: Any) -> Snapshot:
        made.append(1)
        return composed(*words)

    monkeypatch.setattr("curator.snapshot.compose.composed", counted)
    said: list[str] = []
    waiting = [threading.Thread(target=lambda: said.append(refresh(store))) for _ in range(3)]
    with held(store.place.folder / "snapshot.lock", 5):
        for each in waiting:
            each.start()
        time.sleep(0.3)
    for each in waiting:
        each.join()
    assert (said, len(made)) == (["", "", ""], 1)
    for _ in range(2):
        assert refresh(store) == ""
    assert len(made) == 3
