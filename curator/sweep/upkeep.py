"""Proposals from the store itself: duplicates, contradictions, expired and over-long entries, labels that differ only
in form, entries in the wrong store, what the person had to say again.

Owns what is looked for and how much of the store one sweep looks at: entries changed since the last look, so that a
second sweep over an unchanged store looks at none.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from curator.door.normal import fingerprint
from curator.store.tables import Decision, Entry, EntryLabel
from curator.sweep.misplaced import misread, said_again
from curator.sweep.nominate import Known, Nominator
from curator.sweep.notes import NEAR, SURE, Judge
from curator.sweep.planned import Planned, key_of, retired, slot_line
from curator.sweep.relate import Verdict, no_loss
from curator.sweep.revising import revises
from curator.sweep.split import shorter
from curator.vocab import Op, Relation, lowest

AT_ONCE = 1_000
"""Entries changed since the last look that one sweep compares with the rest of the store, the newest first.

What is left out of a larger change (a whole store imported at once) is compared when it changes, and with each note.
"""


@dataclass
class Look:
    """What a look at the store came to; `cursor` is where the next one goes on."""

    planned: list[Planned] = field(default_factory=list)
    verdicts: list[tuple[str, str, Verdict]] = field(default_factory=list)
    cursor: dict[str, Any] = field(default_factory=dict)


def look(
    session: Session,
    project_id: str,
    nominator: Nominator,
    cursor: dict[str, Any],
    held: Iterable[str],
    judge: Judge,
    now: datetime,
    longest: int,
) -> Look:
    """Everything the store itself gives reason to propose, for entries without an open proposal."""
    found = Look(cursor=dict(cursor))
    taken = set(held)
    for planned in _expired(session, project_id, nominator, now):
        _take(found, planned, taken)
    for planned in said_again(session, project_id, nominator):
        _take(found, planned, taken)
    for planned in _long(session, project_id, nominator, longest):
        _take(found, planned, taken)
    for planned in _labels(session, project_id, nominator):
        _take(found, planned, taken)
    changed, found.cursor = _changed(session, project_id, cursor)
    nominator.load(changed)
    seen: set[tuple[str, str]] = set()
    here = [known for each in changed if (known := nominator.entry(each)) is not None]
    for known in sorted(here, key=nominator.said, reverse=True):  # what was said last replaces all before it
        for planned in _pairs(known, nominator, judge, found, seen):
            _take(found, planned, taken)
        if doubted := misread(session, project_id, known):
            _take(found, doubted, taken)
    return found


def _take(found: Look, planned: Planned, taken: set[str]) -> None:
    if not taken & set(planned.entry_ids):
        taken.update(planned.entry_ids)
        found.planned.append(planned)


def _changed(session: Session, project_id: str, cursor: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Ids of entries changed since the last look, the newest first, and where the next one goes on.

    By their time, and by the decisions since: an import brings times of its own, which may be long past.
    """
    query = select(Entry.entry_id, Entry.updated_at).where(Entry.project_id == project_id, Entry.state == "active")
    if cursor.get("at"):
        at = datetime.fromisoformat(cursor["at"])
        query = query.where(
            (col(Entry.updated_at) > at)
            | ((col(Entry.updated_at) == at) & (col(Entry.entry_id) > str(cursor.get("id", ""))))
        )
    query = query.order_by(col(Entry.updated_at).desc(), col(Entry.entry_id).desc()).limit(AT_ONCE)
    rows = session.exec(query).all()
    newest = {"at": rows[0][1].isoformat(), "id": rows[0][0]} if rows else {}
    ids = [row[0] for row in rows]
    decided = select(Decision.seq, Decision.entries).where(
        Decision.project_id == project_id, Decision.seq > int(cursor.get("decision", 0))
    )
    last = int(cursor.get("decision", 0))
    for seq, entry_ids in session.exec(decided.order_by(col(Decision.seq).desc()).limit(AT_ONCE)):
        last = max(last, seq)
        ids += entry_ids[: AT_ONCE - len(ids)]
    return list(dict.fromkeys(ids)), {**cursor, **newest, **({"decision": last} if last else {})}


def _pairs(
    known: Known, nominator: Nominator, judge: Judge, found: Look, seen: set[tuple[str, str]]
) -> Iterator[Planned]:
    for other, likeness in nominator.near(known.text, least=min(NEAR.values())):
        if other.entry_id == known.entry_id:
            continue
        if known.file and known.file == other.file:
            continue  # its author wrote both, one beside the other
        older, newer = sorted((known, other), key=lambda each: (nominator.said(each), each.at, each.entry_id))
        if (older.entry_id, newer.entry_id) in seen:
            continue
        seen.add((older.entry_id, newer.entry_id))
        said, now = (
            each.draft.body if known.draft.title == other.draft.title else each.text for each in (older, newer)
        )
        verdict = judge(said, now)
        found.verdicts.append((fingerprint(said), fingerprint(now), verdict))
        if verdict.relation is Relation.SAME:
            verdict = Verdict(Relation.RESTATES, verdict.reason, verdict.confidence)
        wanted = NEAR.get(verdict.relation)
        if wanted is None or likeness < wanted or verdict.confidence < SURE or not revises(verdict, now):
            continue
        yield (
            _replaced(older, newer, verdict)
            if verdict.relation is Relation.REPLACES
            else _merged(older, newer, verdict)
        )


