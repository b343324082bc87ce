"""The store as the values of a sync file: the same for every store that holds the same.

Reads only; entries come one by one, so that memory stays flat. What a person kept although it looks like a
credential is redacted here: the file goes to git.
"""

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.door import redact
from curator.store.tables import Decision, Entry, Fact, Proposal, RawLine, Refusal, Revision
from curator.sync.reading import Survey, rev_of
from curator.sync.records import FIELDS, Gone, Made, Refused, Rev, rev, rev_line, short, stamp
from curator.sync.strand import Strand
from curator.sync.writing import Side
from curator.vocab import Verb

FORMAT = "sync"
"""Marks what the import leaves in the store: lines of newer programs, and proposals."""

PARENTS = "parents"
TAKEN = "taken"
"""Kept with a revision that came from a file: what it follows, and the number of the import that took it."""

HEADS = "heads"
"""In the settings of a proposal made here: the revisions of the other side that its decision settles."""

_PART = 1_000
_TEXTS = ("title", "body", "labels", "refs", "reason", "source", "extra")
_TIMES = ("created_at", "updated_at", "verified_at", "expires_at")
_OF_THE_QUEUE = (Verb.SNOOZE, Verb.REVISE, Verb.SPLIT, Verb.CONFIRM, Verb.SYNC)
"""Verbs of decisions that do not travel: they are about this store's queue, conversation or file."""


@dataclass
class Ledger:
    """The decisions that travel: their names by number here, and which of them settled two sides of an entry.

    `sides` are revisions of a teammate that stand beside an entry's own, because a person has to choose.
    """

    ids: dict[int, str] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)
    seqs: dict[str, int] = field(default_factory=dict)
    settled: dict[str, list[tuple[int, Made, tuple[str, ...]]]] = field(default_factory=dict)
    sides: dict[str, list[Rev]] = field(default_factory=dict)


def side(session: Session, project_id: str) -> tuple[Side, Ledger]:
    """The whole store; its strands are read while they are asked for, in this session."""
    more = kept(session, project_id)
    ledger = ledger_of(session, project_id, more)
    refused = {
        row.fingerprint: Refused(
            row.fingerprint,
            redact(row.text).text,
            row.slots,
            redact(row.reason).text,
            ledger.ids.get(row.decision, ""),
            stamp(row.at),
            more.get(f"refusal {row.fingerprint}", {}),
        )
        for row in session.exec(select(Refusal).where(Refusal.project_id == project_id))
    }
    unknown = [
        str(text).encode("utf-8", "backslashreplace") for key, text in more.items() if key.startswith("unknown ")
    ]
    return Side(strands(session, project_id, ledger, more), ledger.made, refused, unknown), ledger


def ledger_of(session: Session, project_id: str, more: Mapping[str, Any]) -> Ledger:
    """The decisions, oldest first, without their effects."""
    out = Ledger(sides=_sides(more))
    waiting = _settling(session, project_id)
    columns = (Decision.seq, Decision.at, Decision.verb, Decision.reviewer, Decision.via, Decision.reason)
    query = select(*columns, Decision.comment, Decision.undoes, Decision.proposals).where(  # type: ignore[call-overload]
        Decision.project_id == project_id, col(Decision.verb).not_in(_OF_THE_QUEUE)
    )
    instant, nth = "", 0
    for row in session.exec(query.order_by(col(Decision.seq))):
        at = stamp(row.at)
        nth = nth + 1 if at == instant else 0
        instant = at
        reason, comment = redact(row.reason).text, redact(row.comment).text
        undoes = out.ids.get(row.undoes, "")
        made = Made(at, row.verb, row.reviewer, row.via, reason, comment, nth, undoes)
        made = replace(made, more=more.get(f"decision {made.id}", {}))
        out.ids[row.seq], out.seqs[made.id], out.made[made.id] = made.id, row.seq, made
        if waiting and row.verb in {Verb.ACCEPT, Verb.REJECT}:
            for entry, heads in (waiting[name] for name in row.proposals if name in waiting):
                out.settled.setdefault(entry, []).append((row.seq, made, heads))
    return out


