"""`record confirm`: a person says that an unverified message is theirs. The only way an origin goes up.

A decision like any other: it stands in the ledger and can be taken back; whether a person decides is asked before.
"""

from sqlmodel import Session

from curator.errors import CuratorError, NotFound
from curator.harvest.files import heard_in
from curator.harvest.noting import Heard, Noted, Outcome, note
from curator.store.decisions import next_seq
from curator.store.engine import Store
from curator.store.tables import Decision, Record
from curator.store.tables import Session as Conversation
from curator.vocab import NoteState, Origin, Row, Typed, Verb


def confirm(store: Store, session_id: str, seq: int, *, reviewer: str, via: str) -> list[Noted]:
    """Make a message the person's; what it lays down becomes notes now.

    Raises NotFound where there is no such row, and CuratorError where it is the machine's by its own marks, or is the
    person's already.
    """
    with store.write(durable=True) as session:
        row = session.get(Record, (store.project_id, session_id, seq))
        if row is None:
            raise NotFound(f"session {session_id} has no row {seq}")
        if row.kind != Row.INPUT.value or row.typed == Typed.MACHINE.value:
            raise CuratorError(f"row {seq} is not a message that a person can have typed ({row.sender or row.kind})")
        if Typed(row.typed).by_person:
            raise CuratorError(f"row {seq} is the person's already ({row.typed})")
        before = _standing(row)
        row.typed, row.origin, row.sender = Typed.CONFIRMED.value, Origin.HUMAN.value, "user"
        session.add(row)
        session.flush()
        noted = _noted(session, store, row)
        effects = [{"record": [session_id, seq], "before": before, "after": _standing(row)}]
        effects += [
            {
                "note_id": each.note_id,
                "before": {"state": NoteState.DROPPED.value, "reason": "its message is not confirmed any more"},
                "after": {"state": NoteState.WAITING.value, "reason": ""},
            }
            for each in noted
            if each.outcome is Outcome.NEW
        ]
        session.add(
            Decision(
                project_id=store.project_id,
                seq=next_seq(session, store.project_id),
                verb=Verb.CONFIRM.value,
                reviewer=reviewer,
                via=via,
                reason=f"message {seq} of session {session_id}",
                effects=effects,
                at=store.now(),
            )
        )
        return noted


def _standing(row: Record) -> dict[str, str]:
    return {"typed": row.typed, "origin": row.origin, "sender": row.sender}


def _noted(session: Session, store: Store, row: Record) -> list[Noted]:
    conversation = session.get(Conversation, (store.project_id, row.session_id))
    source = {"client": conversation.client if conversation else "", "session": row.session_id, "part": "confirmed"}

    return [
        note(
            session,
            store.project_id,
            Heard(
                statement.text,
                Origin.HUMAN,
                row.session_id,
                statement.kind,
                statement.marked,
                source=source | {"seqs": list(statement.seqs), "why": statement.why},
                said_at=at,
            ),
            store.settings.note_bytes,
            store.now(),
        )
        for statement, at in heard_in(session, store.project_id, row.session_id, row.seq)
        if row.seq in statement.seqs
    ]
