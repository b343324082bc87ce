"""The lines of a file that an anchor names, read from the working tree for the reviewer's eye."""

import re
from pathlib import Path

_REF = re.compile(r"^(?P<path>[^\s:][^:\n]*):(?P<line>\d{1,7})(?:-(?P<last>\d{1,7}))?$")
_LARGEST = 2_000_000
"""Bytes of a file above which it is not read: no source file that a person cites is larger."""
_MOST = 12


def cited_lines(top: Path, ref: str) -> str:
    """The cited line or lines with their numbers; "" where the anchor names no line of a text file in the tree.

    Never leaves `top`: not by `..`, not by an absolute path, not through a link.
    """
    found = _REF.match(ref.strip())
    if found is None:
        return ""
    try:
        root = top.resolve()
        path = (root / found["path"]).resolve()
        if not path.is_relative_to(root) or not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        lines = path.read_text(encoding="utf-8", errors="replace").removesuffix("\n").split("\n")
    except (OSError, ValueError):
        return ""
    first = int(found["line"])
    last = min(int(found["last"] or first), first + _MOST - 1, len(lines))
    return "\n".join(f"{number} {lines[number - 1].rstrip()}" for number in range(max(first, 1), last + 1))
