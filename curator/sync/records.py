"""The records of `memory.jsonl` as values, and as lines. Pure.

A line is one JSON object, its kind in `_type`: `entry` (an entry as it is now), `revision` (as it was), `gone` (an
addition that was taken back), `purged` (erased: the id only), `decision`, `refusal`. A revision is named by a digest
of its text, time, reviewer and of the revisions it follows, so two stores name the same change alike, and a text
changed by hand no longer fits its name. Fields that nothing here knows stay with their record.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

SCHEMA = "curator-memory"
VERSION = 1

HEADER = b'{"_schema":"curator-memory","version":1}\n'

_TIMES = ("created_at", "updated_at", "verified_at", "expires_at")

FIELDS = (
    *("title", "body", "kind", "route", "state", "labels", "refs", "pinned", "importance"),
    *("superseded_by", "reason", "origin", "source", "extra"),
    *_TIMES,
)
"""What a revision holds of an entry: everything but what each store measures or counts for itself."""

_EMPTY: tuple[Any, ...] = (None, "", 0, False, [], {})


@dataclass(frozen=True, slots=True)
class Rev:
    """One revision. `value` holds those of `FIELDS` that are not empty; `at` is UTC with microseconds.

    `decision` is the id of the decision that made it; empty for earlier statements that came with an entry, and for a
    revision that is nothing but two others put together by words (`parents` are those two, `reviewer` is empty).
    """

    entry: str
    parents: tuple[str, ...]
    at: str
    reviewer: str
    decision: str
    value: Mapping[str, Any]
    id: str
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """The entry's state in this revision."""
        return str(self.value.get("state", ""))


def rev(
    entry: str,
    parents: tuple[str, ...],
    at: str,
    reviewer: str,
    decision: str,
    value: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
) -> Rev:
    """A revision with its name."""
    value = {name: value[name] for name in FIELDS if value.get(name) not in _EMPTY or _zero(name, value)}
    parents = tuple(sorted(parents))
    return Rev(entry, parents, at, reviewer, decision, value, _digest(entry, parents, at, reviewer, value), more or {})


def _digest(entry: str, parents: tuple[str, ...], at: str, reviewer: str, value: Mapping[str, Any]) -> str:
    return short(json.dumps([entry, parents, at, reviewer, value], ensure_ascii=False, sort_keys=True))


def _zero(name: str, value: Mapping[str, Any]) -> bool:
    """No importance at all is a reviewer's choice, unlike none chosen."""
    return name == "importance" and value.get(name) is not None


def shaped(value: Mapping[str, Any]) -> bool:
    """Are the fields of a revision of the right types? Nothing is said of what they mean."""
    texts = (*("title", "body", "kind", "route", "state", "superseded_by", "reason", "origin"), *_TIMES)
    number = value.get("importance", 0.0)
    return (
        all(isinstance(value.get(name, ""), str) for name in texts)
        and all(isinstance(value.get(name, []), list) for name in ("labels", "refs"))
        and all(isinstance(each, str) for name in ("labels", "refs") for each in value.get(name, []))
        and all(isinstance(value.get(name, {}), dict) for name in ("source", "extra"))
        and (isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1)
        and isinstance(value.get("pinned", False), bool)
    )


def short(text: str) -> str:
    """32 hex digits of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Made:
    """A decision of the ledger. `nth` numbers the decisions of one instant; `undoes` names the one taken back.

    `changes` is the file's own count and sum of what it changed (`Sum`), "" where it is not known.
    """

    at: str
    verb: str
    reviewer: str
    via: str
    reason: str = ""
    comment: str = ""
    nth: int = 0
    undoes: str = ""
    changes: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name that every store gives it."""
        told = [self.at, self.verb, self.reviewer, self.via, self.reason, self.comment, self.nth]
        return "d-" + short(json.dumps(told, ensure_ascii=False))

    @property
    def order(self) -> tuple[str, int, str]:
        """Where it stands among the others."""
        return self.at, self.nth, self.id


@dataclass(frozen=True, slots=True)
class Refused:
    """A text that a person refused, in the decision named."""

    fingerprint: str
    text: str
    slots: str
    reason: str
    decision: str
    at: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gone:
    """An entry that is not there any more, because the decision that made it was taken back at `at`."""

    entry: str
    at: str
    decision: str
    more: Mapping[str, Any] = field(default_factory=dict)


class Sum:
    """Count and sum of the changes of one decision, in any order: `12-1f…`."""

    __slots__ = ("count", "total")

    def __init__(self) -> None:
        self.count = self.total = 0

    def add(self, name: str) -> None:
        """Count a revision's name, a refusal's fingerprint or an id that is gone."""
        self.count += 1
        self.total = (self.total + int(short(name)[:16], 16)) % (1 << 64)

    def __str__(self) -> str:
        return f"{self.count}-{self.total:016x}"


def stamp(at: datetime) -> str:
    """An instant as records carry it: UTC with microseconds, so that texts sort as times do."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def line(value: Mapping[str, Any]) -> bytes:
    """An object as a line; U+2028 and its like are escaped, because many readers end a line there."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "\u2028\u2029\x85":
        if char in text:
            text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode("utf-8", "backslashreplace") + b"\n"


def rev_line(each: Rev, *, now: bool, sightings: int = 0) -> bytes:
    """A revision's line; `now` for the one that the entry is."""
    value: dict[str, Any] = {
        "_type": "entry" if now else "revision",
        "entry": each.entry,
        "rev": each.id,
        "at": each.at,
    }
    for name, item in (("reviewer", each.reviewer), ("decision", each.decision), ("parents", list(each.parents))):
        if item:
            value[name] = item
    if sightings:
        value["sightings"] = sightings
    return line({**value, **{name: each.value[name] for name in FIELDS if name in each.value}, **each.more})


def made_line(each: Made, changes: str) -> bytes:
    """A decision's line."""
    value = {
        "_type": "decision",
        "id": each.id,
        "at": each.at,
        "verb": each.verb,
        "reviewer": each.reviewer,
        "via": each.via,
        "reason": each.reason,
        "comment": each.comment,
        "nth": each.nth,
        "undoes": each.undoes,
        "changes": changes if not changes.startswith("0-") else "",
    }
    return line({**{name: item for name, item in value.items() if item not in _EMPTY}, **each.more})


def refused_line(each: Refused) -> bytes:
    """A refusal's line."""
    value = {
        "_type": "refusal",
        "fingerprint": each.fingerprint,
        "at": each.at,
        "decision": each.decision,
        "reason": each.reason,
        "text": each.text,
        "slots": each.slots,
    }
    return line({**{name: item for name, item in value.items() if item not in _EMPTY}, **each.more})


def gone_line(each: Gone) -> bytes:
    """The line of an addition that was taken back."""
    return line({"_type": "gone", "entry": each.entry, "at": each.at, "decision": each.decision, **each.more})


def purged_line(entry: str) -> bytes:
    """The line of an erased entry: its id, so that no copy brings it back."""
    return line({"_type": "purged", "entry": entry})
