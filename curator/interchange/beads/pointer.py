"""The hand-off of the task state as the memory that beads users find it by: `episodic:continuation`.

Owns that one memory's key and value. On the way in such memories are kept and make no proposal: a hand-off is no
knowledge.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.brief.layers import STATE, read, state_folder
from curator.door import redact
from curator.interchange.beads import records
from curator.interchange.beads.records import CONTINUATION, What
from curator.place import Place
from curator.plain import one_line

KEY = "continuation-curator"


def pointer(place: Place) -> str:
    """The value: header, then where the hand-off stands and how it begins; "" where there is none to tell of."""
    found = read(str(place.folder), place.worktree)
    path = (Path(state_folder(str(place.folder), place.worktree)) / STATE).relative_to(place.root)
    first = one_line(found.handoff.strip().partition("\n")[0], 200)
    if not first or redact(first).kinds:
        return ""
    day = datetime.fromtimestamp(found.changed, UTC).date()
    return f"@type={CONTINUATION} @created={day} @refs={path}\n{path}: {first}"


def line_of(values: Iterable[tuple[int, Mapping[str, Any]]]) -> int:
    """The number of the line that holds this memory, 0 where there is none."""
    numbers = [number for number, value in values if records.key_of(value) == (What.MEMORY.value, KEY)]
    return numbers[-1] if numbers else 0
