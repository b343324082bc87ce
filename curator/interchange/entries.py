"""Format `entries`, the way in: each row of a file becomes at most one proposal; nothing is written over.

Owns how a row stands to what is here. A row that is here already makes none, an older one is reported, one that was
retired or refused here stays so, and where both sides changed at the same time a person sees both. Importing again
changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from curator.draft import Draft
from curator.interchange.incoming import Offer, Read, take
from curator.interchange.lines import Line, read
from curator.interchange.rows import Row
from curator.interchange.times import ahead
from curator.ports import Tokens
from curator.store import entries, proposals
from curator.store.engine import Store
from curator.store.refusals import count_blocked
from curator.store.tables import Entry, Fact, RawLine, Refusal
from curator.vocab import EntryState, Op, Origin, Route

FORMAT = "entries"
CONFLICT = "conflict"
"""The warning on a proposal where both sides changed at the same time, or one is ahead of the clock."""

OUTCOMES = ("new", "newer", "older", "retired", CONFLICT, "same", "waiting", "held", "refused")
"""Outcomes of a row: `retired` and `refused` stay as decided here; `held`: the entry has another proposal."""

_REASONS = {
    "new": "not here yet",
    "newer": "changed later than the entry here",
    CONFLICT: "another text of the same time as the entry here",
}


@dataclass
class Report:
    """What became of each row, as ids (or `line N`) by outcome; `read` is what the file itself held."""

    read: Read
    outcomes: dict[str, list[str]]
    proposals: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Could every line be read?"""
        return not self.read.bad and not self.read.marks


_PROPOSED = frozenset({"new", "newer", CONFLICT})


@dataclass(frozen=True)
class _Here:
    """What the store says about everything a row could meet."""

    entries: dict[str, tuple[str, str, datetime, int]]
    """content hash, state, time, revision by id"""
    texts: dict[str, tuple[str, str]]
    """id and state by fingerprint; an active entry before a retired one"""
    refused: frozenset[str]
    purged: frozenset[str]
    """ids of entries that were erased here for good"""
    dead: frozenset[str]
    """ids of records that a beads file once called tombstones"""
    held: dict[str, str]
    waiting: dict[str, str]
    marks: dict[str, str]
    """content hash of the entry when it was last the same as its row, by id, for rows without a time"""


def import_entries(store: Store, path: Path, tokens: Tokens) -> Report:
    """Importer of format `entries`. Raises `NotFound` for what is no file, `OSError` for what cannot be read."""
    offered = take(read(path), store.now(), store.settings.note_bytes)
    with store.write() as session:
        report = propose(session, store, offered, FORMAT, path.name, tokens)
        keep_unknown(session, store.project_id, offered.unknown)
    return report


def propose(session: Session, store: Store, offered: Read, form: str, source: str, tokens: Tokens) -> Report:
    """Make the proposals for what a file of any format offers; `source` is its name as evidence shows it."""
    report = Report(offered, {name: [] for name in OUTCOMES})
    here = _here(session, store.project_id, offered)
    pending: list[tuple[str, Offer]] = []
    for key, offer in offered.offers.items():
        outcome = _judge(offer, here, store.now())
        report.outcomes[outcome].append(key)
        if outcome in _PROPOSED:
            pending.append((outcome, offer))
    for start in range(0, len(pending), 1_000):
        part = pending[start : start + 1_000]
        rows = [_proposal(session, store, offer, outcome, form, source, tokens) for outcome, offer in part]
        report.proposals += proposals.add_many(session, store.project_id, rows)
    for key in report.outcomes["refused"]:
        count_blocked(session, store.project_id, offered.offers[key].fingerprint, store.now())
    return report


def keep_unknown(session: Session, project_id: str, lines: Sequence[Line]) -> None:
    """Keep rows of a kind that this program does not know, by id, so that they come back on export."""
    for line in lines:
        key = str((line.value or {}).get("id") or f"line {line.number}")
        known = select(RawLine).where(RawLine.project_id == project_id, RawLine.format == FORMAT, RawLine.key == key)
        found = session.exec(known).first()
        number = select(RawLine.line).where(RawLine.project_id == project_id, RawLine.format == FORMAT)
        last = max(session.exec(number).all(), default=0)
        kept = found or RawLine(project_id=project_id, format=FORMAT, path="", line=last + 1, key=key, data=b"")
        kept.data = line.raw
        session.add(kept)
        session.flush()


def _judge(offer: Offer, here: _Here, now: datetime) -> str:
    row = offer.row
    known = here.entries.get(row.draft.entry_id)
    if known is not None:
        return _judge_known(row, known, here, now)
    if row.draft.entry_id in here.purged:
        return "retired"
    if row.draft.entry_id in here.dead and row.state is EntryState.ACTIVE:
        return "retired"
    if offer.fingerprint in here.waiting:
        return "waiting"
    entry_id, state = here.texts.get(offer.fingerprint, ("", ""))
    if state == EntryState.ACTIVE or (entry_id and state == row.state):
        return "same"
    if row.state is EntryState.ACTIVE:
        if state == EntryState.TOMBSTONED:
            return "retired"
        if offer.fingerprint in here.refused:
            return "refused"
    if not row.draft.entry_id:
        here.texts[offer.fingerprint] = (f"line {offer.line}", row.state.value)
    return CONFLICT if offer.other else "new"


