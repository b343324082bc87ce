"""A process that is to be killed while it works: it says `go` when it begins and notes down what was acknowledged."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from curator.cli.desks import refresher
from curator.config import Settings
from curator.cycle.sweeping import run as sweep
from curator.desk.desk import Desk
from curator.desk.views import Shown
from curator.edge.clock import now
from curator.harvest.files import harvest_file
from curator.interchange.entries import import_entries
from curator.place import Place
from curator.snapshot import refresh
from curator.store.opening import create_store
from tests.storm.writer import COUNTER, opened


def acknowledged(root: Path, what: str, **more: object) -> None:
    """As a writer of the storm does."""
    with (root / "acknowledged" / "victim.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"what": what, **more}) + "\n")


def harvest(root: Path) -> None:
    """Read the transcript from where the last one died."""
    harvest_file(opened(root), root / "talk.jsonl", COUNTER.count)


def sweeping(root: Path) -> None:
    """One sweep over all notes that wait, as the background makes it."""
    store = opened(root)
    sweep(store, limit=0)
    refresh(store)


def accept(root: Path) -> None:
    """All that waits, five in a decision."""
    store = opened(root)
    desk = Desk(store, COUNTER, "victim", "key", after=refresher(store))
    waiting = [Shown(row.proposal_id, row.rev) for row in desk.queue().rows]
    for start in range(0, len(waiting), 5):
        outcome = desk.accept(waiting[start : start + 5])
        for item in outcome.items:
            if item.done:
                acknowledged(root, "accept", proposal=item.id, entry=item.entry_id, decision=outcome.decision)


def importing(root: Path) -> None:
    """A file of entries."""
    report = import_entries(opened(root), root / "offer.jsonl", COUNTER)
    acknowledged(root, "imported", proposals=report.proposals)


def migrate(root: Path) -> None:
    """Opening a store of an older schema for writing: backup, then the migrations."""
    create_store(Place(root, root, "", True), Settings(), now)


ACTS: dict[str, Callable[[Path], None]] = {
    "harvest": harvest,
    "sweep": sweeping,
    "accept": accept,
    "import": importing,
    "migrate": migrate,
}

if __name__ == "__main__":
    sys.stdout.write("go\n")
    sys.stdout.flush()
    ACTS[sys.argv[2]](Path(sys.argv[1]))
