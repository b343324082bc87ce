"""One conversation with and without: what would have been known after each of its compactions.

Owns the cuts and the texts that are compared. Model-free: the transcript is read into a throwaway store, and at each
cut the checkpoint is made that the pre-compact hook makes; what a session start then injects is measured with the
measure of `curator.evals.holding`, beside the client's own summary and the newest messages in the same room.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from curator.checkpoint import Checkpoint, Row, Window, built, finished
from curator.checkpoint.limits import window_of
from curator.checkpoint.record import cut as newest_units
from curator.checkpoint.record import positions, weight
from curator.config import Settings
from curator.cycle.checkpoints.injected import injected
from curator.cycle.checkpoints.opening import sources
from curator.cycle.checkpoints.rows import rows_of
from curator.cycle.checkpoints.shelf import named, newest, put
from curator.edge.clock import now
from curator.edge.tokens import margin_of, tokens
from curator.errors import CuratorError
from curator.evals.canaries import recent
from curator.evals.holding import held, known
from curator.harvest.files import harvest_file
from curator.hosts import codex
from curator.hosts.transcripts import session_of
from curator.place import Place
from curator.ports import Count
from curator.snapshot import refresh
from curator.store import tables
from curator.store.engine import Store
from curator.store.opening import create_store
from curator.transcript import Mark
from curator.vocab import Client

NOT_MEASURED = (
    "whether an agent would have acted on what it knew",
    "the mind that an agent writes with a checkpoint of its own: here no model wrote anything",
    "what the client keeps beside what it writes down: newest messages, files, an encrypted summary (Codex)",
    "rules by meaning: one counts by its words, so a good paraphrase may be missed and a bad one counted",
    "rules that show none of the signs by which room is given to them: the same list says what a rule is here",
)


@dataclass(frozen=True)
class Cut:
    """Rows before index `at` leave the window; `why`: compaction, limit or end; `summary`: what the client keeps."""

    at: int
    why: str
    summary: str = ""


def replay(path: Path, size: int = 0) -> dict[str, Any]:
    """The comparison of a transcript. `size` cuts at the limit of a window of so many tokens, not where the client did.

    Raises NotFound, CannotLook or BadUsage for a file that is no transcript, `CuratorError` for an empty one.
    """
    count = tokens().count
    with tempfile.TemporaryDirectory(prefix="curator-replay-") as folder:
        root = Path(folder)
        store = create_store(Place(root, root, "", False), Settings(), now)
        read = harvest_file(store, path, count)
        with store.read() as session:
            of = _session(session, store.project_id, session_of(path))
            rows = rows_of(session, store.project_id, of.session_id)
            marks = _marks(session, store.project_id, of.session_id)
        carried = codex.carried(path) if of.client == Client.CODEX else []
        window = window_of(of.client, size)
        margin = margin_of(of.client)
        plain_rows = [row for row in rows if row.seq not in marks]
        found_cuts = [] if size else _compactions(plain_rows, rows, marks, carried)
        cuts = found_cuts or list(_full(plain_rows, window, margin, count)) or _end(plain_rows)
        found = list(_compared(store, of, plain_rows, cuts, window, count))
        store.engine.dispose()
    return {
        "file": str(path),
        "client": of.client,
        "session": of.session_id,
        "rows": len(plain_rows),
        "typed": sum(row.by_person for row in plain_rows),
        "tokens": round(sum(weight(row, count) for row in plain_rows) * margin),
        "window": window.tokens,
        "threshold": window.threshold,
        "damaged": sum(map(len, read.damaged.values())),
        "notes": sum(read.outcomes.values()),
        "cuts": found,
        "not_measured": list(NOT_MEASURED),
    }


def _session(session: Session, project_id: str, ident: str) -> tables.Session:
    kept = session.exec(
        select(tables.Session).where(tables.Session.project_id == project_id, tables.Session.parent_id == "")
    ).all()
    if not kept:
        raise CuratorError("the file holds no conversation")
    return next((row for row in kept if row.session_id == ident), kept[-1])


def _marks(session: Session, project_id: str, session_id: str) -> dict[int, Mark]:
    """The rows that are no part of what was said: boundaries, the client's summaries, injected text."""
    query = select(tables.Record.seq, tables.Record.mark).where(
        tables.Record.project_id == project_id, tables.Record.session_id == session_id, tables.Record.mark != ""
    )
    return {seq: Mark(mark) for seq, mark in session.exec(query)}


