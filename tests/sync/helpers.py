"""Stores of several people, and their files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlmodel import select

from curator.desk.desk import Desk
from curator.desk.views import LogLine, Shown
from curator.draft import Draft, draft
from curator.ledger.values import Who
from curator.ports import Tokens
from curator.store.engine import Store
from curator.store.tables import Entry, Refusal, Revision
from curator.sync.exporting import export
from curator.sync.taking import Report, take
from curator.vocab import Kind, Op
from tests.desk.helpers import propose

Make = Callable[[Path], Store]

WORDS = Tokens(lambda text: len(text.split()), "words")


class Person:
    """Somebody with a store of their own, who decides, and gives and takes files."""

    def __init__(self, store: Store, name: str, clock: Any) -> None:
        self.store, self.name, self.clock = store, name, clock
        self.desk = Desk(store, WORDS, name)

    def later(self) -> "Person":
        """A minute passes."""
        from datetime import timedelta

        self.clock.at += timedelta(minutes=1)
        return self

    def adds(self, *bodies: str | Draft, **more: Any) -> list[str]:
        """Accepts an addition for each text; gives the ids."""
        drafts = [each if isinstance(each, Draft) else draft("", each, Kind.LESSON, **more) for each in bodies]
        shown = [propose(self.store, Op.ADD, after=[each]) for each in drafts]
        self.later()
        outcome = self.desk.accept(shown)
        assert outcome.complete
        return [item.entry_id for item in outcome.items]

    def edits(self, entry_id: str, body: str) -> None:
        """Gives an entry another text."""
        self.later()
        entry = self.desk.entry(entry_id)
        self.desk.edit(entry_id, entry.rev, entry.draft.saying(body))

    def tombstones(self, entry_id: str, reason: str = "wrong") -> None:
        """Retires an entry."""
        self.later()
        self.desk.tombstone(entry_id, self.desk.entry(entry_id).rev, reason)

    def restores(self, entry_id: str) -> None:
        """Brings an entry back."""
        self.later()
        self.desk.restore(entry_id, self.desk.entry(entry_id).rev)

    def rejects(self, body: str, reason: str = "not true") -> None:
        """Refuses a proposed text."""
        shown = propose(self.store, Op.ADD, after=[draft("", body, Kind.LESSON)])
        self.later()
        assert self.desk.reject([shown], reason).complete

    def undoes(self, seq: int | None = None) -> None:
        """Takes a decision back."""
        self.later()
        self.desk.undo(seq)

    def gives(self, path: Path) -> Path:
        """Writes the file."""
        export(self.store, path)
        return path

    def takes(self, path: Path, **more: Any) -> Report:
        """Takes the file in."""
        self.later()
        return take(self.store, path, WORDS, Who(self.name, "sync"), **more)

    def body(self, entry_id: str) -> str:
        """What an entry says; with its state where it is not active; empty where it is not there."""
        with self.store.read() as session:
            entry = session.get(Entry, (self.store.project_id, entry_id))
        return "" if entry is None else entry.body if entry.state == "active" else f"{entry.state}: {entry.body}"

    def waiting(self) -> list[Shown]:
        """What waits in the review."""
        return [Shown(row.proposal_id, row.rev) for row in self.desk.queue().rows]


def whole(store: Store) -> dict[str, Any]:
    """Everything that must be the same in two stores: entries, labels, history, refusals, ledger."""
    from curator.store import entries

    with store.read() as session:
        rows = session.exec(select(Entry).order_by(Entry.entry_id)).all()
        labels = entries.labels_of(session, store.project_id, [row.entry_id for row in rows])
        history: dict[str, list[Any]] = {}
        for kept in session.exec(select(Revision).order_by(Revision.entry_id, Revision.rev)):  # type: ignore[arg-type]
            value = {name: kept.value.get(name) for name in ("title", "body", "kind", "state", "labels", "reason")}
            history.setdefault(kept.entry_id, []).append((kept.rev, kept.reviewer, kept.at, value))
        refused = [(row.fingerprint, row.text, row.reason, row.slots, row.at) for row in session.exec(select(Refusal))]
        return {
            "entries": [entries.document(row, labels[row.entry_id]) for row in rows],
            "history": history,
            "refusals": sorted(refused),
        }


def told(lines: Sequence[LogLine]) -> list[tuple[Any, ...]]:
    """The ledger as a person reads it, without the decisions about a store's own queue and file."""
    own = {"sync", "snooze", "revise", "split"}
    return [(line.at, line.verb, line.reviewer, line.reason, line.comment) for line in lines if line.verb not in own]
