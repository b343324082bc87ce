"""Times as other programs write them, as instants. Pure.

Takes `Z`, an offset, the name of a zone, nanoseconds, a bare date, and seconds or milliseconds since 1970. What names
no zone is UTC, whoever reads it wherever; that is told, as is a time ahead of the clock.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from curator.errors import CuratorError

ALLOWANCE = timedelta(minutes=10)
"""So far another machine's clock may be ahead of this one's."""

_NAMED = re.compile(r"(.*\S)\s+([A-Za-z]+(?:/[\w+-]+)*)")


def moment(value: Mapping[str, Any], name: str) -> datetime | None:
    """The field's time in UTC; None where there is none. Raises `CuratorError` for what is no time."""
    found = _read(value, name)
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found and found.astimezone(UTC)


def zoneless(value: Mapping[str, Any], names: Iterable[str]) -> bool:
    """Does any of these fields hold a time without a zone?"""
    return any(found is not None and found.tzinfo is None for found in (_read(value, name) for name in names))


def ahead(at: datetime, now: datetime) -> bool:
    """Is a time further in the future than clocks may differ?"""
    return at > now + ALLOWANCE


def _read(value: Mapping[str, Any], name: str) -> datetime | None:
    found = value.get(name)
    if found is None or found == "":
        return None
    try:
        if isinstance(found, str):
            return _parsed(found)
        if isinstance(found, int | float) and not isinstance(found, bool):
            return datetime.fromtimestamp(found / 1000 if abs(found) > 1e11 else found, UTC)
    except (ValueError, OverflowError, OSError, ZoneInfoNotFoundError) as error:
        raise CuratorError(f"{name} is not a time: {str(found)[:40]!r}") from error
    raise CuratorError(f"{name} is not a time: {str(found)[:40]!r}")


def _parsed(text: str) -> datetime:
    named = _NAMED.fullmatch(text)
    head, dot, tail = (named[1] if named else text).partition(".")
    digits = len(tail) - len(tail.lstrip("0123456789"))
    at = datetime.fromisoformat(f"{head}.{tail[: min(digits, 6)]:0<6}{tail[digits:]}" if dot else head)
    return at.replace(tzinfo=ZoneInfo(named[2])) if named and at.tzinfo is None else at
