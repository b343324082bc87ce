"""One writer of the storm: a process that makes mixed writes and notes down each one that was acknowledged.

Every 20 writes open the store anew, as commands do. A line is appended to the log only after the product said that
the write is done; the verifier asks the store for each.
"""

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curator.config import Settings
from curator.cycle.checkpoints import without_model
from curator.desk.desk import Desk
from curator.desk.views import Shown
from curator.edge.clock import now
from curator.edge.tokens import tokens
from curator.errors import Conflict
from curator.harvest.files import harvest_file
from curator.harvest.noting import Outcome
from curator.harvest.remembering import Handed, remember
from curator.interchange.entries import import_entries
from curator.place import Place
from curator.snapshot import refresh
from curator.store.engine import Store
from curator.store.opening import open_store
from curator.vocab import Origin
from tests.storm.texts import sentence

SHARED = [f"shared-{number}" for number in range(8)]
"""Entries that every writer counts up: each body says `count N`."""

MIX = {"remember": 30, "note": 20, "accept": 15, "reject": 8, "edit": 12, "pin": 6, "undo": 6, "checkpoint": 3}
"""Shares of the writes, in per cent."""

_OPEN_FOR = 20
COUNTER = tokens()


def opened(root: Path) -> Store:
    """The store as a new process finds it."""
    store = open_store(Place(root, root), Settings(), now)
    if store is None:
        raise LookupError(f"no store in {root}")
    return store


class Writer:
    """What one process knows of its own doings."""

    def __init__(self, root: Path, name: str, seed: int) -> None:
        self.root, self.name, self.random = root, name, random.Random(seed)
        self.number = 0
        self.waiting: list[str] = []
        self.undoable: list[tuple[str, int, list[str]]] = []
        self.own: list[str] = []
        self.log = (root / "acknowledged" / f"{name}.jsonl").open("a", encoding="utf-8")
        self.transcript = root / f"{name}.jsonl"
        self.refused = 0

    def acknowledged(self, what: str, **more: Any) -> None:
        """Write it down: from here on it must be found."""
        self.log.write(json.dumps({"what": what, **more}) + "\n")
        self.log.flush()

    def text(self) -> str:
        """A sentence that nobody said before."""
        self.number += 1
        return sentence(self.random, f"{self.name}-{self.number}-{self.random.getrandbits(32):08x}")

    def desk(self, store: Store) -> Desk:
        """A person's desk; the snapshot is rewritten after each decision, as in the product."""

        def after() -> None:
            if problem := refresh(store):
                self.acknowledged("notice", text=problem)

        return Desk(store, COUNTER, self.name, "key", after=after)

    def run(self, writes: int) -> None:
        """Make that many acknowledged writes, in random order."""
        acts: dict[str, Callable[[Store], bool]] = {name: getattr(self, name) for name in MIX}
        done = 0
        while done < writes:
            store = opened(self.root)
            for act in self.random.choices(list(MIX), list(MIX.values()), k=min(_OPEN_FOR, writes - done)):
                done += acts[act](store)

    def remember(self, store: Store) -> bool:
        """A text handed over."""
        text = self.text()
        noted = remember(store, Handed(text), Origin.HUMAN)
        if noted.outcome is not Outcome.NEW:
            raise AssertionError(f"{text}: {noted}")
        self.acknowledged("note", id=noted.note_id, text=text)
        return True

    def note(self, store: Store) -> bool:
        """A lesson in a transcript that grows, harvested."""
        text = self.text()
        row: dict[str, object] = {"type": "user", "uuid": f"{self.name}-{self.number}", "sessionId": self.name}
        row |= {"message": {"role": "user", "content": f"lesson: {text}"}}
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        harvest_file(store, self.transcript, COUNTER.count)
        self.acknowledged("said", text=text)
        return True

    def _supply(self, store: Store) -> None:
        """Proposals to decide on."""
        path = self.root / f"{self.name}-import.jsonl"
        texts = [self.text() for _ in range(25)]
        rows = [{"kind": "lesson", "title": f"{self.name} {n}", "body": text} for n, text in enumerate(texts)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.waiting += import_entries(store, path, COUNTER).proposals

    def _one(self, store: Store) -> Shown:
        if not self.waiting:
            self._supply(store)
        return Shown(self.waiting.pop(), 1)

    def accept(self, store: Store) -> bool:
        """A proposal of one's own."""
        shown = self._one(store)
        outcome = self.desk(store).accept([shown])
        (item,) = outcome.items
        if not item.done or outcome.decision is None:
            raise AssertionError(item)
        self.own.append(item.entry_id)
        self.acknowledged("accept", proposal=shown.proposal_id, entry=item.entry_id, decision=outcome.decision)
        self.undoable.append(("accept", outcome.decision, [item.entry_id]))
        return True

    def reject(self, store: Store) -> bool:
        """A proposal of one's own, for good."""
        shown = self._one(store)
        outcome = self.desk(store).reject([shown], "wrong")
        if not outcome.complete or outcome.decision is None:
            raise AssertionError(outcome)
        self.acknowledged("reject", proposal=shown.proposal_id, decision=outcome.decision)
        self.undoable.append(("reject", outcome.decision, []))
        return True

    def edit(self, store: Store) -> bool:
        """Count an entry up that all writers count up; who comes too late looks again."""
        desk, entry_id = self.desk(store), self.random.choice(SHARED)
        while True:
            seen = desk.entry(entry_id)
            count = int(seen.draft.body.rpartition(" ")[2])
            try:
                outcome = desk.edit(entry_id, seen.rev, seen.draft.saying(f"{entry_id} stands at count {count + 1}"))
            except Conflict:
                self.refused += 1
                continue
            self.acknowledged("edit", entry=entry_id, decision=outcome.decision, count=count + 1)
            return True

    def pin(self, store: Store) -> bool:
        """Pin or unpin an entry of one's own."""
        if not self.own:
            return False
        desk, entry_id = self.desk(store), self.random.choice(self.own)
        seen = desk.entry(entry_id)
        outcome = desk.pin(entry_id, seen.rev, pinned=not seen.pinned)
        self.acknowledged("pin", entry=entry_id, pinned=not seen.pinned, decision=outcome.decision)
        return True

    def undo(self, store: Store) -> bool:
        """Take back a decision of one's own; one that something was built on is refused."""
        if not self.undoable:
            return False
        verb, decision, entries = self.undoable.pop(self.random.randrange(len(self.undoable)))
        try:
            outcome = self.desk(store).undo(decision)
        except Conflict:
            self.refused += 1
            return False
        self.own = [each for each in self.own if each not in entries]
        self.acknowledged("undo", of=verb, undone=decision, decision=outcome.decision, entries=entries)
        return True

    def checkpoint(self, store: Store) -> bool:
        """A checkpoint of one's own session, without a model."""
        self.note(store)
        made = without_model(store, COUNTER.count, self.name)
        if made is None:
            raise AssertionError("something was said, and no checkpoint was made")
        self.acknowledged("checkpoint", id=made.ident)
        return True


def main(words: list[str]) -> None:
    """ROOT NAME WRITES SEED."""
    writer = Writer(Path(words[0]), words[1], int(words[3]))
    with writer.log:
        writer.run(int(words[2]))
        writer.acknowledged("end", refused=writer.refused)


if __name__ == "__main__":
    main(sys.argv[1:])