def _end(said: Sequence[Row]) -> list[Cut]:
    return [Cut(len(said), "end")] if said else []


def _compactions(said: Sequence[Row], rows: Sequence[Row], marks: dict[int, Mark], carried: Sequence[str]) -> list[Cut]:
    """Where the client compressed; `carried` are the texts that it took over each time, where they are known."""
    found: list[Cut] = []
    texts = iter(carried)
    for row in rows:
        if marks.get(row.seq) not in (Mark.BOUNDARY, Mark.SUMMARY):
            continue
        at = sum(each.seq < row.seq for each in said)
        summary = row.text if marks[row.seq] is Mark.SUMMARY else next(texts, "")
        if found and found[-1].at == at:
            found[-1] = Cut(at, "compaction", "\n".join(filter(None, (found[-1].summary, summary))))
        elif at:
            found.append(Cut(at, "compaction", summary))
    return found


def _full(said: Sequence[Row], window: Window, margin: float, count: Count) -> Iterator[Cut]:
    """Before the unit with which the window would pass its threshold; then it fills anew."""
    edges = [*positions(said), len(said)]
    size = 0.0
    for begin, end in pairwise(edges):
        unit = margin * sum(weight(row, count) for row in said[begin:end])
        if begin and size and size + unit > window.threshold:
            yield Cut(begin, "limit")
            size = 0.0
        size += unit


def _compared(
    store: Store, of: tables.Session, said: Sequence[Row], cuts: Sequence[Cut], window: Window, count: Count
) -> Iterator[dict[str, Any]]:
    before: Checkpoint | None = None
    for number, cut in enumerate(cuts, 1):
        rows = said[: cut.at]
        value = built(rows, before, window, count)
        before = finished(value, window, count, sources(store, of.session_id)) if value else before
        part = _injected(store, of, before, window) if value and before else ""
        there = known(rows)
        texts = {
            "injected": part,
            "checkpoint": before.text if before else "",
            "summary": cut.summary,
            "tail": _tail(rows, window, count),
            "newest": recent(rows, count(part), count),
        }
        sides = {name: held(there, text, count) for name, text in texts.items()}
        without = sides["summary"] if cut.summary else sides["tail"]
        yield {
            "number": number,
            "before": rows[-1].seq + 1,
            "why": cut.why,
            "known": {
                "rules": len(there.rules),
                "messages": len(there.messages),
                "facts": len(there.facts),
                "files": len(there.files),
            },
            **{name: side[0].document() if texts[name] else None for name, side in sides.items()},
            "step": there.latest[:200],
            "lost": {
                "with": [vars(rule) for rule in sides["injected"][1]],
                "without": [vars(rule) for rule in without[1]],
            },
        }


def _tail(rows: Sequence[Row], window: Window, count: Count) -> str:
    """What plain truncation keeps: the newest whole units, within the part of a window that is kept verbatim."""
    made = newest_units(rows, window.keep, count)
    return "\n".join(row.text for row in (rows[made.at :] if made else rows) if row.text)


def _injected(store: Store, of: tables.Session, value: Checkpoint, window: Window) -> str:
    """Store the checkpoint as the hook does, and take what a session start after the compaction is handed of it."""
    with store.write() as session:
        last = newest(session, store.project_id, of.session_id)
        parent = last.ident if last else ""
        ident = put(session, store.project_id, of, value, parent=parent, window=window.tokens, now=store.now())
        found = named(session, store.project_id, ident)
    if wrong := refresh(store):
        raise CuratorError(wrong)
    return injected(store, found)
