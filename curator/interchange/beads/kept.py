"""The lines of beads files, kept as they were read, so that an export can write them back unchanged.

Owns the table `raw_line` for format `beads`: one set of lines a file, in place of its earlier one. A line that holds
a credential is kept with the value taken out and the digest of the whole; the file itself, where it is still there,
gives it back.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, insert, update
from sqlmodel import Session, col, select

from curator.door import redact
from curator.interchange.beads import records
from curator.interchange.beads.records import Names, What, is_id
from curator.interchange.incoming import Offer
from curator.interchange.lines import Line, parsed, wholes
from curator.store.engine import Store
from curator.store.tables import Entry, Fact, RawLine
from curator.vocab import EntryState

FORM = "beads"
LIVE = "bd"
"""The name under which the lines of the live program are kept."""

_FACT = "beads"


@dataclass(frozen=True)
class Kept:
    """A kept line with its line end. `hidden` is the digest of the line as it was, where a credential was taken out."""

    number: int
    whole: bytes
    hidden: str = ""


def name_of(store: Store, path: Path) -> str:
    """A file's name among the kept: its path within the project, else the whole path."""
    path, root = path.resolve(), store.place.root.resolve()
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def keep(
    session: Session, store: Store, name: str, whole: Iterable[tuple[int, bytes]], dead: Iterable[str] = ()
) -> None:
    """Keep a file's lines in place of those that were kept of it before; ids that are `dead` once are dead for good."""
    project_id = store.project_id
    session.connection().execute(
        delete(RawLine).where(
            col(RawLine.project_id) == project_id, col(RawLine.format) == FORM, col(RawLine.path) == name
        )
    )
    rows = []
    whole = without(session, store, list(whole))
    for number, text in whole:
        data, hidden = _safe(number, text)
        rows.append(
            {"project_id": project_id, "format": FORM, "path": name, "line": number, "key": hidden, "data": data}
        )
    for start in range(0, len(rows), 1_000):
        session.connection().execute(insert(RawLine), rows[start : start + 1_000])
    fact = session.get(Fact, (project_id, _FACT)) or Fact(project_id=project_id, key=_FACT, at=store.now())
    files = [each for each in fact.value.get("files", []) if each != name]
    fact.value = {"files": [name, *files], "dead": sorted({*fact.value.get("dead", []), *dead})}
    session.add(fact)
    session.flush()


