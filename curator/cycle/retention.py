"""How long the kept conversation stays: what is older is emptied, what speaks for a note or a memory stays.

Owns the rule and the sizes. A row that is emptied keeps its number and the client's id of it, so that numbers go on,
and a transcript that is read again does not bring it back. Notes, proposals, entries and checkpoints keep their text.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, func, select

from curator.store.engine import Store
from curator.store.tables import Entry, Fact, Note, Proposal, Record
from curator.store.tables import Session as Conversation
from curator.transcript import Mark

Cited = dict[str, set[int]]

_DONE = "retention"


@dataclass(frozen=True)
class Size:
    """The kept conversation: sessions, rows, characters of text; the oldest session's last moment."""

    sessions: int
    rows: int
    emptied: int
    characters: int
    oldest: datetime | None


@dataclass(frozen=True)
class Expired:
    """Rows emptied, of how many sessions, and older rows that stay because something cites them."""

    rows: int = 0
    sessions: int = 0
    cited: int = 0


def size(store: Store) -> Size:
    """How much is kept."""
    with store.read() as session:
        rows, characters = session.exec(
            select(func.count(), func.sum(func.length(Record.text) + func.length(Record.detail))).where(
                Record.project_id == store.project_id
            )
        ).one()
        emptied = session.exec(
            select(func.count()).where(Record.project_id == store.project_id, Record.mark == Mark.EXPIRED.value)
        ).one()
        sessions, oldest = session.exec(
            select(func.count(), func.min(Conversation.last_at)).where(Conversation.project_id == store.project_id)
        ).one()
    return Size(sessions, rows, emptied, characters or 0, oldest)


def expire(store: Store, days: int, *, dry_run: bool = False) -> Expired:
    """Empty the rows of sessions that ended more than `days` days ago; with `dry_run` only count them."""
    before = store.now() - timedelta(days=days)
    with store.read() as session:
        old = _old(session, store.project_id, before)
        cited = _cited(session, store.project_id, set(old)) if old else {}
    rows = {name: seqs - cited.get(name, set()) for name, seqs in old.items()}
    rows = {name: seqs for name, seqs in rows.items() if seqs}
    left = sum(map(len, old.values())) - sum(map(len, rows.values()))
    for name, seqs in {} if dry_run else rows.items():
        with store.write() as session:
            _empty(session, store.project_id, name, sorted(seqs), before)
    return Expired(sum(map(len, rows.values())), len(rows), left)


def daily(store: Store) -> Expired:
    """What the setting asks for, at most once a day: looking for what is cited reads every proposal."""
    days = store.settings.retention_days
    with store.read() as session:
        done = session.get(Fact, (store.project_id, _DONE))
    if days <= 0 or (done is not None and store.now() - done.at < timedelta(days=1)):
        return Expired()
    found = expire(store, days)
    with store.write() as session:
        fact = session.get(Fact, (store.project_id, _DONE)) or Fact(
            project_id=store.project_id, key=_DONE, at=store.now()
        )
        fact.at, fact.value = store.now(), {"days": days, "rows": found.rows}
        session.add(fact)
    return found


def _old(session: Session, project_id: str, before: datetime) -> dict[str, set[int]]:
    """Rows that hold something, by session that ended before; a session without a time stays."""
    query = (
        select(Record.session_id, Record.seq)
        .join(
            Conversation,
            (col(Conversation.project_id) == Record.project_id) & (col(Conversation.session_id) == Record.session_id),
        )
        .where(Record.project_id == project_id, col(Conversation.last_at) < before, Record.mark != Mark.EXPIRED.value)
    )
    found: dict[str, set[int]] = defaultdict(set)
    for name, seq in session.exec(query):
        found[name].add(seq)
    return found


def _cited(session: Session, project_id: str, names: set[str]) -> Cited:
    """Rows that a note, a proposal's evidence or an entry's source names."""
    found: Cited = defaultdict(set)
    for source in _sources(session, project_id):
        if (name := str(source.get("session", ""))) in names:
            found[name] |= {int(seq) for seq in source.get("seqs", [source.get("seq")]) if seq}
    return found


def _sources(session: Session, project_id: str) -> Iterator[Mapping[str, Any]]:
    yield from session.exec(select(Note.source).where(Note.project_id == project_id))
    yield from session.exec(select(Entry.source).where(Entry.project_id == project_id))
    for evidence in session.exec(select(Proposal.evidence).where(Proposal.project_id == project_id)):
        yield from evidence


def _empty(session: Session, project_id: str, name: str, seqs: list[int], before: datetime) -> None:
    """In parts, unless the session went on meanwhile."""
    kept = session.get(Conversation, (project_id, name))
    if kept is None or kept.last_at is None or kept.last_at >= before:
        return
    for start in range(0, len(seqs), 500):
        session.connection().execute(
            update(Record)
            .where(
                col(Record.project_id) == project_id,
                col(Record.session_id) == name,
                col(Record.seq).in_(seqs[start : start + 500]),
            )
            .values(text="", detail="", files={}, tokens=0, mark=Mark.EXPIRED.value)
        )
