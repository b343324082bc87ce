"""The managed block in a file that somebody else owns: found, replaced or appended; every other byte stays. Pure.

Owns the marks. Nothing that stands in the block can end it: its lines are indented, and no text opens a comment.
"""

import re
from dataclasses import dataclass

from curator.brief.lines import guarded
from curator.errors import CuratorError

BEGIN = "<!-- curator:begin (made by `curator export markdown`; changes between the marks are lost) -->"
END = "<!-- curator:end -->"

_MARK = re.compile(rb"^[ \t]*<!--\s*curator:(begin|end)\b[^\r\n]*-->[ \t]*$")
_FENCE = re.compile(rb"^ {0,3}(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})")


@dataclass(frozen=True)
class Item:
    """An entry as the block shows it."""

    entry_id: str
    kind: str
    title: str
    body: str


def rendered(items: list[Item]) -> str:
    """The block's text with its marks, lines ended by LF, without a last line end."""
    return "\n".join([BEGIN, *map(_line, items), END])


def placed(data: bytes, block: str) -> bytes:
    """The file's bytes with the block in its place, in the file's own line ends. Raises `CuratorError` for bad marks.

    Without marks it is appended, one blank line after what is there.
    """
    end = b"\r\n" if b"\r\n" in data else b"\n"
    made = block.encode("utf-8", "replace").replace(b"\n", end)
    found = span(data)
    if found:
        return data[: found[0]] + made + data[found[1] :]
    if not data.strip(b"\xef\xbb\xbf \t\r\n"):
        return data + made + end
    gap = b"" if data.endswith(end * 2) else end if data.endswith(end) else end * 2
    return data + gap + made + end


def span(data: bytes) -> tuple[int, int] | None:
    """Where the block begins and ends (without its last line end); None where there is none."""
    marks: list[tuple[str, int, int, int]] = []
    at, fence = 0, b""
    for number, line in enumerate(data.split(b"\n"), 1):
        bare = line.removesuffix(b"\r").removeprefix(b"\xef\xbb\xbf" if number == 1 else b"")
        inside = bool(marks) and marks[-1][0] == "begin"
        if not fence and (mark := _MARK.match(bare)):
            start = at + len(line.removesuffix(b"\r")) - len(bare)
            marks.append((mark[1].decode(), number, start, at + len(line.removesuffix(b"\r"))))
        elif not inside and (opened := _FENCE.match(bare)):
            fence = b"" if fence and opened[1].startswith(fence) else fence or opened[1]
        at += len(line) + 1
    if not marks:
        return None
    if [mark for mark, _, _, _ in marks] != ["begin", "end"]:
        told = ", ".join(f"{mark} in line {number}" for mark, number, _, _ in marks)
        raise CuratorError(f"the marks of the block are damaged or doubled ({told}); mend or remove them by hand")
    return marks[0][2], marks[1][3]


def _line(item: Item) -> str:
    """One entry as a list item; its further lines are indented, so that a fence in it ends with it."""
    title, body = " ".join(item.title.split()), item.body.strip()
    words = body if body.startswith(title.removesuffix("…")) else f"{title.rstrip('.:：')}: {body}"
    safe = guarded(words).replace("<!--", "&lt;!--").replace("-->", "--&gt;")
    lines = [line.rstrip() for line in safe.splitlines()]
    return f"- [{guarded(item.entry_id)}] {item.kind}: " + "\n  ".join(line for line in lines if line)
