"""`purge`: private data out of everything that the product keeps. The one place where anything is deleted.

Owns what belongs to a thing that is to go: an entry or note with all that quotes it, a session with its
conversation, a value wherever it stands; in the database and in every file of the store's folder. What stays is one
line in the ledger that says that a purge happened, not of what.
"""

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session, col, select

from curator.errors import BadUsage, NotFound
from curator.interchange.beads import kept
from curator.store import tables
from curator.store.decisions import next_seq
from curator.store.engine import DATABASE, Store
from curator.store.entries import take_away
from curator.store.scrub import GONE, release, scrub
from curator.vocab import Verb

_KEPT = frozenset({DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", "config.toml", ".gitignore"})
_SQLITE = b"SQLite format 3\0"
_SHORTEST = 8  # characters of a title or body that is looked for elsewhere, too


@dataclass
class Purged:
    """What was erased, in numbers; `trouble` says what could not be done."""

    rows: int = 0
    files: int = 0
    backups: int = 0
    trouble: list[str] = field(default_factory=list)


def value(store: Store, secret: str, *, reviewer: str, via: str) -> Purged:
    """Take a text out wherever it stands. Raises BadUsage where it is too short to be told from ordinary words."""
    return _purge(store, [secret], [], reviewer, via)


def items(store: Store, ids: Iterable[str], *, reviewer: str, via: str) -> Purged:
    """Erase entries, notes and proposals by id, and their text wherever else it stands. Raises NotFound."""
    return _purge(store, [], [_item(each) for each in ids], reviewer, via)


def session(store: Store, session_id: str, *, reviewer: str, via: str) -> Purged:
    """Erase a conversation with its checkpoints and the notes it gave; it is not harvested again. Raises NotFound."""
    return _purge(store, [], [_conversation(session_id)], reviewer, via)


def _purge(store: Store, secrets: list[str], deeds: list[Any], reviewer: str, via: str) -> Purged:
    result = Purged()
    with store.write(durable=True) as open_session:
        for deed in deeds:
            texts, rows = deed(open_session, store.project_id, store)
            secrets += texts
            result.rows += rows
        for secret in secrets:
            try:
                result.rows += scrub(open_session, store.project_id, secret)
            except ValueError as error:
                raise BadUsage(str(error)) from error
        open_session.add(
            tables.Decision(
                project_id=store.project_id,
                seq=next_seq(open_session, store.project_id),
                verb=Verb.PURGE.value,
                reviewer=reviewer,
                via=via,
                reason=f"{result.rows} rows",
                at=store.now(),
            )
        )
    for path in list(_files(store.place.folder)):
        _clean_file(path, secrets, result)
    if problem := release(store):
        result.trouble.append(problem)
    return result


def _item(ident: str) -> Any:
    def erase(open_session: Session, project_id: str, store: Store) -> tuple[list[str], int]:
        entry = open_session.get(tables.Entry, (project_id, ident))
        if entry is not None:
            _never_again(open_session, store, "entries", [ident])
            kept.forget(open_session, store, ident)
        texts = [*_entry(open_session, project_id, ident), *_note(open_session, project_id, ident)]
        proposals = _proposals_with(open_session, project_id, ident)
        if not texts and not proposals:
            raise NotFound(f"not found: {ident}")
        for proposal_id in proposals:
            _forget_proposal(open_session, project_id, proposal_id)
        _forget_in_ledger(open_session, project_id, {ident, *proposals})
        return [each for each in dict.fromkeys(texts) if len(each) >= _SHORTEST], 1 + len(proposals)

    return erase


def _entry(open_session: Session, project_id: str, ident: str) -> list[str]:
    entry = open_session.get(tables.Entry, (project_id, ident))
    if entry is None:
        return []
    texts, hashes = [entry.body, entry.title], [entry.content_hash]
    for old in open_session.exec(
        select(tables.Revision).where(tables.Revision.project_id == project_id, tables.Revision.entry_id == ident)
    ):
        texts += [str(old.value.get("body", "")), str(old.value.get("title", ""))]
        hashes.append(str(old.value.get("content_hash", "")))
    for table, column in ((tables.Vector, tables.Vector.content_hash), (tables.OpenTarget, tables.OpenTarget.entry_id)):
        wanted = hashes if table is tables.Vector else [ident]
        open_session.connection().execute(
            delete(table).where(col(table.project_id) == project_id, col(column).in_(wanted))
        )
    take_away(open_session, project_id, ident)
    for note in open_session.exec(
        select(tables.Note).where(tables.Note.project_id == project_id, tables.Note.fingerprint == entry.fingerprint)
    ).all():
        texts += [note.body, note.title]
        open_session.delete(note)
    open_session.flush()
    return texts


def _note(open_session: Session, project_id: str, ident: str) -> list[str]:
    note = open_session.get(tables.Note, (project_id, ident))
    if note is None:
        return []
    texts = [note.body, note.title]
    open_session.connection().execute(
        delete(tables.Sighting).where(
            col(tables.Sighting.project_id) == project_id, col(tables.Sighting.fingerprint) == note.fingerprint
        )
    )
    open_session.delete(note)
    open_session.flush()
    return texts


def _proposals_with(open_session: Session, project_id: str, ident: str) -> list[str]:
    """The proposal of that id, and those that are about an entry or note of that id."""
    found = []
    for row in open_session.exec(select(tables.Proposal).where(tables.Proposal.project_id == project_id)):
        targets = {str(target.get("entry_id")) for target in row.targets}
        if ident == row.proposal_id or ident in targets or ident in row.notes:
            found.append(row.proposal_id)
    return found


def _forget_proposal(open_session: Session, project_id: str, proposal_id: str) -> None:
    for table in (tables.OpenTarget, tables.Proposal):
        open_session.connection().execute(
            delete(table).where(col(table.project_id) == project_id, col(table.proposal_id) == proposal_id)
        )
    open_session.expire_all()


def _forget_in_ledger(open_session: Session, project_id: str, idents: set[str]) -> None:
    """Decisions stay, without what they did to these."""
    for row in open_session.exec(select(tables.Decision).where(tables.Decision.project_id == project_id)):
        kept = [e for e in row.effects if not idents & {e.get("entry_id"), e.get("proposal_id"), e.get("note_id")}]
        if len(kept) != len(row.effects):
            row.effects = kept
            row.entries = [each for each in row.entries if each not in idents]
            row.proposals = [each for each in row.proposals if each not in idents]
            open_session.add(row)
    open_session.flush()


def _conversation(session_id: str) -> Any:
    def erase(open_session: Session, project_id: str, store: Store) -> tuple[list[str], int]:
        named = select(tables.Session).where(tables.Session.project_id == project_id)
        found = [
            row.session_id
            for row in open_session.exec(named)
            if row.session_id == session_id or row.session_id.startswith(f"{session_id}/")
        ]
        if not found:
            raise NotFound(f"not found: session {session_id}")
        texts, rows = _session_notes(open_session, project_id, set(found))
        for table in (
            tables.Record,
            tables.Checkpoint,
            tables.Attempt,
            tables.Receipt,
            tables.Sighting,
            tables.Session,
        ):
            done = open_session.connection().execute(
                delete(table).where(col(table.project_id) == project_id, col(table.session_id).in_(found))
            )
            rows += done.rowcount
        _never_again(open_session, store, "sessions", found)
        for each in found:
            _drop_folders(store.place.folder, each)
        return texts, rows

    return erase


def _session_notes(open_session: Session, project_id: str, sessions: set[str]) -> tuple[list[str], int]:
    """Erase the notes of a conversation that no decision took up, with the proposals made of them."""
    texts: list[str] = []
    rows = 0
    for note in open_session.exec(select(tables.Note).where(tables.Note.project_id == project_id)).all():
        if str(note.source.get("session", "")) not in sessions or note.state == "accepted":
            continue
        for proposal_id in _proposals_with(open_session, project_id, note.note_id):
            _forget_proposal(open_session, project_id, proposal_id)
            _forget_in_ledger(open_session, project_id, {proposal_id})
            rows += 1
        texts += [each for each in (note.body, note.title) if len(each) >= _SHORTEST]
        open_session.delete(note)
        rows += 1
    open_session.flush()
    return texts, rows


def _never_again(open_session: Session, store: Store, what: str, ids: list[str]) -> None:
    """Remember the ids of erased `sessions` or `entries`, so that no file brings them back: ids only, no text."""
    fact = open_session.get(tables.Fact, (store.project_id, "purged"))
    known = dict(fact.value) if fact else {}
    fact = fact or tables.Fact(project_id=store.project_id, key="purged", at=store.now())
    fact.value = {**known, what: sorted({*known.get(what, ()), *ids})}
    open_session.add(fact)
    open_session.flush()


def _drop_folders(folder: Path, session_id: str) -> None:
    """A session's own files: its ledger of injections, its open checkpoint."""
    for path in [each for each in folder.rglob("*") if session_id.partition("/")[0] in each.name]:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in _KEPT and path.suffix != ".lock":
            yield path


def _clean_file(path: Path, secrets: list[str], result: Purged) -> None:
    """Take the texts out of a file of ours; a backup that holds one is deleted, because it would bring it back."""
    try:
        data = path.read_bytes()
        forms = {form.encode() for each in secrets for form in _forms(each)}
        held = [form for form in forms if form in data]
        if not held:
            return
        if data.startswith(_SQLITE):
            path.unlink()
            result.backups += 1
            return
        for form in sorted(held, key=len, reverse=True):
            data = data.replace(form, GONE.encode())
        written = path.with_name(path.name + ".purging")
        written.touch(mode=0o600)
        written.write_bytes(data)
        written.chmod(path.stat().st_mode & 0o777)
        written.replace(path)
        result.files += 1
    except OSError as error:
        result.trouble.append(f"{path} could not be cleaned: {error.strerror}")


def _forms(text: str) -> set[str]:
    """A text as it stands in plain files and inside JSON."""
    return {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
