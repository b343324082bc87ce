"""What `bd memories --json` prints, in either of its forms, as lines of a beads file. Pure."""

import json
from typing import Any

from curator.interchange.lines import parsed

_OF_RECORDS = {"_type", "_schema", "id", "title"}


def listed(whole: list[tuple[int, bytes]]) -> list[tuple[int, bytes]] | None:
    """The memories as lines, where the lines are one such object (on one line or many); None for anything else."""
    first = next((line for number, text in whole if (line := parsed(number, text))), None)
    if first is None or (first.value is not None and _OF_RECORDS & first.value.keys()):
        return None
    try:
        found = json.loads(b"".join(text for _, text in whole).removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return None
    pairs = _pairs(found) if isinstance(found, dict) else None
    if pairs is None:
        return None
    lines = [json.dumps({"_type": "memory", "key": key, "value": value}).encode() for key, value in pairs.items()]
    return [(number, line + b"\n") for number, line in enumerate(lines, 1)]


def _pairs(found: dict[str, Any]) -> dict[str, str] | None:
    """Values by key: flat with `schema_version` among them (a memory may have that name too), or below `data`."""
    if type(found.get("schema_version")) is int and isinstance(found.get("data"), dict):
        found = found["data"]
    pairs = {key: value for key, value in found.items() if key != "schema_version" or type(value) is not int}
    return pairs if all(isinstance(value, str) for value in pairs.values()) else None
