"""Skills carried back after a checkpoint: which, in what order, and how much of each.

Owns order and limits. A skill's rank is its latest load; being carried is no load, so an unused one sinks. The text
is the skill's present version, which the caller reads.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from curator.checkpoint.frame import harmless, one
from curator.checkpoint.record import Row
from curator.checkpoint.share import cut
from curator.ports import Count

EACH = 5_000
MOST = 20


@dataclass(frozen=True)
class Loaded:
    """A skill and the record number of its latest load."""

    name: str
    seq: int


def loaded(before: Iterable[Loaded], rows: Iterable[Row]) -> tuple[Loaded, ...]:
    """Every skill ever loaded with its latest load, newest first."""
    latest = {skill.name: skill.seq for skill in before}
    for row in rows:
        if row.skill:
            latest[row.skill] = max(row.seq, latest.get(row.skill, 0))
    return tuple(sorted((Loaded(name, seq) for name, seq in latest.items()), key=lambda s: (-s.seq, s.name)))


def written(
    skills: Sequence[Loaded], text_of: Callable[[str], str], total: int, count: Count, *, in_context_from: int
) -> str:
    """The skills' part of the text; empty without any.

    Left out are those whose load is still in the context (number at least `in_context_from`) and those whose text is
    gone. At most 20, at most 5,000 tokens each and `total` together; a cut one says how to load the whole.
    """
    parts: list[str] = []
    room = total
    for skill in skills:
        text = text_of(skill.name) if skill.seq < in_context_from else ""
        if not text:
            continue
        part = _part(skill.name, text, min(EACH, room), count)
        if not part or len(parts) == MOST:
            break
        parts.append(part)
        room -= count(part) + 1
    return "\n".join(parts)


def _part(name: str, text: str, room: int, count: Count) -> str:
    head = f"Skill {one(name, 80)}:\n"
    notice = f"\n[cut; load the whole with the skill {one(name, 80)}]"
    whole = head + harmless(text.strip())
    if count(whole[: room * 16 + 1]) <= room and len(whole) <= room * 16:
        return whole
    kept = cut(harmless(text.strip()), room - count(head) - count(notice) - 2, count)
    return head + kept.rstrip() + notice if kept else ""