def _judge_known(row: Row, known: tuple[str, str, datetime, int], here: _Here, now: datetime) -> str:
    digest, state, at, _ = known
    same_text = digest == row.draft.content_hash
    if same_text and state == row.state:
        return "same"
    if state != EntryState.ACTIVE:
        return "retired"
    mark = here.marks.get(row.draft.entry_id, "")
    if mark == row.draft.content_hash or (row.updated_at < at and not mark):
        return "older"
    if row.draft.entry_id in here.held:
        return "waiting" if here.waiting.get(_fingerprint(row)) == here.held[row.draft.entry_id] else "held"
    if _fingerprint(row) in here.refused:
        return "refused"
    if mark:
        return "newer" if mark == digest else CONFLICT
    doubtful = row.updated_at == at or ahead(row.updated_at, now) != ahead(at, now)
    return CONFLICT if doubtful else "newer"


def _fingerprint(row: Row) -> str:
    from curator.door import fingerprint

    suffix = "" if row.state is EntryState.ACTIVE else f"\n{row.state.value} {row.draft.entry_id}"
    return fingerprint(row.draft.body + suffix)


def _proposal(
    session: Session, store: Store, offer: Offer, outcome: str, form: str, file: str, tokens: Tokens
) -> dict[str, Any]:
    row, draft = offer.row, offer.row.draft
    settings: dict[str, Any] = {"from": form}
    before, after, op = [], [draft], Op.ADD
    targets: list[dict[str, Any]] = []
    if outcome == "new" or (outcome == CONFLICT and session.get(Entry, (store.project_id, draft.entry_id)) is None):
        settings |= {"columns": _columns(row), "history": list(row.history)}
    else:
        now, here = _now(session, store.project_id, draft.entry_id)
        before, targets = [now], [{"entry_id": here.entry_id, "rev": here.rev, "content_hash": here.content_hash}]
        op = Op.UPDATE if row.state is EntryState.ACTIVE else Op.TOMBSTONE
        if brought := row.columns["extra"].get("bd"):
            settings["columns"] = {"extra": {**here.extra, "bd": brought}}
        after = [draft] if op is Op.UPDATE else _successor(session, store.project_id, row)
    evidence = [_evidence(file, offer.line, draft)] + ([_evidence(file, 0, offer.other)] if offer.other else [])
    counted = sum(_cost(each, tokens) for each in after) - sum(_cost(each, tokens) for each in before)
    return {
        "op": op.value,
        "title": draft.title,
        "kind": draft.kind.value,
        "route": draft.route.value,
        "origin": Origin.IMPORT.value,
        "targets": targets,
        "before": [each.document() for each in before],
        "after": [each.document() for each in after],
        "reason": (str(row.columns["reason"]) if op is Op.TOMBSTONE else "") or f"{file}: {_REASONS[outcome]}",
        "confidence": 0.5,
        "harm": {"new": 0.2, "newer": 0.5, CONFLICT: 0.7}[outcome],
        "evidence": evidence,
        "warnings": [CONFLICT] if outcome == CONFLICT else [],
        "fingerprint": _fingerprint(row) if targets else offer.fingerprint,
        "token_effect": counted if row.state is EntryState.ACTIVE or targets else 0,
        "settings": settings,
        "created_at": store.now(),
        "expires_at": store.now() + timedelta(days=store.settings.proposal_days),
    }


def _columns(row: Row) -> dict[str, Any]:
    """The columns that an accepted row brings with it, as JSON."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.columns.items()}


def _now(session: Session, project_id: str, entry_id: str) -> tuple[Draft, Entry]:
    entry = entries.get(session, project_id, entry_id)
    return entries.draft_of(entry, entries.labels_of(session, project_id, [entry_id])[entry_id]), entry


def _successor(session: Session, project_id: str, row: Row) -> list[Draft]:
    """For a superseded row the entry that took its place, where it is here."""
    by = str(row.columns["superseded_by"])
    there = session.get(Entry, (project_id, by)) if by else None
    return [_now(session, project_id, by)[0]] if there is not None and there.state == EntryState.ACTIVE else []


def _evidence(file: str, line: int, draft: Draft) -> dict[str, Any]:
    where = f"{file}:{line}" if line else file
    return {"speaker": "file", "origin": Origin.IMPORT.value, "file": where, "text": draft.text}


def _cost(draft: Draft, tokens: Tokens) -> int:
    return tokens.count(draft.text) if draft.route is Route.INJECTED else 0


def _here(session: Session, project_id: str, offered: Read) -> _Here:
    columns = (Entry.entry_id, Entry.content_hash, Entry.state, Entry.updated_at, Entry.rev, Entry.fingerprint)
    known: dict[str, tuple[str, str, datetime, int]] = {}
    texts: dict[str, tuple[str, str]] = {}
    for entry_id, digest, state, at, rev, fingerprint in session.exec(
        select(*columns).where(Entry.project_id == project_id)  # type: ignore[call-overload]
    ):
        known[entry_id] = (digest, state, at, rev)
        if state == EntryState.ACTIVE or fingerprint not in texts:
            texts[fingerprint] = (entry_id, state)
    erased = session.get(Fact, (project_id, "purged"))
    beads = session.get(Fact, (project_id, "beads"))
    refused = session.exec(select(Refusal.fingerprint).where(Refusal.project_id == project_id))
    return _Here(
        known,
        texts,
        frozenset(refused),
        frozenset(erased.value.get("entries", ()) if erased else ()),
        frozenset(beads.value.get("dead", ()) if beads else ()),
        proposals.held(session, project_id),
        proposals.waiting_fingerprints(session, project_id),
        _marks(session, project_id, [key for key, offer in offered.offers.items() if not offer.row.timed]),
    )


def _marks(session: Session, project_id: str, ids: Sequence[str]) -> dict[str, str]:
    marks: dict[str, str] = {}
    for start in range(0, len(ids), 500):
        query = select(Entry.entry_id, Entry.extra).where(
            Entry.project_id == project_id, col(Entry.entry_id).in_(ids[start : start + 500])
        )
        marks |= {entry_id: str(extra["bd"]) for entry_id, extra in session.exec(query) if extra.get("bd")}
    return marks
