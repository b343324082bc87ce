"""Scratch notes: kept in the record when a checkpoint is committed, then emptied."""

import hashlib

from sqlmodel import col, func, select

from curator.brief.layers import SCRATCH
from curator.place import Place
from curator.snapshot.file import put
from curator.snapshot.layers import paths
from curator.store.engine import Store
from curator.store.tables import Record, Session
from curator.vocab import Origin, Typed
from curator.vocab import Row as Kind

OWN = "scratch"
"""Session id under which scratch is kept where no session is known yet."""


def emptied(store: Store, place: Place) -> int:
    """Move the scratch file's text into the record; returns its characters. The text is kept before the file goes."""
    from curator.door import kept

    path = paths(place)[SCRATCH]
    try:
        text = kept(path.read_bytes().decode("utf-8", "replace")).text.strip()
    except FileNotFoundError:
        return 0
    if not text:
        return 0
    with store.write() as session:
        of = session.exec(
            select(Session)
            .where(Session.project_id == store.project_id, Session.worktree == place.worktree)
            .order_by(col(Session.last_at).desc(), Session.session_id)
            .limit(1)
        ).first()
        if of is None:
            of = Session(project_id=store.project_id, session_id=OWN, worktree=place.worktree, started_at=store.now())
            session.add(of)
            session.flush()
        last, unit = session.exec(
            select(func.max(Record.seq), func.max(Record.unit)).where(
                Record.project_id == store.project_id, Record.session_id == of.session_id
            )
        ).one()
        stamp = f"{of.session_id}\0{last}\0{text}"
        session.add(
            Record(
                project_id=store.project_id,
                session_id=of.session_id,
                seq=(last or 0) + 1,
                unit=(unit or 0) + 1,
                kind=Kind.INPUT.value,
                typed=Typed.MACHINE.value,
                origin=Origin.FILE.value,
                sender=SCRATCH,
                text=text,
                source_id="scratch-" + hashlib.sha256(stamp.encode()).hexdigest()[:24],
                at=store.now(),
            )
        )
    put(path, b"")
    return len(text)