def without(session: Session, store: Store, whole: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The lines but for those of records that were purged here: their text comes back from no door."""
    fact = session.get(Fact, (store.project_id, "purged"))
    purged = set(fact.value.get("entries", ())) if fact else set()
    if not purged:
        return whole
    lines = [line for number, text in whole if (line := parsed(number, text)) and line.value is not None]
    found = names(session, store, lines)
    gone = {line.number for line in lines if _about(line.value or {}, found) in purged}
    return [(number, text) for number, text in whole if number not in gone]


def forget(session: Session, store: Store, entry_id: str) -> int:
    """Erase every kept line of the record that an entry is about; returns their number."""
    gone = 0
    for name in files(session, store.project_id):
        lines = [line for each in lines_of(session, store, name) if (line := parsed(each.number, each.whole))]
        found = names(session, store, lines)
        about = [line.number for line in lines if line.value is not None and _about(line.value, found) == entry_id]
        done = session.connection().execute(
            delete(RawLine).where(
                col(RawLine.project_id) == store.project_id,
                col(RawLine.format) == FORM,
                col(RawLine.path) == name,
                col(RawLine.line).in_(about),
            )
        )
        gone += done.rowcount
    return gone


def _about(value: dict[str, Any], found: Names) -> str:
    key = records.key_of(value)
    return "" if key is None else found.entry_id(key[1]) if key[0] == What.MEMORY else key[1]


def files(session: Session, project_id: str) -> list[str]:
    """The names of the kept files, the one read or written last first."""
    fact = session.get(Fact, (project_id, _FACT))
    return list(fact.value.get("files", [])) if fact else []


def lines_of(session: Session, store: Store, name: str, beside: Sequence[Path] = ()) -> list[Kept]:
    """A file's kept lines in order; hidden ones as they were where the file, or one `beside`, still has them."""
    query = select(RawLine.line, RawLine.data, RawLine.key).where(
        RawLine.project_id == store.project_id, RawLine.format == FORM, RawLine.path == name
    )
    found = [Kept(*row) for row in session.exec(query.order_by(col(RawLine.line)))]
    wanted = {line.hidden for line in found} - {""}
    there: dict[str, bytes] = {}
    for path in (*beside, store.place.root / name) if wanted else ():
        if path.is_file():
            there |= {digest: text for _, text in wholes(path) if (digest := _digest(text)) in wanted}
    return [Kept(line.number, there[line.hidden]) if line.hidden in there else line for line in found]


def names(session: Session, store: Store, lines: Iterable[Line]) -> Names:
    """What reading these lines depends on."""
    values = [line.value for line in lines if line.value is not None]
    issues = {str(value.get("id")) for value in values if records.what(value) is What.ISSUE}
    keys = [key for value in values if records.what(value) is What.MEMORY and is_id(key := str(value.get("key")))]
    titles: dict[str, str] = {}
    for start in range(0, len(keys), 500):
        query = select(Entry.entry_id, Entry.title).where(
            Entry.project_id == store.project_id, col(Entry.entry_id).in_(keys[start : start + 500])
        )
        titles |= dict(session.exec(query).all())
    return Names(dict(store.settings.issue_types), frozenset(issues), titles)


def mark(session: Session, store: Store, hashes: dict[str, str]) -> None:
    """Note of entries, by id, that bd holds them with this content; a note that is there already costs nothing."""
    ids = list(hashes)
    for start in range(0, len(ids), 500):
        query = select(Entry.entry_id, Entry.rev, Entry.extra).where(
            Entry.project_id == store.project_id, col(Entry.entry_id).in_(ids[start : start + 500])
        )
        for entry_id, rev, extra in session.exec(query).all():
            if extra.get("bd") != hashes[entry_id]:
                session.connection().execute(
                    update(Entry)
                    .where(
                        col(Entry.project_id) == store.project_id,
                        col(Entry.entry_id) == entry_id,
                        col(Entry.rev) == rev,
                    )
                    .values(extra={**extra, "bd": hashes[entry_id]})
                )


def mark_same(session: Session, store: Store, offers: Sequence[Offer]) -> None:
    """Mark the entries that say what these memories of bd say."""
    prints = [offer.fingerprint for offer in offers if "bd" in offer.row.columns["extra"]]
    hashes: dict[str, str] = {}
    for start in range(0, len(prints), 500):
        query = select(Entry.entry_id, Entry.content_hash).where(
            Entry.project_id == store.project_id,
            Entry.state == EntryState.ACTIVE,
            col(Entry.fingerprint).in_(prints[start : start + 500]),
        )
        hashes |= dict(session.exec(query).all())
    mark(session, store, hashes)


def _safe(number: int, whole: bytes) -> tuple[bytes, str]:
    """A line as it may be stored, and the digest of the whole where it held a credential."""
    line = parsed(number, whole)
    if line is None:
        return whole, ""
    if line.value is None:
        text = whole.decode("utf-8", "surrogateescape")
        safe = redact(text)
        return (safe.text.encode("utf-8", "surrogateescape"), _digest(whole)) if safe.kinds else (whole, "")
    clean = _redacted(line.value)
    if clean == line.value:
        return whole, ""
    end = whole[len(whole.rstrip(b"\r\n")) :]
    return json.dumps(clean).encode() + end, _digest(whole)


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, dict):
        return {_redacted(key): _redacted(item) for key, item in value.items()}
    return [_redacted(item) for item in value] if isinstance(value, list) else value


def _digest(whole: bytes) -> str:
    return hashlib.sha256(whole.rstrip(b"\r\n")).hexdigest()
