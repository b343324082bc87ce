"""Reading whole entries and the counts behind `status`."""

from collections.abc import Sequence

from sqlalchemy import func
from sqlmodel import col, select

from curator.errors import NotFound
from curator.recall.values import Whole
from curator.store.engine import Store
from curator.store.entries import by_prefix, document, labels_of
from curator.store.tables import Entry, Revision


def whole(store: Store, prefix: str) -> Whole:
    """One entry in full; a unique prefix of its id is enough. Raises `NotFound`."""
    with store.read() as session:
        entry = by_prefix(session, store.project_id, prefix)
        labels = labels_of(session, store.project_id, [entry.entry_id])[entry.entry_id]
        kept = session.exec(
            select(Revision)
            .where(Revision.project_id == store.project_id, Revision.entry_id == entry.entry_id)
            .order_by(col(Revision.rev))
        ).all()
        history = tuple(
            {
                "rev": row.rev,
                "at": row.at.isoformat(),
                "decision": row.decision,
                "reviewer": row.reviewer,
                "title": row.value.get("title", ""),
                "body": row.value.get("body", ""),
                "state": row.value.get("state", ""),
            }
            for row in kept
        )
        return Whole(entry.entry_id, document(entry, labels), history)


def first_whole(stores: Sequence[tuple[str, Store]], prefix: str) -> Whole:
    """The entry in the first store that has it. Raises `NotFound`, with the candidates where several fit."""
    reasons: list[str] = []
    for _, store in stores:
        try:
            return whole(store, prefix)
        except NotFound as error:
            reasons.append(str(error))
    raise NotFound(next((reason for reason in reasons if "fits several" in reason), f"not found: {prefix}"))


def counts(store: Store) -> dict[str, dict[str, int]]:
    """Entries by route and state: `{"injected": {"active": 3, …}, "deferred": …}`."""
    with store.read() as session:
        rows = session.exec(
            select(Entry.route, Entry.state, func.count())
            .where(Entry.project_id == store.project_id)
            .group_by(Entry.route, Entry.state)
        ).all()
    found: dict[str, dict[str, int]] = {"injected": {}, "deferred": {}}
    for route, state, number in rows:
        found.setdefault(route, {})[state] = number
    return found
