"""One line of an `entries` file, as a value: what it says and how it stands. Pure.

Owns the format: `id kind title body labels status created_at updated_at`, optional `salience pinned superseded_by
reason history source`, and what this program adds to them (`route refs origin verified_at expires_at sightings
anchors`). A field that nothing here knows stays with the entry and comes back on export.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from curator.draft import Draft, draft
from curator.errors import CuratorError
from curator.interchange.times import moment, zoneless
from curator.plain import clean
from curator.vocab import EntryState, Origin

KNOWN = frozenset(
    {
        *("id", "kind", "title", "body", "labels", "status", "created_at", "updated_at"),
        *("salience", "pinned", "superseded_by", "reason", "history", "source"),
        *("route", "refs", "origin", "verified_at", "expires_at", "sightings", "anchors"),
    }
)

_TIMES = ("created_at", "updated_at", "verified_at", "expires_at")


@dataclass(frozen=True)
class Row:
    """An entry in a file. `columns` are the store's own columns apart from the draft; `history` its earlier revisions.

    `zoneless`: a time without a zone was taken as UTC. `timed`: the file says when it last changed.
    Build through `row`.
    """

    draft: Draft
    columns: Mapping[str, Any]
    history: tuple[Mapping[str, Any], ...] = field(default=())
    zoneless: bool = False
    timed: bool = True

    @property
    def state(self) -> EntryState:
        """How the entry stands in the file."""
        return EntryState(self.columns["state"])

    @property
    def updated_at(self) -> datetime:
        """When it last changed."""
        found = self.columns["updated_at"]
        assert isinstance(found, datetime)
        return found


def row(value: Mapping[str, Any], now: datetime) -> Row:
    """A line's object as a row; times left out are `now`. Raises `CuratorError` saying what is wrong with it."""
    body, title = _text(value, "body"), _text(value, "title")
    made = draft(
        title,
        body if body.strip() else title,
        _text(value, "kind"),
        _text(value, "route") or None,
        _strings(value, "labels"),
        _strings(value, "refs"),
        _text(value, "id"),
    )
    created = moment(value, "created_at") or moment(value, "updated_at") or now
    updated = moment(value, "updated_at") or created
    history, foreign = _history(value.get("history"))
    extra = {name: item for name, item in value.items() if name not in KNOWN} | foreign
    if said := _text(value, "origin"):
        extra["origin"] = said  # a claim: it travels on, and raises nothing here
    source = value.get("source") or {}
    columns: dict[str, Any] = {
        "state": _state(value),
        "created_at": created,
        "updated_at": updated,
        "verified_at": moment(value, "verified_at") or updated,
        "expires_at": moment(value, "expires_at"),
        "pinned": value.get("pinned") is True,
        "importance": _importance(value.get("salience")),
        "superseded_by": clean(_text(value, "superseded_by")),
        "reason": clean(_text(value, "reason")),
        "origin": _origin(said),
        "sightings": _whole(value.get("sightings")),
        "source": source if isinstance(source, dict) else {"text": source},
        "extra": extra,
    }
    if isinstance(value.get("anchors"), list):
        columns["anchors"] = value["anchors"]
    return Row(made, columns, history, zoneless(value, _TIMES), bool(value.get("updated_at")))


def stamp(at: datetime | None) -> str | None:
    """A time as files carry it: UTC, `Z`, no needless fraction."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise CuratorError(f"{name} must be a text")
    return found


def _strings(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = value.get(name) or []
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise CuratorError(f"{name} must be a list of texts")
    return tuple(found)


def _state(value: Mapping[str, Any]) -> str:
    text = _text(value, "status") or EntryState.ACTIVE.value
    try:
        return EntryState(text).value
    except ValueError as error:
        raise CuratorError(f"status is not one of active, superseded, tombstoned: {text[:40]!r}") from error


def _origin(said: str) -> str:
    """A file can say where its text came from but not make it more trusted than an import."""
    origin = Origin(said) if said in set(Origin) else Origin.IMPORT
    return min(origin, Origin.IMPORT, key=lambda each: each.trust).value


def _importance(value: Any) -> float | None:
    """`salience` as 0..1; whole numbers from 2 to 5 are read on the scale of 1 to 5 that beads users know."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return max(0.0, min(1.0, value / 5 if value > 1 else float(value)))


def _whole(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


def _history(value: Any) -> tuple[tuple[Mapping[str, Any], ...], dict[str, Any]]:
    """Earlier revisions in our own form; a history in any other form is kept as a foreign field."""
    if not value:
        return (), {}
    ours = isinstance(value, list) and all(
        isinstance(item, dict) and isinstance(item.get("value"), dict) and type(item.get("rev")) is int
        for item in value
    )
    if not ours:
        return (), {"history": value}
    return tuple(sorted(value, key=lambda item: int(item["rev"]))), {}