def strands(session: Session, project_id: str, ledger: Ledger, more: Mapping[str, Any]) -> Iterator[Strand]:
    """Every entry by id, also those that were taken back or erased."""
    erased = set(_purged(session, project_id))
    ends = [Strand(entry, purged=True) for entry in erased]
    ends += [Strand(each.entry, gone=each) for each in _gone(session, project_id, ledger) if each.entry not in erased]
    entries = (each for each in _entries(session, project_id, ledger, more) if each.entry not in erased)
    return heapq.merge(sorted(ends, key=lambda each: each.entry), entries, key=lambda each: each.entry)


def strand_of(entry: str, rows: Iterable[Any], ledger: Ledger, more: Mapping[str, Any], sightings: int = 0) -> Strand:
    """One entry's strand from the rows of its revisions in order.

    Each follows the one before, unless it came from a file and names what it follows. A decision about two sides of
    the entry makes a revision that follows both, also where it keeps the text.
    """
    revs: dict[str, Rev] = {}
    numbers: dict[str, int] = {}
    settled = list(ledger.settled.get(entry, ()))
    last: Rev | None = None
    revs |= {each.id: each for each in ledger.sides.get(entry, ())}
    for row in rows:
        order = int(row.value.get(TAKEN, 0)) or row.decision
        while last and settled and settled[0][0] < order:
            last = _kept_as_is(last, settled.pop(0))
            revs[last.id] = last
        named = row.value.get(PARENTS)
        parents = tuple(named) if named is not None else (last.id,) if last else ()
        parents += tuple(head for seq, _, heads in settled if seq == row.decision for head in heads)
        settled = [each for each in settled if each[0] != row.decision]
        made = ledger.ids.get(row.decision, "")
        last = rev(entry, parents, stamp(row.at), row.reviewer, made, value_of(row.value))
        last = replace(last, more=more.get(f"revision {last.id}", {}))
        revs[last.id], numbers[last.id] = last, row.rev
    while last and settled:
        last = _kept_as_is(last, settled.pop(0))
        revs[last.id] = last
    return Strand(entry, revs, sightings, rows=numbers, own=last.id if last else "")


def _kept_as_is(last: Rev, settled: tuple[int, Made, tuple[str, ...]]) -> Rev:
    _, made, heads = settled
    return rev(last.entry, (last.id, *heads), made.at, made.reviewer, made.id, last.value)


def value_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a revision holds of an entry's document: without credentials, times in one form."""
    value = {name: document.get(name) for name in FIELDS}
    anchors = document.get("anchors")
    value["refs"] = [str(each.get("ref", "")) for each in anchors] if anchors is not None else document.get("refs", [])
    for name in _TIMES:
        if value[name]:
            value[name] = stamp(datetime.fromisoformat(str(value[name])))
    for name in _TEXTS:
        value[name] = _safe(value[name])
    return value


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [_safe(each) for each in value]
    if isinstance(value, dict):
        return {name: _safe(each) for name, each in value.items()}
    return value


def _entries(session: Session, project_id: str, ledger: Ledger, more: Mapping[str, Any]) -> Iterator[Strand]:
    after = ""
    while True:
        query = select(Entry.entry_id, Entry.sightings).where(Entry.project_id == project_id, Entry.entry_id > after)
        part = session.exec(query.order_by(Entry.entry_id).limit(_PART)).all()
        if not part:
            return
        yield from strands_of(session, project_id, dict(part), ledger, more)
        after = part[-1][0]


def strands_of(
    session: Session, project_id: str, sightings: Mapping[str, int], ledger: Ledger, more: Mapping[str, Any]
) -> Iterator[Strand]:
    """The strands of some hundred entries, in the order of the mapping."""
    rows: dict[str, list[Any]] = {}
    # Columns, not rows: nothing of the session's own is kept, and memory stays flat however large the store is.
    columns = (Revision.entry_id, Revision.rev, Revision.value, Revision.decision, Revision.reviewer, Revision.at)
    query: Any = select(*columns).where(  # type: ignore[call-overload]
        Revision.project_id == project_id, col(Revision.entry_id).in_(list(sightings))
    )
    for row in session.exec(query.order_by(col(Revision.entry_id), col(Revision.rev))):
        rows.setdefault(row.entry_id, []).append(row)
    for entry, seen in sightings.items():
        yield strand_of(entry, rows.get(entry, ()), ledger, more, seen)