def _replaced(older: Known, newer: Known, verdict: Verdict) -> Planned:
    """The older of two contradicting entries gives way to the newer."""
    return Planned(
        op=Op.UPDATE,
        key=key_of(Op.UPDATE, older.fingerprint, newer.fingerprint),
        after=(newer.draft,),
        before=(older.draft,),
        targets=(older.target,),
        reason=f"{newer.entry_id} is newer: {verdict.reason}",
        confidence=verdict.confidence,
        relation=Relation.REPLACES,
        origin=newer.trust,
        similar=(_similar(newer),),
        evidence=(older.evidence, newer.evidence),
        group=older.entry_id,
        settings={"slots": slot_line(newer.text)},
    )


def _merged(older: Known, newer: Known, verdict: Verdict) -> Planned:
    """Two entries that say one thing become one; every label and the text that loses least are kept."""
    whole, part = (newer, older)
    if no_loss((older.text,), newer.text) and not no_loss((newer.text,), older.text):
        whole, part = older, newer
    labels = tuple({*whole.draft.labels, *part.draft.labels})
    refs = tuple(dict.fromkeys([*whole.draft.refs, *part.draft.refs]))
    after = whole.draft.with_(labels=labels, refs=refs)
    return Planned(
        op=Op.MERGE,
        key=key_of(Op.MERGE, *sorted((older.fingerprint, newer.fingerprint))),
        after=(after,),
        before=(older.draft, newer.draft),
        targets=(older.target, newer.target),
        reason=verdict.reason,
        confidence=verdict.confidence,
        relation=verdict.relation,
        origin=lowest(older.trust, newer.trust),
        evidence=(older.evidence, newer.evidence),
        group=older.entry_id,
        removes=1,
        settings={"slots": slot_line(after.text)},
    )


def _expired(session: Session, project_id: str, nominator: Nominator, now: datetime) -> Iterator[Planned]:
    query = select(Entry.entry_id, Entry.expires_at).where(
        Entry.project_id == project_id, Entry.state == "active", col(Entry.expires_at) < now
    )
    for entry_id, at in session.exec(query.order_by(col(Entry.entry_id)).limit(100)):
        if known := nominator.entry(entry_id):
            yield retired(known, f"expired on {at:%Y-%m-%d}" if at else "expired", 0.9)


def _long(session: Session, project_id: str, nominator: Nominator, longest: int) -> Iterator[Planned]:
    query = select(Entry.entry_id, Entry.tokens).where(
        Entry.project_id == project_id,
        Entry.state == "active",
        Entry.route == "injected",
        col(Entry.tokens) > longest,
    )
    for entry_id, count in session.exec(query.order_by(col(Entry.tokens).desc(), col(Entry.entry_id)).limit(100)):
        known = nominator.entry(entry_id)
        parts = shorter(known.draft, count, longest // 2) if known else ()
        if known and parts:
            yield Planned(
                op=Op.SPLIT,
                key=key_of(Op.SPLIT, known.fingerprint),
                after=parts,
                before=(known.draft,),
                targets=(known.target,),
                reason=f"{count} tokens in one entry; more than {longest} are seldom read whole",
                confidence=0.6,
                origin=known.trust,
                evidence=(known.evidence,),
                settings={"slots": slot_line(known.text)},
            )


def _labels(session: Session, project_id: str, nominator: Nominator) -> Iterator[Planned]:
    """Entries whose label is a rarer form (case, `_`, space) of a label in use."""
    used: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    query = (
        select(EntryLabel.label, EntryLabel.entry_id)
        .join(Entry, (col(Entry.project_id) == EntryLabel.project_id) & (col(Entry.entry_id) == EntryLabel.entry_id))
        .where(EntryLabel.project_id == project_id, Entry.state == "active")
    )
    for label, entry_id in session.exec(query):
        used[_form(label)].setdefault(label, []).append(entry_id)
    for forms in used.values():
        if len(forms) < 2:
            continue
        usual = max(forms, key=lambda label: (len(forms[label]), label))
        for label, ids in sorted(forms.items()):
            for entry_id in sorted(ids)[:20] if label != usual else ():
                if known := nominator.entry(entry_id):
                    yield _relabelled(known, label, usual)


def _relabelled(known: Known, label: str, usual: str) -> Planned:
    labels = tuple(usual if each == label else each for each in known.draft.labels)
    return Planned(
        op=Op.RELABEL,
        key=key_of(Op.RELABEL, known.fingerprint, label, usual),
        after=(known.draft.with_(labels=labels),),
        before=(known.draft,),
        targets=(known.target,),
        reason=f"the label is written {usual!r} elsewhere",
        confidence=0.9,
        origin=known.trust,
        settings={"slots": slot_line(known.text)},
    )


def _form(label: str) -> str:
    return label.casefold().replace("_", "-").replace(" ", "-")


def _similar(known: Known) -> dict[str, Any]:
    return {"entry_id": known.entry_id, "score": 1.0, "title": known.draft.title, "route": known.draft.route.value}
