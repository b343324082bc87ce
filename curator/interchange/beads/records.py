"""What a line of a beads file is, and what it says as a row of ours. Pure.

Owns the mapping in both directions between issues and deferred entries, memories and injected ones. A row is the
object that `interchange.rows` reads; a change is a set of fields to write into the line.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any

from curator.draft import Draft
from curator.errors import CuratorError
from curator.interchange.beads.header import NOBODY, Value, parsed
from curator.store.entries import short_id
from curator.vocab import DEFERRED_LABEL, EntryState, Kind, Route

TOMBSTONE = "tombstone"
CONTINUATION = "episodic:continuation"
SECTIONS = (
    ("design", "## Design"),
    ("acceptance_criteria", "## Acceptance criteria"),
    ("notes", "## Notes"),
    ("close_reason", "## Close reason"),
)
"""Fields of an issue that follow the description in the entry's text, each under its heading."""

_ID = re.compile(r"\w[\w.:+-]{0,99}")
_GUESS = {"feature": Kind.DESIGN, "epic": Kind.DESIGN, "story": Kind.DESIGN}
_POINTER = re.compile(r"continuation-\S+")


class What(StrEnum):
    """The kinds of line."""

    HEADER = "header"
    ISSUE = "issue"
    MEMORY = "memory"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Names:
    """What reading depends on apart from the line: the type map, ids of issues in the file, titles that are here."""

    types: Mapping[str, str] = field(default_factory=dict)
    issues: frozenset[str] = frozenset()
    titles: Mapping[str, str] = field(default_factory=dict)

    def entry_id(self, key: str) -> str:
        """The entry id of a memory: its key where that can be one and is no issue's, else one made from it."""
        if key in self.issues:
            return f"memory:{key}" if is_id(f"memory:{key}") else f"memory:{short_id(key)}"
        if is_id(key):
            return key
        slug = re.sub(r"[^\w.+-]+", "-", key).strip("-.+")[:80]
        return f"{slug}-{short_id(key)}" if slug else f"memory:{short_id(key)}"


def is_id(text: str) -> bool:
    """Can the text be an entry's id?"""
    return _ID.fullmatch(text) is not None


def what(value: Mapping[str, Any]) -> What:
    """The kind of a line's object."""
    if "_schema" in value:
        return What.HEADER
    kind = value.get("_type")
    if kind == What.MEMORY:
        return What.MEMORY
    if kind == What.ISSUE or (kind is None and ("id" in value or "title" in value)):
        return What.ISSUE
    return What.UNKNOWN


def key_of(value: Mapping[str, Any]) -> tuple[str, str] | None:
    """What makes two lines the same record; None for lines that are no record of their own."""
    kind = what(value)
    name = value.get("key" if kind is What.MEMORY else "id")
    return (kind.value, str(name)) if name is not None and kind is not What.HEADER else None


def row_of(value: Mapping[str, Any], names: Names) -> dict[str, Any] | str:
    """The line as a row, or why none is proposed for it. Raises `CuratorError` for a record that cannot be one."""
    return _memory(value, names) if what(value) is What.MEMORY else _issue(value)


def _issue(value: Mapping[str, Any]) -> dict[str, Any]:
    if not value.get("id"):
        raise CuratorError("an issue needs an id")
    for name in ("title", "description", *(name for name, _ in SECTIONS)):
        if not isinstance(value.get(name) or "", str):
            raise CuratorError(f"{name} must be a text")
    dead = value.get("status") == TOMBSTONE
    return {
        "id": value["id"],
        "kind": kind_of(value).value,
        "title": value.get("title"),
        "body": body_of(value),
        "labels": value.get("labels"),
        "route": route_of(value).value,
        "status": EntryState.TOMBSTONED.value if dead else EntryState.ACTIVE.value,
        "reason": value.get("delete_reason") if dead else None,
        "created_at": value.get("created_at"),
        "updated_at": value.get("updated_at"),
    }


def body_of(issue: Mapping[str, Any]) -> str:
    """Description and the other sections as one text."""
    parts = [str(issue.get("description") or "").strip()]
    parts += [f"{head}\n\n{text.strip()}" for name, head in SECTIONS if (text := str(issue.get(name) or "")).strip()]
    return "\n\n".join(part for part in parts if part)


