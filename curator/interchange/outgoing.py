"""Format `entries`, the way out: everything that is stored about entries, in stable order and stable bytes.

Owns the file's text and how it is put in place (whole or not at all). Retired entries travel too, and so do rows of
kinds that only another program knows.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from curator.errors import BadUsage
from curator.interchange.formats import Asked, Wrote
from curator.interchange.rows import stamp
from curator.store import entries
from curator.store.engine import Store
from curator.store.tables import Entry, RawLine, Revision

_PART = 1_000
_DROPPED = frozenset({"content_hash", "fingerprint", "encoding", "tokens", "anchor_state"})


def write_entries(store: Store, target: Path | None, _: Asked) -> Wrote:
    """Exporter of format `entries`: retired entries and history too. Raises `OSError` for what cannot be written."""
    if target is None:
        return Wrote(lines=export_entries(store))
    count = write_whole(target, export_entries(store))
    return Wrote(f"wrote {count} entries to {target}")


def export_entries(store: Store) -> Iterator[bytes]:
    """The lines of the file, sorted by id, each with its line feed, from one consistent view."""
    with store.read() as session:
        last = ""
        while part := _part(session, store.project_id, last):
            ids = [entry.entry_id for entry in part]
            labels = entries.labels_of(session, store.project_id, ids)
            history = _history(session, store.project_id, ids)
            for entry in part:
                yield line(document(entry, labels[entry.entry_id], history.get(entry.entry_id, [])))
            last = ids[-1]
        for raw in session.exec(_unknown(store.project_id)):
            yield raw.data + b"\n"


def document(entry: Entry, labels: tuple[str, ...], history: list[dict[str, Any]]) -> dict[str, Any]:
    """One entry as the file has it; what is empty or follows from the rest is left out."""
    extra = dict(entry.extra)
    value: dict[str, Any] = {
        "id": entry.entry_id,
        "kind": entry.kind,
        "title": entry.title,
        "body": entry.body,
        "labels": list(labels),
        "status": entry.state,
        "created_at": stamp(entry.created_at),
        "updated_at": stamp(entry.updated_at),
        "verified_at": stamp(entry.verified_at) if entry.verified_at != entry.updated_at else None,
        "expires_at": stamp(entry.expires_at),
        "route": entry.route,
        "origin": extra.pop("origin", entry.origin),
        "salience": entry.importance,
        "pinned": entry.pinned,
        "superseded_by": entry.superseded_by,
        "reason": entry.reason,
        "sightings": entry.sightings,
        "source": entry.source.get("text", entry.source),
        "anchors": [anchor for anchor in entry.anchors if set(anchor) != {"ref"}],
        "refs": [str(anchor.get("ref", "")) for anchor in entry.anchors],
        "history": history,
        **extra,
    }
    kept = {"id", "kind", "title", "body", "labels", "status"}
    return {name: item for name, item in value.items() if name in kept or item not in (None, "", 0, False, [], {})}


def line(value: dict[str, Any]) -> bytes:
    """A document as a line; U+2028 and its like are escaped, because many readers end a line there."""
    text = json.dumps(value, ensure_ascii=False)
    for char in "\u2028\u2029\x85":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode("utf-8", "backslashreplace") + b"\n"


def write_whole(path: Path, lines: Iterator[bytes], mode: int = 0o600) -> int:
    """Put a file in place whole or not at all; returns its number of lines. Raises `OSError` naming the path.

    A file that is there keeps its mode; a symbolic link is followed. Raises `BadUsage` for a folder.
    """
    if path.is_dir():
        raise BadUsage(f"{path} is a folder")
    path = path.resolve() if path.is_symlink() else path
    if path.exists():
        mode = path.stat().st_mode & 0o777
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    count = 0
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "wb") as file:
            for count, each in enumerate(lines, 1):  # noqa: B007 (the last number is the count)
                file.write(each)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        draft.unlink(missing_ok=True)
    return count


def _part(session: Session, project_id: str, after: str) -> list[Entry]:
    session.expunge_all()  # memory stays flat however large the store is
    query = select(Entry).where(Entry.project_id == project_id, col(Entry.entry_id) > after)
    return list(session.exec(query.order_by(Entry.entry_id).limit(_PART)))


def _history(session: Session, project_id: str, ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Earlier revisions by entry, oldest first, without what follows from the rest."""
    out: dict[str, list[dict[str, Any]]] = {}
    query = (
        select(Revision, Entry.rev)
        .join(Entry, (col(Entry.project_id) == Revision.project_id) & (col(Entry.entry_id) == Revision.entry_id))
        .where(Revision.project_id == project_id, col(Revision.entry_id).in_(ids), col(Revision.rev) < col(Entry.rev))
        .order_by(col(Revision.entry_id), col(Revision.rev).asc())
    )
    for revision, _ in session.exec(query):
        value = {name: item for name, item in revision.value.items() if name not in _DROPPED}
        kept = {"rev": revision.rev, "at": stamp(revision.at), "reviewer": revision.reviewer, "value": value}
        out.setdefault(revision.entry_id, []).append(kept)
    return out


def _unknown(project_id: str) -> Any:
    query = select(RawLine).where(RawLine.project_id == project_id, RawLine.format == "entries")
    return query.order_by(col(RawLine.key), col(RawLine.line))
