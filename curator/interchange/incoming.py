"""What an `entries` file offers: its rows, cleaned at the door, one for each id; and what is wrong with the rest.

Owns the reading of the file. Does not know the store.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from curator.door import admit
from curator.draft import Draft
from curator.errors import CuratorError
from curator.interchange.lines import Line
from curator.interchange.rows import Row, row
from curator.interchange.times import ahead
from curator.plain import one_line
from curator.vocab import Kind

ID = re.compile(r"\w[\w.:+-]{0,99}")


@dataclass(frozen=True)
class Offer:
    """A row of the file, ready to be proposed. `other` is a text of the same id and time that it stands beside."""

    row: Row
    line: int
    fingerprint: str
    other: Draft | None = None


@dataclass
class Read:
    """The file's offers by id (or line, where it has none), and what was found on the way, by line number."""

    offers: dict[str, Offer] = field(default_factory=dict)
    rows: int = 0
    bad: list[tuple[int, str]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    unknown: list[Line] = field(default_factory=list)
    repeated: list[tuple[int, str, str]] = field(default_factory=list)
    redacted: int = 0
    zoneless: list[int] = field(default_factory=list)
    ahead: list[int] = field(default_factory=list)
    aside: list[tuple[int, str]] = field(default_factory=list)
    """Lines that are kept for export and make no proposal, with what they are."""


def take(lines: Iterable[Line], now: datetime, limit: int) -> Read:
    """Read the lines; `limit` is the largest body in bytes. Never raises for what a line holds."""
    read = Read()
    for line in lines:
        if line.mark:
            read.marks.append(line.number)
        elif line.value is None:
            read.bad.append((line.number, line.reason))
        elif _unknown(line.value):
            read.unknown.append(line)
        else:
            read.rows += 1
            _one(read, line.number, line.value, now, limit)
    return read


def _one(read: Read, number: int, value: dict[str, Any], now: datetime, limit: int) -> None:
    try:
        offer, redacted = offer_of(number, value, now, limit)
    except CuratorError as error:
        read.bad.append((number, str(error)))
        return
    read.redacted += redacted
    read.zoneless += [number] if offer.row.zoneless else []
    read.ahead += [number] if ahead(offer.row.updated_at, now) else []
    key = offer.row.draft.entry_id or f"line {number}"
    there = read.offers.get(key)
    if there is None:
        read.offers[key] = offer
        return
    read.offers[key], how = _later(there, offer, now)
    read.repeated.append((number, key, how))


def _later(there: Offer, offer: Offer, now: datetime) -> tuple[Offer, str]:
    """Of two rows with one id: the newer; where neither is, the later line, with the other text beside it.

    A time ahead of the clock does not make a row the newer one.
    """
    same = there.row.draft.content_hash == offer.row.draft.content_hash and there.row.state is offer.row.state
    if same:
        return there, f"the same as line {there.line}"
    if offer.row.updated_at == there.row.updated_at:
        return replace(offer, other=there.row.draft), f"another text than line {there.line} at the same time"
    if ahead(offer.row.updated_at, now) != ahead(there.row.updated_at, now):
        return replace(offer, other=there.row.draft), f"another text than line {there.line}; one is ahead of the clock"
    newer = max(there, offer, key=lambda each: each.row.updated_at)
    return newer, f"another version than line {there.line}; line {newer.line} is newer"


def offer_of(number: int, value: dict[str, Any], now: datetime, limit: int) -> tuple[Offer, int]:
    """A row's object as an offer, cleaned at the door, and 1 where a credential was taken out.

    Raises `CuratorError` saying what is wrong with it.
    """
    made = row(value, now)
    entry_id = made.draft.entry_id
    if entry_id and not ID.fullmatch(entry_id):
        raise CuratorError(f"an id may hold letters, digits and . : + - _ only, at most 100: {entry_id[:40]!r}")
    size = len(made.draft.body.encode("utf-8", "replace"))
    if size > limit:
        raise CuratorError(f"the text has {size:,} bytes; the limit is {limit:,}")
    body, title = admit(made.draft.body, limit), admit(made.draft.title, limit)
    if not body.text:
        raise CuratorError("nothing of the text is left without this program's own output")
    labels = tuple(one_line(label, 100) for label in made.draft.labels)
    draft = made.draft.with_(title=one_line(title.text), body=body.text, labels=labels)
    redacted = int(bool(body.redacted or title.redacted))
    return Offer(replace(made, draft=draft), number, body.fingerprint), redacted


def _unknown(value: dict[str, Any]) -> bool:
    kind = value.get("kind")
    return isinstance(kind, str) and bool(kind) and kind not in set(Kind)
