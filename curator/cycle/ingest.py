"""`ingest`: from the spool to proposals, in the background. Safe to repeat, to run in parallel and to be killed.

Owns the order: spool, harvest, checkpoint, sweep, snapshot. One at a time in a store; who comes second leaves the
work to the first. A line of the spool goes only when all of its batch was taken in, and taking one in twice changes
nothing. What fails is said and does not stop the rest.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator import spool
from curator.cycle import receipts, retention
from curator.errors import Busy, CuratorError, NotFound
from curator.harvest.files import Harvested, harvest_file
from curator.hosts import claude
from curator.hosts.transcripts import READERS
from curator.ports import Tokens
from curator.store.engine import Store
from curator.store.lock import held
from curator.store.tables import Fact

AFTER = frozenset({"pre-compact", "session-end"})
"""Events after which a checkpoint is made, so that the next start finds where the work stood."""

_WAIT = 2.5  # seconds a second ingest waits when a checkpoint is asked for: the hook gives up after 3
_READ = frozenset(client.value for client in READERS)


@dataclass
class Ingested:
    """What was taken in. `expired`: rows of the record that were kept long enough. `busy`: another process is at it.

    `trouble`: what could not be done, in one line each.
    """

    events: int = 0
    harvested: Harvested = field(default_factory=Harvested)
    checkpoints: list[str] = field(default_factory=list)
    proposals: int = 0
    expired: int = 0
    busy: bool = False
    trouble: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Stages:
    """The later stages, which the entry point hands in: each takes the store and says what it made.

    `checkpoint` takes a session id ("" = the newest) and gives a checkpoint's id or ""; `sweep` gives the number of
    new proposals; `snapshot` rewrites what the hooks read and gives a sentence where that failed.
    """

    checkpoint: Callable[[Store, str], str]
    sweep: Callable[[Store], int]
    snapshot: Callable[[Store], str]


def ingest(store: Store, tokens: Tokens, stages: Stages, *, checkpoint: bool = False) -> Ingested:
    """Take in what hooks left, then harvest, checkpoint, sweep, and rewrite the snapshot."""
    result = Ingested(busy=True)
    try:
        with held(store.place.folder / "ingest.lock", _WAIT if checkpoint else 0.05):
            result.busy = False
            _run(store, tokens, stages, checkpoint, result)
    except Busy:
        if not result.busy:
            raise
    return result


def _run(store: Store, tokens: Tokens, stages: Stages, checkpoint: bool, result: Ingested) -> None:
    with spool.drained(str(store.place.folder)) as batches:
        if batches is None:
            result.busy = True
            return
        sessions = {"": True} if checkpoint else {}
        paths: dict[Path, None] = {}
        for batch in batches:
            for number, event in batch.lines:
                result.events += 1
                _take(store, f"{batch.name}:{number}", event, result)
                if event.get("client") in _READ and (path := str(event.get("transcript") or "")):
                    paths |= dict.fromkeys(_with_agents(Path(path)))
                if event.get("event") in AFTER:
                    sessions[str(event.get("session") or "")] = True
            if batch.damaged:
                result.trouble.append(f"{batch.damaged} lines of the spool could not be read")
        _harvest(store, tokens, paths, result)
        for session in sessions:
            _checkpoint(store, stages, session, result)
        for batch in batches:
            batch.done()
    if result.checkpoints:  # the next start waits for it; the sweep takes longer
        stages.snapshot(store)
    try:
        result.proposals = stages.sweep(store)
    except CuratorError as error:
        result.trouble.append(str(error))
    result.expired = retention.daily(store).rows
    _note(store)
    if problem := stages.snapshot(store):
        result.trouble.append(problem)


def _take(store: Store, key: str, event: Mapping[str, Any], result: Ingested) -> None:
    if not event.keys() & {"receipt", "delivered"}:
        return
    try:
        with store.write() as session:
            if "receipt" in event:
                receipts.take(session, store.project_id, key, event)
            else:
                receipts.deliver(session, store.project_id, event)
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        result.trouble.append(f"a receipt could not be read: {error}")


def _with_agents(path: Path) -> list[Path]:
    """A session's file and its sub-agents' files."""
    beside = path.parent / path.stem / "subagents"
    return [path, *(claude.transcripts(beside) if beside.is_dir() else [])]


def _harvest(store: Store, tokens: Tokens, paths: Iterable[Path], result: Ingested) -> None:
    for path in paths:
        try:
            result.harvested.add(harvest_file(store, path, tokens.count))
        except CuratorError as error:
            result.trouble.append(str(error))


def _checkpoint(store: Store, stages: Stages, session: str, result: Ingested) -> None:
    try:
        made = stages.checkpoint(store, session)
    except NotFound:
        return  # a session without a word has nothing to keep
    except CuratorError as error:
        result.trouble.append(str(error))
        return
    if made:
        result.checkpoints.append(made)


def _note(store: Store) -> None:
    """Remember when the last ingest ended; `status` shows it."""
    with store.write() as session:
        fact = session.get(Fact, (store.project_id, "ingested")) or Fact(
            project_id=store.project_id, key="ingested", at=store.now()
        )
        fact.at = store.now()
        session.add(fact)
