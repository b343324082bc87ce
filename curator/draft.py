"""What an entry says, apart from its life in the store: the value that proposals carry and reviewers edit."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from curator.errors import CuratorError
from curator.vocab import DEFERRED_LABEL, Kind, Route


@dataclass(frozen=True)
class Draft:
    """Title, body, kind, route, labels and anchors of an entry as it is or would be.

    `entry_id` is empty for an entry that does not exist yet. Build through `draft`, which keeps the rules.
    """

    title: str
    body: str
    kind: Kind
    route: Route
    labels: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    entry_id: str = ""

    @property
    def content_hash(self) -> str:
        """Digest of what a reviewer sees: equal exactly when title, body, kind, route and labels are equal."""
        return content_hash(self.title, self.body, self.kind, self.route, self.labels)

    @property
    def text(self) -> str:
        """Title and body as one text; the body alone where it begins with the title."""
        return self.body if begins_with(self.body, self.title) else f"{self.title}\n{self.body}"

    def document(self) -> dict[str, Any]:
        """The draft as JSON; `from_document` reads it back."""
        return {
            "entry_id": self.entry_id,
            "title": self.title,
            "body": self.body,
            "kind": self.kind.value,
            "route": self.route.value,
            "labels": list(self.labels),
            "refs": list(self.refs),
        }

    def saying(self, body: str) -> "Draft":
        """A copy with another body; a title that was made from the old body is made again."""
        made = self.title == title_of(self.body)
        return self.with_(body=body, title="" if made else self.title)

    def with_(self, **changes: Any) -> "Draft":
        """A changed copy, with the rules of `draft` applied again; out of the deferred store it loses `kb`."""
        changed = replace(self, **changes)
        if self.route is Route.DEFERRED and changed.route is Route.INJECTED:
            changed = replace(changed, labels=tuple(set(changed.labels) - {DEFERRED_LABEL}))
        return draft(
            changed.title, changed.body, changed.kind, changed.route, changed.labels, changed.refs, changed.entry_id
        )


def draft(
    title: str,
    body: str,
    kind: Kind | str,
    route: Route | str | None = None,
    labels: tuple[str, ...] | list[str] = (),
    refs: tuple[str, ...] | list[str] = (),
    entry_id: str = "",
) -> Draft:
    """A draft with the rules kept: a title always, labels sorted and once, `kb` on every deferred entry.

    Raises `CuratorError` for an empty body or an unknown kind or route.
    """
    if not body.strip():
        raise CuratorError("an entry needs a text")
    try:
        kind = Kind(kind)
        route = Route(route) if route else kind.route
    except ValueError as error:
        raise CuratorError(str(error)) from error
    wanted = {label.strip() for label in labels if label.strip()}
    if route is Route.DEFERRED:
        wanted.add(DEFERRED_LABEL)
    return Draft(
        title.strip() or title_of(body), body.strip(), kind, route, tuple(sorted(wanted)), tuple(refs), entry_id
    )


def from_document(value: Mapping[str, Any]) -> Draft:
    """A draft from its JSON form."""
    return draft(
        str(value.get("title", "")),
        str(value.get("body", "")),
        str(value.get("kind", "")),
        str(value.get("route", "")) or None,
        tuple(value.get("labels") or ()),
        tuple(value.get("refs") or ()),
        str(value.get("entry_id", "")),
    )


def begins_with(body: str, title: str) -> bool:
    """Does the body already say the title, cut or whole?"""
    return body.startswith(title.removesuffix("…"))


def title_of(body: str, limit: int = 80) -> str:
    """A title from a text: its first line's opening sentences until they say something, at most `limit` characters."""
    line = body.strip().partition("\n")[0].strip().lstrip("#-* ").strip()
    for stop in _STOP.finditer(line):
        head = line[: stop.start()]
        if _weight(head) >= _TELLING:
            line = head
            break
    if len(line) <= limit:
        return line.rstrip(".。") or body.strip()[:limit]
    cut = line[: limit - 1]
    head, _, _ = cut.rpartition(" ")
    return (head if len(head) > limit // 2 else cut) + "…"


_STOP = re.compile(r"[.;!?](?=\s)|[。；！？]")
_TELLING = 24
"""Weight of a title that says something: "No, stop" does not."""


def _weight(text: str) -> int:
    return sum(1 if char.isascii() else 3 for char in text)


def content_hash(title: str, body: str, kind: str, route: str, labels: tuple[str, ...] | list[str]) -> str:
    """See `Draft.content_hash`."""
    value = json.dumps([title, body, str(kind), str(route), sorted(labels)], ensure_ascii=False)
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:32]
