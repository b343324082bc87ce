"""Format `markdown`, the way out: one managed block in a file, or a file for each entry in a folder.

Owns what is written where, and when it is refused. A file of somebody else's in the folder, or one of ours that was
changed by hand, is left. Every file is put in place whole or not at all, and only when its bytes change.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlmodel import col, select

from curator.door import redact
from curator.edge.tokens import tokens
from curator.errors import Conflict, CuratorError
from curator.interchange.block import Item, placed, rendered, span
from curator.interchange.formats import Asked, Wrote
from curator.interchange.outgoing import write_whole
from curator.interchange.rows import stamp
from curator.plain import plain
from curator.store import entries
from curator.store.engine import Store
from curator.store.tables import Entry
from curator.vocab import EntryState, Route

_FILES = frozenset({".md", ".mdc", ".markdown", ".txt"})
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
_MINE = re.compile(r"\A---\ncurator: entry\n(?P<head>(?:[a-z]+: .*\n)*)---\n\n", re.MULTILINE)


def write_markdown(store: Store, target: Path | None, _: Asked) -> Wrote:
    """Exporter of format `markdown`. Raises `CuratorError` where a file may not be touched."""
    if target is None:
        items, notes = _items(store)
        return Wrote(lines=[rendered(items).encode() + b"\n"] if items else (), notes=notes)
    _check(store, target)
    if target.is_dir() or (not target.exists() and target.suffix not in _FILES and not target.name.startswith(".")):
        return _folder(store, target)
    return _file(store, target)


def _check(store: Store, target: Path) -> None:
    """Refuse a path that looks as if it lay in the project and leads out of it by a link."""
    top = _real(store.place.top)
    given = Path(*target.parts).absolute()
    inside = given.is_relative_to(top) or given.is_relative_to(store.place.top)
    if inside and ".." not in target.parts and not _real(target).is_relative_to(top):
        raise CuratorError(f"{target} leads out of the project by a symbolic link; nothing was written")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # `Path.resolve` raises where links lead in a circle


def _items(store: Store) -> tuple[list[Item], tuple[str, ...]]:
    """What the block holds: every active entry of the injected memory that is not stale, by kind and id."""
    items, taken_out, stale = [], [], 0
    with store.read() as session:
        query = select(Entry).where(
            Entry.project_id == store.project_id,
            Entry.state == EntryState.ACTIVE.value,
            Entry.route == Route.INJECTED.value,
        )
        for entry in session.exec(query.order_by(col(Entry.kind), col(Entry.entry_id))):
            if entry.anchor_state == "STALE":
                stale += 1
                continue
            title, body = redact(entry.title), redact(entry.body)
            if title.kinds or body.kinds:
                taken_out.append(entry.entry_id)
            items.append(Item(entry.entry_id, entry.kind, title.text, body.text))
    notes = [f"credentials were taken out of {', '.join(taken_out)}"] if taken_out else []
    if stale:
        notes.append(f"{stale} stale entries were left out")
    return items, tuple(notes)


def _file(store: Store, target: Path) -> Wrote:
    items, notes = _items(store)
    path = _real(target)
    there = path.exists()
    if path.is_symlink() or (there and not path.is_file()):
        raise CuratorError(f"{target} is no regular file")
    data = path.read_bytes() if there else b""
    if b"\0" in data:
        raise CuratorError(f"{target} is no text; nothing was written")
    try:
        if not items and not span(data):
            return Wrote("no active entry to write; nothing was touched", notes=notes)
        block = rendered(items)
        made = placed(data, block)
    except CuratorError as error:
        raise CuratorError(f"{target}: {error}") from error
    if there and made == data:
        return Wrote(f"{target} holds these {len(items)} entries already", notes=notes)
    if (path.read_bytes() if path.exists() else b"") != data:
        raise Conflict(f"{target} changed meanwhile; nothing was written")
    write_whole(path, iter([made]))
    cost = tokens(store.settings.encoding).count(block)
    return Wrote(f"wrote a block of {len(items)} entries ({cost:,} tokens) into {target}", notes=notes)


@dataclass
class _Done:
    written: int = 0
    same: int = 0
    removed: int = 0
    taken_out: int = 0


def _folder(store: Store, target: Path) -> Wrote:
    """A file for each active entry; files of retired ones go; what is not ours, or was changed by hand, stays."""
    done, left = _Done(), list[str]()
    names: set[str] = set()
    for name, text in _texts(store, names, done):
        target.mkdir(parents=True, exist_ok=True)
        path = target / name
        there = _there(path)
        if there == text:
            done.same += 1
        elif there is not None and not _ours(there, store.project_id):
            left.append(name)
        else:
            write_whole(path, iter([text.encode("utf-8", "replace")]))
            done.written += 1
    for path in sorted(target.glob("*.md")):
        if path.name in names or not (text := _there(path) or "") or f'"{store.project_id}"' not in text[:2_000]:
            continue
        if _ours(text, store.project_id):
            path.unlink()
            done.removed += 1
        else:
            left.append(path.name)
    notes = tuple(f"{name}: not ours, or changed by hand; left as it is" for name in left)
    if done.taken_out:
        notes += (f"credentials were taken out of {done.taken_out} entries",)
    said = f"{done.written} files written, {done.same} unchanged, {done.removed} removed in {target}"
    return Wrote(said, notes=notes, complete=not left)


def _texts(store: Store, names: set[str], done: _Done) -> Iterator[tuple[str, str]]:
    with store.read() as session:
        query = select(Entry).where(Entry.project_id == store.project_id, Entry.state == EntryState.ACTIVE.value)
        rows = session.exec(query.order_by(col(Entry.entry_id))).all()
        labels = entries.labels_of(session, store.project_id, [row.entry_id for row in rows])
        taken: set[str] = set()
        for row in rows:
            title, body = redact(row.title), redact(row.body)
            done.taken_out += bool(title.kinds or body.kinds)
            name = file_name(row.entry_id, taken)
            names.add(name)
            yield name, _text(row, title.text, body.text, labels[row.entry_id])


def file_name(entry_id: str, taken: set[str]) -> str:
    """A name that every file system takes, the same for the same id; ids that differ in case only get two."""
    safe = _UNSAFE.sub(lambda found: f"_{ord(found[0]):x}", entry_id)
    safe = f"_{safe}" if safe.startswith((".", "-")) or _DEVICE.match(safe) else safe
    if safe.lower() in taken or len(safe) > 100:
        safe = f"{safe[:80]}_{hashlib.sha256(entry_id.encode('utf-8', 'replace')).hexdigest()[:8]}"
    taken.add(safe.lower())
    return f"{safe}.md"


def _text(row: Entry, title: str, body: str, labels: tuple[str, ...]) -> str:
    """Front matter whose values are JSON, so that no text can end it, then the body."""
    body = plain(body).strip() + "\n"
    fields: dict[str, object] = {
        "id": row.entry_id,
        "kind": row.kind,
        "route": row.route,
        "state": row.state,
        "title": plain(title),
        "labels": [redact(label).text for label in labels],
        "created": stamp(row.created_at),
        "updated": stamp(row.updated_at),
        "project": row.project_id,
    }
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in fields.items())
    return f"---\ncurator: entry\n{head}digest: {_digest(head + body)}\n---\n\n{body}"


def _digest(text: str) -> str:
    return json.dumps(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16])


def _there(path: Path) -> str | None:
    """The text at a path; None where nothing is, a placeholder for what cannot be ours."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "not ours"
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        return "not ours"


def _ours(text: str, project_id: str) -> bool:
    """Did an export of this project write it, and nobody change it since?"""
    found = _MINE.match(text)
    if not found or f'project: "{project_id}"\n' not in found["head"]:
        return False
    head, _, digest = found["head"].rpartition("digest: ")
    return digest.strip() == _digest(head + text[found.end() :])
