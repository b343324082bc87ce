"""What lies around a proposal: the conversation at a piece of evidence, entries by words, saved filters."""

from sqlmodel import Session, col, select

from curator.desk.history import view
from curator.desk.views import Entry, Evidence, Line
from curator.ports import Now
from curator.store import entries
from curator.store import search as stored
from curator.store.tables import Entry as EntryRow
from curator.store.tables import Fact, Record

_TABS = "review.tabs"


def source(session: Session, project_id: str, evidence: Evidence, around: int) -> tuple[Line, ...]:
    """The kept conversation at a piece of evidence, `around` messages before and after; empty where none is kept."""
    if evidence.seq is None or not evidence.session:
        return ()
    rows = session.exec(
        select(Record)
        .where(
            Record.project_id == project_id,
            Record.session_id == evidence.session,
            col(Record.seq).between(evidence.seq - around, evidence.seq + around),
        )
        .order_by(col(Record.seq))
    )
    return tuple(
        Line(
            row.seq,
            row.kind,
            row.typed,
            row.at,
            row.text or f"{row.name} ({row.size:,} bytes)",
            row.seq == evidence.seq,
        )
        for row in rows
    )


def search(session: Session, project_id: str, words: str, limit: int) -> tuple[Entry, ...]:
    """Active entries that hold all words, best first; without words the newest."""
    filters = stored.Filters()
    found = (
        stored.by_words(session, project_id, words, filters, title_only=False, every=True, limit=limit)
        if words.strip()
        else stored.all_of(session, project_id, filters, limit)
    )
    ids = [entry_id for entry_id, _ in found.ids]
    labels = entries.labels_of(session, project_id, ids)
    rows = [session.get(EntryRow, (project_id, entry_id)) for entry_id in ids]
    return tuple(view(row, labels[row.entry_id], ()) for row in rows if row is not None)


def tabs(session: Session, project_id: str) -> dict[str, str]:
    """The saved filters: name and filter line, in the order they were saved."""
    fact = session.get(Fact, (project_id, _TABS))
    return {str(name): str(line) for name, line in (fact.value if fact else {}).items()}


def save_tab(session: Session, project_id: str, name: str, line: str, now: Now) -> None:
    """Save a filter line under a name; an empty line takes the name away."""
    fact = session.get(Fact, (project_id, _TABS)) or Fact(project_id=project_id, key=_TABS, at=now())
    kept = {key: value for key, value in fact.value.items() if key != name}
    fact.value, fact.at = {**kept, **({name: line} if line else {})}, now()
    session.add(fact)