def sections_of(body: str, names: tuple[str, ...]) -> dict[str, str] | None:
    """A text as description and the named sections; None where a heading comes twice or out of order."""
    heads = [(name, head) for name, head in SECTIONS if name in names]
    lines = body.split("\n")
    at = [[number for number, line in enumerate(lines) if line.strip() == head] for _, head in heads]
    flat = [place[0] for place in at if place]
    if any(len(place) > 1 for place in at) or flat != sorted(flat):
        return None
    stops = [*flat, len(lines)]
    found = {"description": "\n".join(lines[: stops[0]]).strip()}
    rest = pairwise(stops)
    for (name, _), place in zip(heads, at, strict=True):
        found[name] = "\n".join(lines[(span := next(rest))[0] + 1 : span[1]]).strip() if place else ""
    return found


def kind_of(issue: Mapping[str, Any]) -> Kind:
    """An issue's kind: what its metadata, type or a label says, else what issues of its type mostly are.

    No setting has a say: a changed setting must not change what every line says.
    """
    said, labels = str(issue.get("issue_type") or ""), issue.get("labels")
    for name in (_own(issue, "kind"), said, *(labels if isinstance(labels, list) else ())):
        if isinstance(name, str) and name in set(Kind):
            return Kind(name)
    return _GUESS.get(said, Kind.RESEARCH)


def route_of(issue: Mapping[str, Any]) -> Route:
    """The store of an issue: the deferred one, unless its metadata says that a person chose otherwise."""
    return Route.INJECTED if _own(issue, "route") == Route.INJECTED else Route.DEFERRED


def _own(issue: Mapping[str, Any], name: str) -> Any:
    metadata = issue.get("metadata")
    return metadata.get(name) if isinstance(metadata, dict) else None


def value_of(memory: Mapping[str, Any]) -> tuple[Value, str]:
    """A memory's value in its parts, and its last day where it has one. Raises `CuratorError` where it is no text."""
    value = memory.get("value")
    if value is not None and not isinstance(value, str):
        raise CuratorError("value must be a text")
    wrapped = envelope(value or "")
    return (parsed(wrapped["value"]), str(wrapped.get("valid_until") or "")) if wrapped else (parsed(value or ""), "")


def envelope(value: str) -> dict[str, Any] | None:
    """A value that is itself an object with `_bd_mem`, which some keep validity in."""
    if not value.startswith("{") or '"_bd_mem"' not in value:
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("value"), str) else None


def _memory(value: Mapping[str, Any], names: Names) -> dict[str, Any] | str:
    key = value.get("key")
    if not isinstance(key, str) or not key:
        raise CuratorError("a memory needs a key")
    found, until = value_of(value)
    if found.token("type") == CONTINUATION or (not found.tokens and _POINTER.fullmatch(key)):
        return "hand-off pointer"
    if not found.body.strip():
        return "empty memory"
    entry_id, kind = names.entry_id(key), found.token("type").partition(":")[2]
    title, body = names.titles.get(entry_id, ""), found.body
    title = title if title and body.startswith(f"{title}\n") else ""
    return {
        "id": entry_id,
        "kind": kind if kind in set(Kind) else Kind.LESSON.value,
        "title": title,
        "body": body.removeprefix(f"{title}\n") if title else body,
        "labels": list(found.words("tags")),
        "refs": [word for word in found.words("refs") if "/" in word],
        "route": found.token("route") if found.token("route") in set(Route) else None,
        "salience": _salience(found.token("salience")),
        "created_at": _day(found.token("created")),
        "expires_at": _day(until),
        **_retired(found, names),
    }


def _retired(found: Value, names: Names) -> dict[str, Any]:
    if not found.retired:
        return {}
    day, by = found.retired
    if by == NOBODY:
        return {"status": EntryState.TOMBSTONED.value, "reason": f"retired {day}"}
    state = EntryState.SUPERSEDED.value
    return {"status": state, "superseded_by": names.entry_id(by), "reason": f"superseded {day} by {by}"}


def _day(text: str) -> str | None:
    """A date; what is none is no reason to refuse the memory."""
    try:
        return datetime.fromisoformat(text).isoformat() if text else None
    except ValueError:
        return None


def _salience(text: str) -> float | None:
    return int(text) / 5 if text in {"1", "2", "3", "4", "5"} else None


def topics(draft: Draft) -> list[str]:
    """An issue's labels: `kb` first, then the topics."""
    return [DEFERRED_LABEL, *(label for label in draft.labels if label != DEFERRED_LABEL)]
