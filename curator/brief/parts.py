"""Parts of a text under one limit: each has its own cap, and room it leaves unused goes to the next.

Owns the arithmetic only; what stands in a part is its builder's business.
"""

from curator.brief.lines import cut, guarded, size
from curator.light import Callable, NamedTuple


class Part(NamedTuple):
    """`build` gets the bytes it may use and returns at most that many; "" means nothing to say."""

    name: str
    cap: int
    build: Callable[[int], str]


class Built(NamedTuple):
    """A part's text; `size` counts the line break that follows it."""

    name: str
    text: str
    size: int


def fill(parts: list[Part], limit: int) -> list[Built]:
    """Build the parts in order; never more than `limit` bytes in all, line breaks included.

    Room beyond the sum of the caps is handed to the first part, and what it leaves to the next.
    """
    built, spare, left = [], max(0, limit - sum(part.cap for part in parts)), limit
    for part in parts:
        allowed = max(0, min(part.cap + spare, left))
        text = part.build(max(0, allowed - 1)) if allowed > 1 else ""
        if size(text) + 1 > allowed:
            text = ""
        used = size(text) + 1 if text else 0
        built.append(Built(part.name, text, used))
        spare, left = allowed - used, left - used
    return built


def block(heading: str, body: str, room: int) -> str:
    """A heading with the whole lines of a body that fit, and a mark when some did not; "" for an empty body."""
    lines = [line for line in guarded(body).splitlines() if line.strip()]
    if not lines:
        return ""
    kept: list[str] = []
    used = size(heading)
    for at, line in enumerate(lines):
        mark = f"\n… {len(lines) - at} more lines" if at < len(lines) else ""
        last = at == len(lines) - 1
        if used + 1 + size(line) + (0 if last else size(mark)) > room:
            if not kept and (short := cut(line, room - used - 1 - size(mark))):
                kept.append(short)
            break
        kept.append(line)
        used += 1 + size(line)
    more = len(lines) - len(kept)
    if not kept:
        return ""
    tail = [f"… {more} more lines"] if more else []
    return "\n".join([heading, *kept, *tail])
