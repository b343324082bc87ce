"""A stored checkpoint as it is injected: an excerpt at a start, the whole working state after a compaction.

Owns which named parts stand where, their caps, and which checkpoint a session may be shown.
"""

from curator.brief.lines import guarded, size
from curator.brief.parts import Part, block, fill
from curator.brief.snapshot_file import Checkpoint
from curator.light import Callable, Sequence, day_of

CONTINUE = "Continue the current step."

_START = (("mission", "Mission", 600), ("agreements", "Agreements", 450), ("step", "Current step", 450))
_START_END = (("next", "Next steps", 400), ("waiting", "Waiting on", 100))
_COMPACT = (("request", "The live request", 800), ("step", "Current step", 600), ("mission", "Mission", 900))
_COMPACT_END = (("agreements", "Agreements", 700), ("next", "Next steps", 400), ("waiting", "Waiting on", 200))
WORDS = 2_400


def newest(
    checkpoints: Sequence[Checkpoint], *, session: str = "", worktree: str = "", branch: str | None = None
) -> Checkpoint | None:
    """The newest checkpoint of a session, or of a worktree (and branch, unless None)."""
    fitting = [
        one
        for one in checkpoints
        if (one.session == session if session else one.worktree == worktree and branch in (None, one.branch))
    ]
    return max(fitting, key=lambda one: (one.day, one.through, one.id), default=None)


def at_start(one: Checkpoint, today: int, room: int) -> str:
    """The excerpt for a fresh session: where the work stood, in whose session and how long ago, and a pointer."""
    where = f", branch {guarded(one.branch)}" if one.branch else ""
    head = f"## Where the work stood: checkpoint {one.id} of session {one.session[:8]}{where}, {age(one.day, today)}"
    tail = f"The whole: `curator checkpoint show {one.id}`."
    return _assembled(head, _stale(one), _parts(one, _START + _START_END), tail, room)


def pointer(one: Checkpoint, today: int, room: int) -> str:
    """A line for a checkpoint that is too old or of another branch to be excerpted."""
    where = f"branch {guarded(one.branch)}, " if one.branch else ""
    line = f"The newest checkpoint here is {one.id} ({where}{age(one.day, today)}): `curator checkpoint show {one.id}`."
    return line if size(line) <= room else ""


def after_compact(one: Checkpoint, today: int, room: int, note: str = "") -> str:
    """The working state for the session that was just compacted; ends with the word to go on."""
    head = f"## Checkpoint {one.id} of this session, {age(one.day, today)}, through record {one.through}{note}"
    words = [Part("words", WORDS, lambda limit: _words(one, limit))] if one.words else []
    parts = [*_parts(one, _COMPACT), *words, *_parts(one, _COMPACT_END)]
    tail = f"The whole, with files and skills: `curator checkpoint show {one.id}`.\n{CONTINUE}"
    return _assembled(head, _stale(one), parts, tail, room)


def age(then: int, today: int) -> str:
    """A number of days in words."""
    days = max(0, today - then)
    return "today" if days == 0 else f"{days} day{'' if days == 1 else 's'} old ({day_of(then)})"


def _stale(one: Checkpoint) -> str:
    return f"Its mind is older than its now: {guarded(one.stale)}" if one.stale else ""


def _parts(one: Checkpoint, table: Sequence[tuple[str, str, int]]) -> list[Part]:
    return [Part(name, cap, _builder(f"{title}:", one.parts.get(name, ""))) for name, title, cap in table]


def _builder(title: str, text: str) -> Callable[[int], str]:
    return lambda room: block(title, text, room)


def _assembled(head: str, stale: str, parts: list[Part], tail: str, room: int) -> str:
    fixed = [line for line in (head, stale) if line]
    left = room - sum(size(line) + 1 for line in fixed) - size(tail)
    if left < 0:
        return ""
    body = [built.text for built in fill(parts, left) if built.text]
    return "\n".join([*fixed, *body, tail]) if body else ""


def _words(one: Checkpoint, room: int) -> str:
    """The person's words: the first in order of weight that fit, shown by number; the others are named."""
    head = "The person's own words (they still hold):"
    texts = {seq: f"#{seq} {guarded(text).strip()}" for seq, text in one.words}
    whole = size(head) + sum(size(text) + 1 for text in texts.values())
    left = room - size(head) - (0 if whole <= room else _NAMED)
    kept: list[int] = []
    for seq, text in texts.items():
        if size(text) + 1 <= left:
            kept.append(seq)
            left -= size(text) + 1
    missing = sorted(set(texts) - set(kept))
    return "\n".join([head, *(texts[seq] for seq in sorted(kept)), *([_others(missing)] if missing else [])])


_NAMED = 260  # bytes kept for naming twenty numbers


def _others(numbers: list[int]) -> str:
    shown = " ".join(str(n) for n in numbers[:20])
    more = f" and {len(numbers) - 20} more" if len(numbers) > 20 else ""
    return f"Not shown: {shown}{more}; whole with `curator record show {numbers[0]}` (any of the numbers)."