def _settling(session: Session, project_id: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The proposals that an import made about two sides: the entry, and the other side's revisions, by proposal."""
    query = select(Proposal.proposal_id, Proposal.targets, Proposal.settings).where(
        Proposal.project_id == project_id, Proposal.group == FORMAT
    )
    return {
        proposal_id: (str(targets[0]["entry_id"]), tuple(settings.get(HEADS, ())))
        for proposal_id, targets, settings in session.exec(query)
        if targets
    }


def _gone(session: Session, project_id: str, ledger: Ledger) -> Iterator[Gone]:
    """Entries that an undo took away and that did not come back."""
    query = select(Decision.seq, Decision.effects).where(
        Decision.project_id == project_id, Decision.verb == Verb.UNDO.value
    )
    taken: dict[str, int] = {}
    for seq, effects in session.exec(query.order_by(col(Decision.seq))):
        taken |= {each["entry_id"]: seq for each in effects if "entry_id" in each and each["after"] is None}
    ids = list(taken)
    for start in range(0, len(ids), 500):
        here = select(Entry.entry_id).where(
            Entry.project_id == project_id, col(Entry.entry_id).in_(ids[start : start + 500])
        )
        for entry in session.exec(here):
            taken.pop(entry)
    for entry, seq in taken.items():
        made = ledger.made[ledger.ids[seq]]
        yield Gone(entry, made.at, made.id)


def _purged(session: Session, project_id: str) -> list[str]:
    fact = session.get(Fact, (project_id, "purged"))
    return list(fact.value.get("entries", ())) if fact else []


def kept(session: Session, project_id: str) -> dict[str, Any]:
    """What newer programs wrote: unknown fields by the record's name, unknown records whole."""
    query = select(RawLine).where(RawLine.project_id == project_id, RawLine.format == FORMAT)
    return {row.key: json.loads(row.data) for row in session.exec(query)}


def keep_side(session: Session, project_id: str, revs: Sequence[Rev]) -> None:
    """Keep a teammate's revisions that stand beside an entry's own until a person has chosen, and after."""
    _keep(session, project_id, {f"side {each.id}": json.loads(rev_line(each, now=False)) for each in revs})


def _sides(more: Mapping[str, Any]) -> dict[str, list[Rev]]:
    out: dict[str, list[Rev]] = {}
    for key, value in more.items():
        if key.startswith("side ") and (made := rev_of(str(value["entry"]), value)) and made.id == value["rev"]:
            out.setdefault(made.entry, []).append(made)
    return out


def keep_more(session: Session, project_id: str, found: Survey) -> None:
    """Keep what newer programs wrote into a file, so that it comes back on export."""
    found_more: dict[str, Any] = {}
    for raw in found.unknown:
        text = raw.decode("utf-8", "replace")
        found_more[f"unknown {short(text)}"] = text
    found_more |= {f"revision {name}": more for name, more in found.more.items()}
    found_more |= {f"decision {name}": dict(each.more) for name, each in found.made.items() if each.more}
    found_more |= {f"refusal {name}": dict(each.more) for name, each in found.refused.items() if each.more}
    _keep(session, project_id, found_more)


def _keep(session: Session, project_id: str, wanted: Mapping[str, Any]) -> None:
    if not wanted:
        return
    query = select(RawLine.key, RawLine.line).where(RawLine.project_id == project_id, RawLine.format == FORMAT)
    there = dict(session.exec(query).all())
    last = max(there.values(), default=0)
    for number, (key, value) in enumerate((item for item in wanted.items() if item[0] not in there), last + 1):
        data = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        session.add(RawLine(project_id=project_id, format=FORMAT, path="", line=number, key=key, data=data))
    session.flush()
