"""What an entry's line becomes: the fields that differ, or a new line. Pure.

A changed line is read again after the change and changed once more where it does not yet say what the entry says, so
that a second export finds nothing to do.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from curator.draft import Draft
from curator.interchange.beads import records
from curator.interchange.beads.dialect import Dialect, Json, edited, inner
from curator.interchange.beads.header import NOBODY, Value, listed, parsed, with_tokens
from curator.interchange.beads.records import TOMBSTONE, Names, What
from curator.interchange.lines import value_of
from curator.interchange.rows import Row, stamp
from curator.vocab import EntryState, Route

Reader = Callable[[dict[str, Any]], Row]
"""How a line's object becomes a row, cleaned as on import."""


@dataclass(frozen=True)
class Standing:
    """An entry as an export needs it. `successor` is the beads key of what took its place, "" where nothing did."""

    draft: Draft
    state: EntryState
    updated_at: datetime
    created_at: datetime
    importance: float | None = None
    successor: str = ""
    reason: str = ""
    reviewer: str = ""

    @property
    def active(self) -> bool:
        """Is it in the memory still?"""
        return self.state is EntryState.ACTIVE


def differs(row: Row, now: Standing) -> bool:
    """Does the entry say or stand otherwise than its line? A line that is retired stays so, whatever is here."""
    if row.state is not EntryState.ACTIVE:
        return False
    same = row.draft.content_hash == now.draft.content_hash
    return not now.active or not same or (is_memory(row) and _importance(row) != now.importance)


def is_memory(row: Row) -> bool:
    """Is the row of a memory (else of an issue)?"""
    return "bd" in row.columns["extra"]


def is_knowledge(value: Mapping[str, Any]) -> bool:
    """Is a record kept to be known, not to be worked on: a memory, or a deferred issue?"""
    return records.what(value) is What.MEMORY or value.get("status") == "deferred"


def revived(row: Row, now: Standing) -> bool:
    """Is the line retired in the file and the entry active here?"""
    return row.state is not EntryState.ACTIVE and now.active


def rewritten(text: str, now: Standing, read: Reader, names: Names, how: Dialect) -> str:
    """The line's text with what the entry says; `read` is how a line's object becomes a row."""
    for _ in range(2):
        value = value_of(text)
        row = read(value)
        if not differs(row, now):
            break
        change = (
            _memory(value, row, now) if records.what(value) is What.MEMORY else _issue(text, value, row, now, names)
        )
        text = edited(text, change, how)
    return text


def _issue(text: str, value: Mapping[str, Any], row: Row, now: Standing, names: Names) -> dict[str, Any]:
    was, here = row.draft, now.draft
    change: dict[str, Any] = {}
    if was.title != here.title:
        change["title"] = here.title
    if was.body != here.body:
        change |= _sections(value, was.body, here.body)
    if was.labels != here.labels:
        change["labels"] = records.topics(here) if here.route is Route.DEFERRED else list(here.labels)
    if was.kind is not here.kind:
        change["issue_type"] = names.types.get(here.kind, value.get("issue_type") or "task")
    told = {**value, **change}
    ours = {"kind": here.kind.value} if records.kind_of(told) is not here.kind else {}
    ours |= {"route": here.route.value} if records.route_of(told) is not here.route else {}
    if ours and (metadata := _metadata(inner(text, "metadata"), value.get("metadata"), ours)) is not None:
        change["metadata"] = metadata
    elif "kind" in ours:
        change["issue_type"] = here.kind.value
    if not now.active:
        at, by = stamp(now.updated_at), f"superseded by {now.successor}" if now.successor else ""
        change |= {"status": TOMBSTONE, "deleted_at": at, "deleted_by": now.reviewer, "delete_reason": now.reason or by}
        change["original_type"] = value.get("issue_type") or ""
    return {**change, "updated_at": stamp(now.updated_at)}


def _sections(value: Mapping[str, Any], was: str, here: str) -> dict[str, str]:
    """The sections that differ; the whole text as description where the headings do not tell the sections apart."""
    own = tuple(name for name, _ in records.SECTIONS if str(value.get(name) or "").strip())
    before, after = records.sections_of(was, own), records.sections_of(here, own)
    if before is None or after is None:
        return {"description": here, **dict.fromkeys(own, "")}
    return {name: item for name, item in after.items() if before.get(name) != item}


def _metadata(text: str | None, value: Any, own: dict[str, str]) -> Any:
    """An issue's metadata with what we say in it; None where it is no object and so has no room."""
    if text is None or value is None:
        return own
    return Json(edited(text, own, Dialect())) if isinstance(value, dict) else None


def _memory(value: Mapping[str, Any], row: Row, now: Standing) -> dict[str, Any]:
    found, _ = records.value_of(value)
    was, here = row.draft, now.draft
    tokens: dict[str, str] = {}
    if was.kind is not here.kind or was.route is not here.route:
        tokens |= _type(here)
    if was.labels != here.labels:
        tokens["tags"] = listed(here.labels)
    if _importance(row) != now.importance:
        tokens["salience"] = _level(now.importance)
    body = found.body if (was.title, was.body) == (here.title, here.body) else here.text
    new = Value(body, with_tokens(found.tokens, tokens), None if now.active else _gone(now))
    if not new.tokens and parsed(new.text).tokens:
        new = Value(body, with_tokens((), _type(here)), new.retired)
    whole = str(value.get("value") or "")
    return {"value": edited(whole, {"value": new.text}, Dialect()) if records.envelope(whole) else new.text}


def new_issue(now: Standing, names: Names, how: Dialect, *, typed: bool) -> str:
    """A line for an entry that no line is about; `typed` = issues of this file name their `_type`."""
    draft, issue_type = now.draft, names.types.get(now.draft.kind, "task")
    value: dict[str, Any] = {"_type": What.ISSUE.value} if typed else {}
    value |= {
        "id": draft.entry_id,
        "title": draft.title,
        "description": draft.body,
        "status": "deferred",
        "priority": 2,
        "issue_type": issue_type,
        "created_at": stamp(now.created_at),
        "updated_at": stamp(now.updated_at),
        "labels": records.topics(draft),
    }
    if records.kind_of(value) is not draft.kind:
        value["metadata"] = {"kind": draft.kind.value}
    return how.text(value)


def new_memory(now: Standing, how: Dialect) -> str:
    """A memory's line for an entry that no line is about, with the header that beads users know."""
    draft = now.draft
    return how.text({"_type": What.MEMORY.value, "key": draft.entry_id, "value": memory_text(now)})


def memory_text(now: Standing) -> str:
    """The value of a memory for an entry: header, then title and body."""
    draft = now.draft
    tokens = _type(draft) | {
        "created": now.created_at.date().isoformat(),
        "salience": _level(now.importance),
        "refs": listed(draft.refs),
        "tags": listed(draft.labels),
    }
    return Value(draft.text, with_tokens((), tokens)).text


def _type(draft: Draft) -> dict[str, str]:
    route = draft.route.value if draft.route is not draft.kind.route else ""
    return {"type": f"semantic:{draft.kind.value}", "route": route}


def _level(importance: float | None) -> str:
    return "" if importance is None else str(max(1, min(5, round(importance * 5))))


def _importance(row: Row) -> float | None:
    value = row.columns.get("importance")
    return value if isinstance(value, float) else None


def _gone(now: Standing) -> tuple[str, str]:
    return now.updated_at.date().isoformat(), now.successor or NOBODY
