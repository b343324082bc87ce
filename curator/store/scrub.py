"""Taking text out of every table: the only deletion in the product, for private data.

Owns the walk over all tables and what must follow a changed text (hashes, fingerprints, index, vectors), and giving
the freed pages back. Knows nothing of who asked, and keeps no copy of what it takes out.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table, delete, text, update
from sqlmodel import Session, SQLModel, col, select

from curator.door import fingerprint
from curator.draft import content_hash
from curator.store import index, tables
from curator.store.engine import Store
from curator.store.entries import draft_of, indexed, labels_of

GONE = "[purged]"


def scrub(session: Session, project_id: str, value: str) -> int:
    """Replace `value` in every column of every table by `[purged]`; returns the number of rows changed.

    Hashes and fingerprints of what changed are made anew everywhere they stand, the index too, and vectors of the old
    text are deleted. Raises ValueError for a value too short to be told from ordinary text.
    """
    if len(value.strip()) < 4:
        raise ValueError("a value of fewer than four characters stands in too many places")
    before = _marks(session, project_id)
    changed = sum(_replaced(session, table, project_id, {value: GONE}, keys=False) for table in _tables())
    session.expire_all()
    moved = _remade(session, project_id, before)
    if moved:
        for table in _tables():
            _replaced(session, table, project_id, moved, keys=True)
    session.expire_all()
    return changed


def release(store: Store) -> str:
    """Give freed pages back and empty the write-ahead log, so that no file holds what was deleted.

    Returns a sentence where that could not be done, "" when it was.
    """
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw = connection.connection.driver_connection
        if not store.sqlite:
            connection.execute(text("VACUUM"))
            return ""
        cursor = raw.cursor()  # type: ignore[union-attr]
        cursor.execute("INSERT INTO entry_words(entry_words) VALUES('optimize')")
        cursor.execute("VACUUM")
        busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        cursor.close()
    return "another process has the store open: run the same command again when it is closed" if busy else ""


def _tables() -> list[Table]:
    return [table for table in SQLModel.metadata.sorted_tables if "project_id" in table.c]


def _marks(session: Session, project_id: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Content hash and fingerprint of every entry, fingerprint of every note, before the text changes."""
    entries = session.exec(
        select(tables.Entry.entry_id, tables.Entry.content_hash, tables.Entry.fingerprint).where(
            tables.Entry.project_id == project_id
        )
    )
    found = {("entry", entry_id): (digest, mark) for entry_id, digest, mark in entries}
    notes = session.exec(
        select(tables.Note.note_id, tables.Note.fingerprint).where(tables.Note.project_id == project_id)
    )
    return found | {("note", note_id): ("", mark) for note_id, mark in notes}


def _replaced(session: Session, table: Table, project_id: str, swaps: Mapping[str, str], *, keys: bool) -> int:
    """Swap texts in all columns of a table, in those of its key (labels apart) only with `keys`."""
    key = list(table.primary_key.columns)
    fixed = {"project_id"} | (set() if keys else {column.name for column in key} - {"label"})
    columns = [column for column in table.c if column.name not in fixed]
    rows = session.connection().execute(table.select().where(table.c.project_id == project_id)).mappings().all()
    changed = 0
    for row in rows:
        values = {}
        for column in columns:
            swapped = _swapped(row[column.name], swaps)
            if swapped != row[column.name]:
                values[column.name] = swapped
        if values:
            session.connection().execute(
                update(table).where(*(part == row[part.name] for part in key)).values(**values)
            )
            changed += 1
    return changed


def _swapped(value: Any, swaps: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for old, new in swaps.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, bytes):
        for old, new in swaps.items():
            for form in _forms(old):
                value = value.replace(form.encode("utf-8", "surrogatepass"), new.encode())
        return value
    if isinstance(value, dict):
        return {_swapped(key, swaps): _swapped(item, swaps) for key, item in value.items()}
    if isinstance(value, list):
        return [_swapped(item, swaps) for item in value]
    return value


def _forms(text: str) -> set[str]:
    """A text as it stands in the lines of other programs' JSON, whichever characters they escape."""
    forms = {text} | {json.dumps(text, ensure_ascii=ascii_)[1:-1] for ascii_ in (True, False)}
    html = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})
    return forms | {form.translate(html) for form in forms}


def _remade(session: Session, project_id: str, before: Mapping[tuple[str, str], tuple[str, str]]) -> dict[str, str]:
    """Make marks and index of changed entries and notes anew; returns old mark -> new mark."""
    moved: dict[str, str] = {}
    entries = session.exec(select(tables.Entry).where(tables.Entry.project_id == project_id)).all()
    labels = labels_of(session, project_id, [entry.entry_id for entry in entries])
    for entry in entries:
        own = labels[entry.entry_id]
        digest = content_hash(entry.title, entry.body, entry.kind, entry.route, own)
        old_digest, old_mark = before[("entry", entry.entry_id)]
        if digest == old_digest:
            continue
        moved |= {old: new for old, new in ((old_digest, digest), (old_mark, _mark(entry, own))) if old}
        index.put(session, project_id, indexed(entry, own))
        session.connection().execute(
            delete(tables.Vector).where(
                col(tables.Vector.project_id) == project_id, col(tables.Vector.content_hash) == old_digest
            )
        )
    taken = {mark for (kind, _), (_, mark) in before.items() if kind == "note"}
    for note in session.exec(select(tables.Note).where(tables.Note.project_id == project_id)):
        old = before[("note", note.note_id)][1]
        if (new := fingerprint(note.body)) not in taken and old not in moved:
            moved[old] = new
            taken.add(new)
    return moved


def _mark(entry: tables.Entry, labels: tuple[str, ...]) -> str:
    return fingerprint(draft_of(entry, labels).text)
