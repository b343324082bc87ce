"""Stores with entries and proposals to decide on, and a desk that counts words as tokens."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import func, select

from curator.desk.desk import Desk
from curator.desk.views import Shown
from curator.door.normal import fingerprint
from curator.draft import Draft, draft
from curator.ledger.deed import claim
from curator.ports import Tokens
from curator.store import entries
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Proposal
from curator.vocab import Kind, NoteState, Op

WORDS = Tokens(lambda text: len(text.split()), "words")


def desk_on(store: Store, **more: Any) -> Desk:
    """A desk at which Ana decides."""
    return Desk(store, WORDS, "ana", **more)


def lesson(body: str, **more: Any) -> Draft:
    """A lesson's draft."""
    return draft(more.pop("title", ""), body, more.pop("kind", Kind.LESSON), **more)


def enter(store: Store, *drafts: Draft | str, **columns: Any) -> list[Draft]:
    """Put entries in the store; gives their drafts with ids."""
    made = []
    with store.write() as session:
        for each in drafts:
            value = lesson(each) if isinstance(each, str) else each
            columns = {"origin": "human", "tokens": len(value.text.split()), "encoding": "words", **columns}
            columns["fingerprint"] = fingerprint(value.body)
            row = entries.insert(session, store.project_id, value, store.now(), **columns)
            made.append(value.with_(entry_id=row.entry_id))
    return made


def propose(
    store: Store, op: Op | str, before: Sequence[Draft] = (), after: Sequence[Draft] = (), **columns: Any
) -> Shown:
    """Insert an open proposal as a sweep would; gives what a reviewer is shown."""
    with store.write() as session:
        number = session.exec(select(func.count()).select_from(Proposal)).one() + 1
        targets = []
        for base in before:
            entry = session.get(Entry, (store.project_id, base.entry_id))
            assert entry is not None
            targets.append({"entry_id": base.entry_id, "rev": entry.rev, "content_hash": entry.content_hash})
        drafts = [*after, *before]
        values: dict[str, Any] = {
            "project_id": store.project_id,
            "proposal_id": f"P-{number:04d}",
            "number": number,
            "op": Op(op).value,
            "title": drafts[0].title,
            "kind": drafts[0].kind.value,
            "route": drafts[0].route.value,
            "origin": "human",
            "targets": targets,
            "before": [each.document() for each in before],
            "after": [each.document() for each in after],
            "fingerprint": fingerprint(drafts[0].body),
            "confidence": 0.8,
            "harm": 0.5,
            "created_at": store.now(),
        }
        proposal = Proposal(**(values | columns))
        session.add(proposal)
        session.flush()
        claim(session, proposal)
        return Shown(proposal.proposal_id, proposal.rev)


def note(store: Store, body: str, proposal_id: str = "") -> str:
    """A note that became a proposal."""
    with store.write() as session:
        note_id = f"n-{fingerprint(body)[:6]}"
        session.add(
            Note(
                project_id=store.project_id,
                note_id=note_id,
                body=body,
                fingerprint=fingerprint(body),
                state=NoteState.PROPOSED.value,
                became=proposal_id,
                created_at=store.now(),
            )
        )
        return note_id


def documents(store: Store) -> dict[str, dict[str, Any]]:
    """Every entry's document by id, without what counts changes (`rev`, `updated_at`)."""
    with store.read() as session:
        out = {}
        for entry in session.exec(select(Entry).where(Entry.project_id == store.project_id)):
            labels = entries.labels_of(session, store.project_id, [entry.entry_id])[entry.entry_id]
            value = entries.document(entry, labels)
            out[entry.entry_id] = {key: item for key, item in value.items() if key not in {"rev", "updated_at"}}
        return out


def states(store: Store) -> dict[str, str]:
    """The state of every proposal."""
    with store.read() as session:
        rows = session.exec(select(Proposal).where(Proposal.project_id == store.project_id))
        return {row.proposal_id: row.state for row in rows}
