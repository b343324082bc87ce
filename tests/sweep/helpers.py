"""Notes in, sweep, decide: what the sweep's tests do over and over."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import select

from curator.desk.desk import Desk
from curator.edge.tokens import tokens
from curator.harvest.noting import Heard, note
from curator.harvest.remembering import Handed, remember
from curator.ports import Tokens
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Proposal
from curator.sweep.run import Report, sweep
from curator.vocab import Kind, Origin

COUNT: Tokens = tokens()


def noted(store: Store, *texts: str, origin: Origin = Origin.HUMAN) -> None:
    """Remember each text, a minute apart."""
    for n, text in enumerate(texts):
        remember(store, Handed(text), origin)
        with store.write() as session:
            for row in session.exec(select(Note).where(Note.said_at == None)):  # noqa: E711
                row.said_at = store.now() + timedelta(minutes=n)
                session.add(row)


def said(store: Store, text: str, kind: Kind | None, at: datetime, session_id: str = "s1") -> str:
    """A note from a session, as a harvest makes it; returns its id."""
    heard = Heard(text, Origin.AGENT, session_id, kind, kind is not None, source={"session": session_id}, said_at=at)
    with store.write() as session:
        return note(session, store.project_id, heard, 65_536, store.now()).note_id


def swept(store: Store, limit: int | None = 0, *, dry_run: bool = False) -> Report:
    """One sweep without a cap unless told otherwise."""
    return sweep(store, COUNT.count, limit=limit, dry_run=dry_run)


def desk(store: Store) -> Desk:
    """The desk of a person at a terminal."""
    return Desk(store, COUNT, "ann")


def accept_all(store: Store) -> None:
    """Accept everything that waits, as shown."""
    from curator.ledger.values import Shown

    the_desk = desk(store)
    outcome = the_desk.accept([Shown(row.proposal_id, row.rev) for row in the_desk.queue().rows])
    assert outcome.complete, outcome.items


def entries(store: Store, state: str = "active") -> list[Entry]:
    """The entries in one state, by id."""
    with store.read() as session:
        return list(session.exec(select(Entry).where(Entry.state == state).order_by(Entry.entry_id)))


def proposals(store: Store, *states: str) -> Sequence[Proposal]:
    """The proposals in these states, or all, oldest first."""
    with store.read() as session:
        found = session.exec(select(Proposal).order_by(Proposal.number)).all()  # type: ignore[arg-type]
        return [each for each in found if not states or each.state in states]


def notes(store: Store) -> dict[str, Any]:
    """Each note's state by its text."""
    with store.read() as session:
        return {row.body: row.state for row in session.exec(select(Note))}
