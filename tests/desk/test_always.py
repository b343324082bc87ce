"""What holds for every sequence of decisions, and for deciders that race."""

import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from curator.config import Settings
from curator.desk.desk import Desk
from curator.desk.views import Shown
from curator.errors import Conflict, CuratorError
from curator.store.engine import Store
from curator.store.tables import Entry
from curator.vocab import Op
from tests.desk.helpers import WORDS, desk_on, documents, enter, lesson, propose, states

STEPS = (
    "add",
    "update",
    "replace",
    "merge",
    "tombstone",
    "split",
    "pin",
    "edit",
    "restore",
    "reject",
    "snooze",
    "bulk",
)


def active(store: Store) -> list[Any]:
    """The active entries' drafts with their revisions, in a fixed order."""
    with store.read() as session:
        from curator.store import entries

        rows = session.exec(select(Entry).order_by(col(Entry.entry_id))).all()
        return [(entries.draft_of(row, ()), row.rev, row.state) for row in rows]


def step(store: Store, desk: Desk, name: str, number: int) -> None:
    """Make one decision of a kind, on whatever the store holds."""
    known = active(store)
    live = [draft for draft, _, state in known if state == "active"]
    revs = {draft.entry_id: rev for draft, rev, _ in known}
    one = live[number % len(live)] if live else None
    new = lesson(f"Text number {number} of many.")
    if name in {"add", "reject", "snooze"} or one is None:
        shown = propose(store, Op.ADD, after=[new])
        {"reject": lambda: desk.reject([shown], "wrong"), "snooze": lambda: desk.snooze([shown])}.get(
            name, lambda: desk.accept([shown])
        )()
    elif name == "update":
        desk.accept([propose(store, Op.UPDATE, [one], [one.with_(body=f"Changed {number}.")])])
    elif name == "replace":
        desk.accept([propose(store, Op.UPDATE, [one], [new], relation="replaces")])
    elif name == "merge" and len(live) > 1:
        desk.accept([propose(store, Op.MERGE, live[:2], [live[0].with_(body=f"Both {number}.")])])
    elif name == "tombstone":
        desk.accept([propose(store, Op.TOMBSTONE, [one])])
    elif name == "split":
        desk.accept([propose(store, Op.SPLIT, [one], [new, lesson(f"Other half {number}.")])])
    elif name == "pin":
        desk.pin(one.entry_id, revs[one.entry_id])
    elif name == "edit":
        desk.edit(one.entry_id, revs[one.entry_id], one.with_(body=f"By hand {number}."))
    elif name == "restore":
        for draft, rev, state in known:
            if state != "active":
                desk.restore(draft.entry_id, rev)
                break
    else:
        desk.accept(
            [
                propose(store, Op.TOMBSTONE, [one]),
                propose(store, Op.ADD, after=[new]),
                Shown("P-9999", 1),
            ]
        )


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(STEPS), min_size=3, max_size=9), st.randoms(use_true_random=False))
def test_any_decisions_are_taken_back_exactly_step_by_step(
    new_store: Callable[..., Store], tmp_path_factory: Any, names: list[str], random: Any
) -> None:
    """Undo walks back through every state of documents and proposals; redoing every undo walks forward again."""
    store = new_store(tmp_path_factory.mktemp("any") / "shop")
    enter(store, "The limit is 10.", "Use pnpm.", "Use UTC.")
    desk = desk_on(store)
    seen = [(documents(store), states(store))]
    for number, name in enumerate(names):
        before = len(desk.log(0))
        step(store, desk, name, number)
        if len(desk.log(0)) > before:
            seen.append((documents(store), states(store)))
    first = len(seen)
    for at in range(first - 1, 0, -1):
        assert desk.undo().complete
        assert documents(store) == seen[at - 1][0]
        undone = dict.fromkeys(set(seen[at][1]) - set(seen[at - 1][1]), "open")
        assert states(store).items() >= {**seen[at - 1][1], **undone}.items()
    for at in range(1, first):
        newest = next(
            line.seq
            for line in desk.log(0)
            if line.undoes is not None and line.undone_by is None and line.undoes == _seq(desk, at - 1)
        )
        desk.undo(newest)
        assert documents(store) == seen[at][0]


def _seq(desk: Desk, at: int) -> int:
    """The number of the decision at a position, undos aside."""
    return [line.seq for line in reversed(desk.log(0)) if line.undoes is None][at]


def decide(root: str, settings: Settings, mine: str, barrier: Any, results: Any) -> None:
    """One of two processes that decide on the same proposal, and on the same entry, at once."""
    from curator.edge.clock import now
    from curator.place import Place
    from curator.store.opening import open_store

    store = open_store(Place(Path(root), Path(root)), settings, now)
    assert store is not None
    desk = Desk(store, WORDS, mine)
    shown = [Shown(row.proposal_id, row.rev) for row in desk.queue().rows]
    entry_id = next(draft.entry_id for draft, _, _ in active(store))
    entry = desk.entry(entry_id)
    barrier.wait()
    items = [item for each in shown for item in desk.accept([each]).items]
    try:
        desk.edit(entry_id, entry.rev, entry.draft.with_(body=f"By {mine}."))
        edited = True
    except (Conflict, CuratorError):
        edited = False
    results.put((mine, [item.done for item in items], edited))


def test_two_racing_deciders_never_both_win(store: Store) -> None:
    """Each proposal is applied once, by one of them; an entry edited from the same revision has one winner."""
    enter(store, "The limit is 10.")
    for number in range(12):
        propose(store, Op.ADD, after=[lesson(f"Text {number}.")])
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(2), context.Queue()
    deciders = [
        context.Process(target=decide, args=(str(store.place.root), store.settings, name, barrier, results))
        for name in ("ana", "bea")
    ]
    for process in deciders:
        process.start()
    (_, one, edit_one), (_, two, edit_two) = results.get(timeout=60), results.get(timeout=60)
    for process in deciders:
        process.join()
    assert [a != b for a, b in zip(one, two, strict=True)] == [True] * 12
    assert edit_one != edit_two
    assert len(documents(store)) == 13
    log = desk_on(store).log(0)
    assert len(log) == 13 and len({line.seq for line in log}) == 13
