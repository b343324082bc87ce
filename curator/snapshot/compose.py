"""From the store to the snapshot's value: the entries that can win, checkpoints, counts, pointers, settings."""

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from curator.brief.knobs import files, stamp
from curator.brief.snapshot_file import Checkpoint, Snapshot, read
from curator.checkpoint.carry import carries
from curator.checkpoint.parts import parts
from curator.checkpoint.value import loaded
from curator.errors import CuratorError
from curator.hosts.skills import names
from curator.place import user_place
from curator.snapshot.items import chosen
from curator.snapshot.ranks import Ranks, ranks
from curator.snapshot.relevance import doc, relevance
from curator.snapshot.work import Seen
from curator.store.engine import Store
from curator.store.tables import Checkpoint as Row
from curator.store.tables import Entry, EntryLabel, Proposal
from curator.vocab import DEFERRED_LABEL, EntryState, ProposalState, Route

CHECKPOINTS = 12
"""So many are kept: the newest of each session and of each worktree and branch, newest first."""
_SCANNED = 60
_LABELS = 12
_COUNTED = 5_000
"""Up to so many deferred entries labels are counted after every decision."""


def composed(store: Store, seen: Seen | None) -> Snapshot:
    """Everything a hook may know, as of now."""
    paths = files(str(store.place.folder), str(Path.home()), os.environ)
    sources = {path: stamp(path) for path in paths}  # before reading the rest: a later change is noticed
    before = read(str(store.place.folder)).snapshot
    with store.read() as session:
        known = ranks(store, session, seen)
        found = chosen(store, session, before, known)
        waiting, oldest = _waiting(session, store.project_id)
        return Snapshot(
            items=found.items,
            counts=found.counts,
            relevance=_with_own(found.relevance, known, store),
            waiting=waiting,
            oldest=oldest.date().isoformat() if oldest else "",
            labels=_labels(session, store.project_id, before.labels if seen is None else {}),
            newest=_newest(session, store.project_id, known),
            checkpoints=_checkpoints(session, store.project_id),
            warnings=before.warnings,
            skills=names(store.place.top, Path.home()),
            settings=asdict(replace(store.settings, database_url="")),  # a hook opens no database
            sources=sources,
        )


def _with_own(project: Mapping[str, Mapping[str, float]], known: Ranks, store: Store) -> dict[str, Mapping[str, float]]:
    """The relevance of the person's own entries to the work in this project, beside the project's."""
    own = user_place()
    items = read(str(own.folder)).snapshot.items if own.found and own.folder != store.place.folder else ()
    docs = [(item.id, doc(item.title, item.body)) for item in items]
    return {
        tree: {**values, **{id_: relevance(known.by_worktree[tree].focus, one) for id_, one in docs}}
        for tree, values in project.items()
    }


def _waiting(session: Session, project_id: str) -> tuple[int, datetime | None]:
    open_ = (Proposal.project_id == project_id, Proposal.state == ProposalState.OPEN.value)
    number = session.exec(select(func.count()).select_from(Proposal).where(*open_)).one()
    first = select(Proposal.created_at).where(*open_).order_by(col(Proposal.created_at)).limit(1)
    return int(number), session.exec(first).first()


def _labels(session: Session, project_id: str, before: Mapping[str, int]) -> Mapping[str, int]:
    """Labels of active deferred entries with their counts, the most used first; `kb` is on every one of them.

    Many are counted anew with an ingest only (0.7 s for 43,000 entries); what was known `before` is near enough.
    """
    number = select(func.count()).select_from(Entry).where(*_deferred(project_id))
    if before and (total := session.exec(number).one()) > _COUNTED:
        return {**before, DEFERRED_LABEL: total}
    rows = session.exec(
        select(EntryLabel.label, func.count())
        .join(
            Entry,
            (col(Entry.project_id) == EntryLabel.project_id) & (col(Entry.entry_id) == EntryLabel.entry_id),
        )
        .where(*_deferred(project_id))
        .group_by(col(EntryLabel.label))
    ).all()
    ordered = sorted(((str(label), int(n)) for label, n in rows), key=lambda pair: (-pair[1], pair[0]))
    return dict(ordered[:_LABELS])


def _deferred(project_id: str) -> tuple[Any, ...]:
    return (
        Entry.project_id == project_id,
        Entry.route == Route.DEFERRED.value,
        Entry.state == EntryState.ACTIVE.value,
    )


def _newest(session: Session, project_id: str, known: Ranks) -> tuple[tuple[str, str], ...]:
    """Three deferred entries that touch the work at hand, newest first; the newest of all where nothing is known."""
    query = select(Entry.entry_id, Entry.title).where(*_deferred(project_id))
    if known.related:
        query = query.where(col(Entry.entry_id).in_(known.related))
    rows = session.exec(query.order_by(col(Entry.updated_at).desc(), col(Entry.entry_id)).limit(3)).all()
    return tuple((str(id_), str(title)) for id_, title in rows)


def _checkpoints(session: Session, project_id: str) -> tuple[Checkpoint, ...]:
    rows = session.exec(
        select(Row)
        .where(Row.project_id == project_id)
        .order_by(col(Row.created_at).desc(), col(Row.checkpoint_id).desc())
        .limit(_SCANNED)
    ).all()
    kept: list[Checkpoint] = []
    sessions: set[str] = set()
    places: set[tuple[str, str]] = set()
    for row in rows:
        place = (row.worktree, row.branch)
        if row.session_id in sessions and place in places:
            continue
        try:
            kept.append(_checkpoint(row))
        except CuratorError:  # `curator doctor` names it; an older one is better than none
            continue
        sessions.add(row.session_id)
        places.add(place)
    return tuple(kept[:CHECKPOINTS])


def _checkpoint(row: Row) -> Checkpoint:
    found = parts(loaded(row.checkpoint_id, row.value))
    running = (word for word in found.running if not found.request or word.seq != found.request.seq)
    named = {
        "mission": found.mission,
        "agreements": found.agreements,
        "step": found.current_step,
        "next": found.next_steps,
        "waiting": found.waiting_on,
        "request": f"#{found.request.seq} {found.request.text}" if found.request else "",
    }
    words = sorted({word.seq: word for word in (*found.words, *running)}.values(), key=lambda word: word.seq)
    weighed = sorted(words, key=lambda word: (carries(word.text), -word.seq))
    stale = f"{found.mind_age} records passed since it was revised" if found.model_free and found.mind_age else ""
    return Checkpoint(
        row.checkpoint_id,
        row.session_id,
        row.worktree,
        row.branch,
        row.created_at.date().toordinal(),
        found.through,
        {name: text for name, text in named.items() if text.strip()},
        tuple((word.seq, word.text) for word in weighed),
        stale,
    )
