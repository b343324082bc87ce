"""Looking after a store: is it whole, and is the index in step with the entries?

Owns checks and the rebuilding of what is derived. It changes no entry.
"""

from sqlalchemy import text
from sqlmodel import Session, col, select

from curator.store import index
from curator.store.engine import Store
from curator.store.entries import indexed, labels_of
from curator.store.tables import Entry

_BATCH = 500


def faults(store: Store) -> list[str]:
    """What is wrong, one sentence each; empty when the store is whole."""
    with store.read() as session:
        found = _damage(session) if store.sqlite else []
        return found or _index_faults(session, store.project_id)


def reindex(store: Store) -> int:
    """Build the full-text index anew from the entries, in one transaction; returns how many were indexed."""
    done = 0
    with store.write() as session:
        _empty(session, store)
        last = ""
        while rows := _after(session, store.project_id, last):
            labels = labels_of(session, store.project_id, [row.entry_id for row in rows])
            index.put_many(session, store.project_id, [indexed(row, labels[row.entry_id]) for row in rows])
            done, last = done + len(rows), rows[-1].entry_id
            session.expunge_all()
    return done


def _empty(session: Session, store: Store) -> None:
    if store.sqlite:
        session.connection().execute(text("DELETE FROM entry_words"))
    else:
        statement = text("DELETE FROM entry_words WHERE project_id = :project")
        session.connection().execute(statement, {"project": store.project_id})


def _after(session: Session, project_id: str, last: str) -> list[Entry]:
    rows = select(Entry).where(Entry.project_id == project_id, col(Entry.entry_id) > last)
    return list(session.exec(rows.order_by(col(Entry.entry_id)).limit(_BATCH)).all())


def _damage(session: Session) -> list[str]:
    connection = session.connection()
    rows = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(20)"))]
    found = [] if rows == ["ok"] else [f"damaged: {row}" for row in rows]
    orphans = connection.execute(text("PRAGMA foreign_key_check")).all()
    return found + [f"a row of {row[0]} belongs to nothing in {row[2]}" for row in orphans[:20]]


def _index_faults(session: Session, project_id: str) -> list[str]:
    values = {"project": project_id}
    counted = "SELECT count(*) FROM {} WHERE project_id = :project"
    entries, words = (
        int(session.connection().execute(text(counted.format(table)), values).scalar_one())
        for table in ("entry", "entry_words")
    )
    return [] if entries == words else [f"the index holds {words} of {entries} entries; `curator db reindex` mends it"]
