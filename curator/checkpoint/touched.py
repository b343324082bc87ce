"""Files read and modified: carried from checkpoint to checkpoint, never found anew from the last part alone.

Owns the two lists, newest first. A path written later leaves the read list. That older ones fell off is a mark, not
a number, because a number would be wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from curator.checkpoint.frame import one
from curator.checkpoint.record import Row

READ = 5
MODIFIED = 10
OLDER = "- (older ones left out)"


@dataclass(frozen=True)
class Touched:
    """Paths, newest first; `older_*` says that there were more."""

    read: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    older_read: bool = False
    older_modified: bool = False


def touched(before: Touched, rows: Iterable[Row]) -> Touched:
    """The lists after these rows; the union with what was carried."""
    read, modified = list(reversed(before.read)), list(reversed(before.modified))
    for row in rows:
        for path in row.files.get("read", ()):
            if path not in modified:
                _newest(read, path)
        for path in row.files.get("written", ()):
            _newest(modified, path)
            if path in read:
                read.remove(path)
    return Touched(
        tuple(reversed(read[-READ:])),
        tuple(reversed(modified[-MODIFIED:])),
        before.older_read or len(read) > READ,
        before.older_modified or len(modified) > MODIFIED,
    )


def written(files: Touched) -> str:
    """The files' part of the text; empty without any."""
    parts = []
    for title, paths, older in (
        ("Modified, newest first", files.modified, files.older_modified),
        ("Read and not modified, newest first", files.read, files.older_read),
    ):
        if paths:
            parts.append("\n".join([f"{title}:", *(f"- {one(path)}" for path in paths), *([OLDER] if older else [])]))
    return "\n".join(parts)


def _newest(paths: list[str], path: str) -> None:
    if path in paths:
        paths.remove(path)
    paths.append(path)
