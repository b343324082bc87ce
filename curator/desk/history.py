"""What happened: an entry's revisions, the decision log."""

from sqlmodel import Session, col, select

from curator.desk.views import Change, Entry, LogLine
from curator.ledger.values import name
from curator.store import entries
from curator.store.tables import Decision, Revision
from curator.store.tables import Entry as EntryRow
from curator.vocab import Origin, Verb

_LOG = (
    Decision.seq,
    Decision.at,
    Decision.verb,
    Decision.reviewer,
    Decision.via,
    Decision.proposals,
    Decision.entries,
    Decision.reason,
    Decision.comment,
    Decision.undone_by,
    Decision.undoes,
)


def history_of(session: Session, project_id: str, entry_id: str) -> tuple[Change, ...]:
    """An entry's revisions, newest first."""
    rows = session.exec(
        select(Revision, Decision.verb, Decision.reason)
        .join(
            Decision,
            (col(Decision.project_id) == col(Revision.project_id)) & (col(Decision.seq) == col(Revision.decision)),
            isouter=True,
        )
        .where(Revision.project_id == project_id, Revision.entry_id == entry_id)
        .order_by(col(Revision.rev).desc())
    ).all()
    return tuple(Change(row.rev, row.at, row.reviewer, _what(row, verb, reason)) for row, verb, reason in rows)


def entry_of(session: Session, project_id: str, prefix: str) -> Entry:
    """An entry as a person reads it; `prefix` is its id or a unique beginning."""
    row = entries.by_prefix(session, project_id, prefix)
    labels = entries.labels_of(session, project_id, [row.entry_id])[row.entry_id]
    return view(row, labels, history_of(session, project_id, row.entry_id))


def view(row: EntryRow, labels: tuple[str, ...], history: tuple[Change, ...]) -> Entry:
    """A row as a value."""
    return Entry(
        entry_id=row.entry_id,
        rev=row.rev,
        draft=entries.draft_of(row, labels),
        state=row.state,
        origin=Origin(row.origin) if row.origin else Origin.UNVERIFIED,
        pinned=row.pinned,
        tokens=row.tokens,
        created_at=row.created_at,
        updated_at=row.updated_at,
        verified_at=row.verified_at,
        superseded_by=row.superseded_by,
        reason=row.reason,
        anchor_state=row.anchor_state,
        source=dict(row.source),
        history=history,
    )


def log(session: Session, project_id: str, limit: int) -> tuple[LogLine, ...]:
    """The newest decisions first; `limit` 0 gives all."""
    query = select(*_LOG).where(Decision.project_id == project_id).order_by(col(Decision.seq).desc())  # type: ignore[call-overload]
    rows = session.exec(query.limit(limit) if limit else query).all()
    return tuple(
        LogLine(
            seq=row.seq,
            at=row.at,
            verb=Verb(row.verb),
            reviewer=row.reviewer,
            via=row.via,
            proposals=tuple(row.proposals),
            entries=tuple(row.entries),
            reason=row.reason,
            comment=row.comment,
            undone_by=row.undone_by,
            undoes=row.undoes,
            summary=_summary(row.verb, row.proposals, row.entries, row.undoes),
        )
        for row in rows
    )


def _what(row: Revision, verb: str | None, reason: str | None) -> str:
    state = str(row.value.get("state", ""))
    told = verb or ("first" if row.rev == 1 else "changed")
    return " ".join(part for part in (told, f"({state})" if state != "active" else "", reason or "") if part)


def _summary(verb: str, proposals: list[str], entry_ids: list[str], undoes: int | None) -> str:
    if undoes is not None:
        return f"undo {name(undoes)}"
    names = proposals or entry_ids
    told = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    result = f" -> {entry_ids[0]}" if proposals and len(entry_ids) == 1 else ""
    return f"{verb} {told}{result}"
