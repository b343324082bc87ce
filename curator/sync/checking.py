"""Does a change in a file have a decision that could have made it? What fails becomes a proposal, not an entry. Pure.

Checked: names (digests) of revisions and decisions, what each follows, the decision's reviewer, time and verb, that
the decision names the change, and the text itself at the door. A file made with care by a program that computes all
of this anew passes: nothing is signed (docs/how-to/share-the-memory.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curator.door import admit, redact
from curator.interchange.incoming import ID
from curator.plain import clean
from curator.sync.merging import put_together
from curator.sync.reading import Survey
from curator.sync.records import Made, Rev
from curator.sync.strand import Strand, seen
from curator.vocab import EntryState, Kind, Origin, Route, Verb


@dataclass(frozen=True)
class Against:
    """What a file is checked against: itself, and the decisions `here`; `own` are those that no file brought."""

    file: Survey
    here: Mapping[str, Made]
    own: frozenset[str]
    note_bytes: int
    demo: bool = False

    def made(self, decision: str) -> Made | None:
        """The decision of that name."""
        return self.file.made.get(decision) or self.here.get(decision)


def doubts(theirs: Strand, ours: Strand | None, against: Against) -> dict[str, str]:
    """Why a revision of the file cannot be taken as decided, by its name; those that are here are not asked about."""
    known = set(ours.revs) if ours else set()
    out: dict[str, str] = {}
    for each in theirs.in_order(name for name in theirs.revs if name not in known):
        why = _doubt(each, theirs, ours, against) or next((out[name] for name in each.parents if name in out), "")
        if why:
            out[each.id] = why
    return out


def decided(decision: str, against: Against, *verbs: Verb) -> str:
    """Why this decision cannot stand behind a change of the file; "" where it can."""
    made = against.made(decision)
    if made is None:
        return "its decision is not in the file"
    if not made.reviewer.strip():
        return "its decision names no reviewer"
    if made.via == "demo" and not against.demo:
        return "a script decided it, in the demo's store"
    if verbs and made.verb not in verbs:
        return f"its decision ({made.verb}) makes no such change"
    if decision in against.own:
        return "its decision was made here and did not change it"
    if decision in against.file.made and not against.file.whole(decision):
        return "its decision does not name it"
    return ""


def _doubt(each: Rev, theirs: Strand, ours: Strand | None, against: Against) -> str:
    here = {**(ours.revs if ours else {}), **theirs.revs}
    if any(name not in here for name in each.parents):
        return "what it follows is missing"
    if why := _unsound(each, against.note_bytes):
        return why
    if not each.decision:
        return _undecided(each, Strand(each.entry, here))
    if why := decided(each.decision, against):
        return why
    made = against.made(each.decision)
    assert made is not None
    if (made.reviewer, made.at) != (each.reviewer, each.at):
        return "its decision is another person's, or of another time"
    before = [here[name] for name in each.parents]
    return "" if _fits(made.verb, before, each) else f"its decision ({made.verb}) makes no such change"


def _undecided(each: Rev, strand: Strand) -> str:
    """Two sides put together say so themselves; earlier statements came with the decision that followed them."""
    if len(each.parents) == 2 and not each.reviewer:
        made = put_together(strand, *each.parents)
        return "" if made is not None and made.id == each.id else "it is not what its two sides make together"
    past = strand.known(each.id)
    if each.id not in strand.heads and not any(strand.revs[name].decision for name in past):
        return ""
    return "no decision made it"


def _fits(verb: str, before: list[Rev], now: Rev) -> bool:
    decided_before = [each for each in before if each.decision or len(each.parents) == 2]
    if not decided_before:
        return verb in {Verb.ACCEPT, Verb.UNDO, Verb.PROMOTE}
    was = decided_before[0]
    if verb in {Verb.ACCEPT, Verb.UNDO}:
        return True
    if verb == Verb.EDIT:
        return was.state == now.state == EntryState.ACTIVE
    if verb in {Verb.PIN, Verb.UNPIN}:
        return _text(was) == _text(now) and bool(now.value.get("pinned")) == (verb == Verb.PIN)
    if verb == Verb.REJECT:
        return any(seen(each) == seen(now) for each in before)
    to = _RETIRING.get(verb)
    return now.state == to and _text(was)[:5] == _text(now)[:5]


_RETIRING = {
    Verb.TOMBSTONE.value: EntryState.TOMBSTONED,
    Verb.RESTORE.value: EntryState.ACTIVE,
    Verb.PROMOTE.value: EntryState.SUPERSEDED,
}
"""The state that each of these gives an entry, its text as it was."""


def _text(each: Rev) -> tuple[Any, ...]:
    return (*(each.value.get(name) for name in ("title", "body", "kind", "route", "labels")), each.state)


def _unsound(each: Rev, limit: int) -> str:
    """Why the record cannot be an entry, or its text not be stored as it is."""
    value = each.value
    try:
        Kind(value["kind"])
        Route(value["route"])
        EntryState(value["state"])
        Origin(value.get("origin") or Origin.UNVERIFIED)
        names = ("created_at", "updated_at", "verified_at")
        times = [value[name] for name in names if name in value or each.decision]
        good = all(_instant(at) for at in (*times, each.at, value.get("expires_at") or each.at))
    except (KeyError, ValueError, TypeError):
        good = False
    if not good or not str(value.get("body", "")).strip() or not str(value.get("title", "")).strip():
        return "it is no entry as this program writes them"
    if not ID.fullmatch(each.entry):
        return "it is no entry as this program writes them"
    body = str(value.get("body", ""))
    if len(body.encode("utf-8", "replace")) > limit:
        return f"its text is longer than {limit:,} bytes"
    short = [str(value["title"]), each.reviewer, str(value.get("reason", "")), *value.get("labels", ())]
    if admit(body, limit).text != body or any(redact(clean(text)).text != text for text in short):
        return "its text holds characters or credentials that are not stored"
    return ""


def _instant(at: Any) -> bool:
    return datetime.fromisoformat(at).tzinfo is not None
