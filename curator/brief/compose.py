"""The text that a session is handed, from values alone: parts in a fixed order, one frame, one limit.

Owns what each source of a session start gets and the order. The same values give the same bytes: there is no clock
time inside, only days.
"""

from curator.brief import excerpt, notices
from curator.brief.asked import CONTINUED, Asked, Brief
from curator.brief.lines import cut, entry, guarded, size
from curator.brief.parts import Part, fill
from curator.brief.snapshot_file import Checkpoint
from curator.light import Callable, digest
from curator.salience.item import Item
from curator.salience.pick import Budget, Left, Pick, pick

HEADER, WARNINGS, CONTRACT, CHECKPOINT, STATE, SCRATCH, POINTERS = 500, 400, 900, 2_000, 700, 300, 700
COMPACT_CHECKPOINT = 6_000
FRAME, OMISSION = 64, 320
"""Bytes kept for the frame's two tags, and for naming what was left out."""
REMINDER_ENTRIES, REMINDER_TOKENS = 5, 500
"""After a compaction memories are a reminder of the top few, not the list again."""

TAG = "curator-memory"
_NOTHING = Pick((), (), 0, 0)
_ORDER = ("header", "line", "warnings", "contract", "checkpoint", "state", "scratch", "memories", "pointers")


def compose(asked: Asked) -> Brief:
    """The text for one session start; "" where nothing is stored or, in a continued session, nothing changed."""
    shown = chosen_checkpoint(asked)
    said = notices.warnings(asked)
    made = [_NOTHING]
    parts = _fixed(asked, shown, said) if asked.only != "memories" else []
    if asked.only != "checkpoint":
        parts.append(Part("memories", asked.size, _memories(asked, made)))
    built = {one.name: one for one in fill(parts, asked.size - FRAME - OMISSION)}
    telling = {name for name, one in built.items() if one.text and name not in _alone(asked)}
    if not telling:
        return Brief("", "", (), made[0], "", "")
    left = notices.omission(made[0].left, _uncounted(asked), asked.source == "compact")
    omitted = "" if asked.only == "checkpoint" or asked.source in CONTINUED else left
    order = [built[name] for name in _ORDER if name in built and built[name].text]
    inner = "\n".join([*(one.text for one in order), *([omitted] if omitted else [])])
    mark = digest(inner)[:16]
    seen = shown.id if shown and "checkpoint" in telling else ""
    return Brief(framed(inner, mark), mark, tuple(order), made[0], seen, omitted)


def framed(inner: str, mark: str) -> str:
    """The injected block; nothing inside can close it, because every part is guarded."""
    return f'<{TAG} id="{mark}">\n{inner}\n</{TAG}>'


def chosen_checkpoint(asked: Asked) -> Checkpoint | None:
    """The checkpoint this start may show, by its source."""
    known = asked.project.snapshot.checkpoints
    if asked.source == "compact":
        return excerpt.newest(known, session=asked.session)
    one = excerpt.newest(known, worktree=asked.worktree, branch=asked.branch)
    if one is None or asked.today - one.day > asked.checkpoint_days:
        return None
    replayed = asked.source in CONTINUED and one.id == asked.known_checkpoint
    return None if replayed else one


def _alone(asked: Asked) -> frozenset[str]:
    """Parts that are no reason to say anything when nothing else is there."""
    return frozenset({"line", "header", "warnings"} if asked.source in CONTINUED else {"line", "header"})


def _fixed(asked: Asked, shown: Checkpoint | None, said: list[str]) -> list[Part]:
    """Every part but the memories, in the order in which unused room is handed on."""
    layers, compact = asked.layers, asked.source == "compact"
    line = notices.source_line(asked.source)
    checkpoint = Part(
        "checkpoint",
        COMPACT_CHECKPOINT if compact else CHECKPOINT,
        lambda room: _checkpoint(asked, shown, room),
    )
    if asked.only == "checkpoint":
        return [checkpoint]
    head = [
        Part("line", size(line) + 1, lambda room: line if room >= size(line) else ""),
        Part("warnings", WARNINGS - size(line) - 1, lambda room: notices.fitted(said, room)),
    ]
    if asked.source in CONTINUED:
        return [*head, checkpoint]
    return [
        Part("header", HEADER, lambda room: cut(guarded(layers.header), room)),
        *head,
        Part("contract", CONTRACT, lambda room: notices.contract(layers, room)),
        checkpoint,
        Part("state", STATE, lambda room: notices.state(layers, room)),
        Part("scratch", SCRATCH, lambda room: notices.scratch(layers, room)),
        Part("pointers", POINTERS, lambda room: notices.pointers(asked.project.snapshot, room)),
    ]


def _checkpoint(asked: Asked, shown: Checkpoint | None, room: int) -> str:
    if asked.source == "compact":
        if shown is None:
            return ""
        note = " (an earlier one: the checkpoint of this compaction is not ready)" if asked.earlier else ""
        return excerpt.after_compact(shown, asked.today, room, note)
    if shown is not None:
        return excerpt.at_start(shown, asked.today, room)
    if asked.source in CONTINUED:
        return ""
    other = excerpt.newest(asked.project.snapshot.checkpoints, worktree=asked.worktree)
    return excerpt.pointer(other, asked.today, room) if other else ""


def _memories(asked: Asked, made: list[Pick]) -> Callable[[int], str]:
    """Builds the memories and leaves the pick behind for the receipt."""

    def build(room: int) -> str:
        items = [*asked.project.snapshot.items, *asked.own.snapshot.items]
        items = [item for item in items if not (asked.leave_to_bd and item.in_bd)]
        head = "## Memories" + (" (they yield to the contract)" if asked.layers.summary else "")
        compact = asked.source == "compact"
        tokens = min(asked.tokens, REMINDER_TOKENS) if compact else asked.tokens
        budget = Budget(tokens, room - size(head), asked.margin, asked.pin_share)
        made[0] = _handed(pick(items, asked.today, budget), asked)
        lines = [entry(taken.item) for taken in made[0].taken]
        while lines and size(head) + sum(size(line) + 1 for line in lines) > room:  # a snapshot with wrong sizes
            lines.pop()
            made[0] = _keeping(made[0], len(lines), "no room")
        return "\n".join([head, *lines]) if lines else ""

    return build


def _handed(picked: Pick, asked: Asked) -> Pick:
    """What of the pick this source is handed: all, the top few, or only what changed."""
    if asked.source == "compact":
        return _keeping(picked, REMINDER_ENTRIES, "reminder only")
    if asked.source in CONTINUED:
        return picked._replace(taken=tuple(one for one in picked.taken if _changed(one.item, asked)))
    return picked


def _keeping(picked: Pick, most: int, reason: str) -> Pick:
    out = tuple(Left(one.item, one.score, reason) for one in picked.taken[most:])
    return picked._replace(taken=picked.taken[:most], left=out + picked.left)


def _changed(item: Item, asked: Asked) -> bool:
    return asked.known.get(item.id) != item.rev


def _uncounted(asked: Asked) -> dict[str, int]:
    """Active entries by kind that the snapshots count but do not hold, because they cannot win."""
    missing: dict[str, int] = {}
    for known in (asked.project.snapshot, asked.own.snapshot):
        for kind, total in known.counts.items():
            held = sum(1 for item in known.items if item.kind == kind and not item.stale)
            missing[kind] = missing.get(kind, 0) + max(0, total - held)
    return {kind: n for kind, n in missing.items() if n}
