"""How one entry stands in the injected text, and what text from outside may never do there.

Owns the form of a line and the guard of the frame. The snapshot counts tokens of exactly this form.
"""

from curator.light import day_of
from curator.plain import fitting, plain
from curator.salience.item import Item

CUT = " … (cut)"
"""Stands where a text was shortened."""

_TAGS = (
    r"<(?=\s*/?\s*(?:curator-memory|context-checkpoint|checkpoint\b|system-reminder|task-notification"
    r"|environment_context|user_instructions|command-|local-command|bash-))"
)
_MARK = r"^(\s*)\[(?=\s*harness\s*:)"


def guarded(text: str) -> str:
    """Text that can neither open nor close a frame, nor begin a line with a host's provenance mark.

    Steering characters become visible escapes first, so that none of them can hide such a tag.
    """
    shown = plain(text)
    if "<" not in shown and not ("[" in shown and "harness" in shown.lower()):
        return shown
    import re  # costs a start more than the rest of this module

    shown = re.sub(_TAGS, "‹", shown, flags=re.IGNORECASE)
    return re.sub(_MARK, r"\1(", shown, flags=re.IGNORECASE | re.MULTILINE)


def entry(item: Item) -> str:
    """An entry as it is injected: id, kind, day of last verification, title and body; further lines are indented."""
    title, body = " ".join(item.title.split()), item.body.strip()
    if body.startswith(title.removesuffix("…")):
        words = body or title
    else:
        words = f"{title}{'' if title[-1:] in '.!?:。！？：' else '.'} {body}" if body else title
    lines = [line.rstrip() for line in guarded(words).splitlines()]
    head = f"- [{guarded(item.id)}] {item.kind} {day_of(item.verified)}: "
    return head + "\n  ".join(line for line in lines if line)


def size(text: str) -> int:
    """UTF-8 bytes."""
    return len(text.encode("utf-8", "replace"))


def cut(text: str, limit: int) -> str:
    """The text, or its longest beginning that fits `limit` bytes with a mark, never cut inside a character."""
    if size(text) <= limit:
        return text
    room = limit - size(CUT)
    kept = fitting(text, lambda start: size(start) <= room).rstrip() if room > 0 else ""
    return kept + CUT if kept else ""
