"""Random walks: whatever a person and their agents do in whatever order, the queue keeps its promises."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from curator.errors import CuratorError
from curator.harvest.noting import Heard, note
from curator.ledger.values import Shown
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Proposal, Refusal, Revision
from curator.sweep.run import sweep
from curator.vocab import Kind, Origin
from tests.conftest import Clock
from tests.sweep.helpers import COUNT, desk

SUBJECTS = (
    "upload limit of the gateway",
    "port of the staging mirror",
    "owner count of the ledger",
    "导出任务的重试次数",
)
FORMS = (
    "The {} is {}.",
    "**the {} is {}**",
    "The {} is {}!!",
    "The {} is {}, only for admins.",
    "It is {1} for the {0}.",
)
OTHERS = (
    "Never squash on the release branch.",
    "On the release branch, never squash.",
    "Run `make types` before a release.",
    "不要改动旧的迁移文件",
)


def _text(dice: random.Random) -> str:
    if dice.random() < 0.25:
        return dice.choice(OTHERS)
    return dice.choice(FORMS).format(dice.choice(SUBJECTS), dice.choice((10, 20, 30)))


class Walk:
    """One walk over one store: each step does something, then everything that must hold is looked at."""

    def __init__(self, store: Store, clock: Clock, seed: int) -> None:
        self.store, self.clock, self.dice = store, clock, random.Random(seed)
        self.told: set[str] = set()
        self.refused: set[str] = set()

    def step(self) -> None:
        """One of the things that happen to a store."""
        self.clock.at += timedelta(minutes=7)
        acts = (
            self.tell,
            self.tell,
            self.tell,
            self.sweep,
            self.sweep,
            self.accept,
            self.reject,
            self.undo,
            self.snooze,
        )
        self.dice.choice(acts)()
        self.hold()

    def tell(self) -> None:
        """Somebody says something, now or a while ago."""
        text, number = _text(self.dice), self.dice.randrange(9)
        at = self.clock.at - timedelta(days=self.dice.choice((0, 0, 3)))
        kind = self.dice.choice((None, Kind.LESSON, Kind.CORRECTION))
        origin = self.dice.choice((Origin.HUMAN, Origin.AGENT))
        heard = Heard(text, origin, f"s{number}", kind, kind is not None, source={"session": f"s{number}"}, said_at=at)
        with self.store.write() as session:
            made = note(session, self.store.project_id, heard, 65_536, self.store.now())
            if made.note_id:
                self.told.add(made.note_id)

    def sweep(self) -> None:
        """A sweep, and a second one that has nothing to say."""
        limit = self.dice.choice((0, 3, None))
        sweep(self.store, COUNT.count, limit=limit)
        again = sweep(self.store, COUNT.count, limit=limit)
        assert again.proposals == (), [(p["op"], p["title"]) for p in again.proposals]

    def accept(self) -> None:
        """Some of what waits is accepted."""
        desk(self.store).accept(self._some())

    def reject(self) -> None:
        """Some of what waits is refused: its fingerprint must not come back."""
        shown = self._some()
        with self.store.read() as session:
            keys = [session.get_one(Proposal, (self.store.project_id, s.proposal_id)).fingerprint for s in shown]
        desk(self.store).reject(shown, "wrong")
        self.refused |= set(keys)

    def snooze(self) -> None:
        """Put off until the next sweep."""
        desk(self.store).snooze(self._some())

    def undo(self) -> None:
        """The last decision is taken back; a refusal with it."""
        try:
            desk(self.store).undo()
        except CuratorError:
            return
        with self.store.read() as session:
            self.refused &= {row.fingerprint for row in session.exec(select(Refusal))}

    def _some(self) -> list[Shown]:
        rows = desk(self.store).queue().rows
        return [Shown(row.proposal_id, row.rev) for row in rows if self.dice.random() < 0.5]

    def hold(self) -> None:
        """At most one waiting proposal an entry, nothing refused waits, every text is somewhere."""
        with self.store.read() as session:
            waiting = session.exec(select(Proposal).where(Proposal.state.in_(["open", "snoozed"]))).all()  # type: ignore[attr-defined]
            about = Counter(str(target["entry_id"]) for p in waiting for target in p.targets)
            assert not [entry_id for entry_id, n in about.items() if n > 1]
            keys = Counter(p.fingerprint for p in waiting)
            assert not self.refused & set(keys) and max(keys.values(), default=1) == 1
            assert {row.note_id for row in session.exec(select(Note))} == self.told
            active = session.exec(select(Entry).where(Entry.state == "active")).all()
            assert len({entry.fingerprint for entry in active}) == len(active)
            texts = {row.body for row in session.exec(select(Note))}
            assert {row.body for row in session.exec(select(Entry))} <= texts
            assert {str(row.value["body"]) for row in session.exec(select(Revision))} <= texts


@pytest.mark.parametrize("seed", range(3))
def test_a_short_walk_keeps_every_promise(store: Store, clock: Clock, seed: int) -> None:
    """25 random steps; after each of them all that must hold is looked at."""
    walk = Walk(store, clock, seed)
    for _ in range(25):
        walk.step()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_a_long_walk_keeps_every_promise(
    new_store: Callable[..., Store], tmp_path: Path, clock: Clock, seed: int
) -> None:
    """120 random steps on a store of files."""
    walk = Walk(new_store(tmp_path / "walk"), clock, seed)
    for _ in range(120):
        walk.step()
