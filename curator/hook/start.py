"""session-start: snapshot, pick, text, receipt. Reads no database, starts nothing, waits for nothing."""

import os
import time

from curator.brief import session
from curator.brief.asked import CONTINUED, Asked, Brief
from curator.brief.compose import compose
from curator.brief.envelope import Said
from curator.brief.gather import gather
from curator.brief.knobs import stamp
from curator.brief.snapshot_file import NAME, Reading, Snapshot
from curator.hook.call import Call, setting, spooled
from curator.place import user_spot

SETTLE = 1.0
"""Seconds that a start after a compaction waits for that compaction's checkpoint."""


def run(call: Call) -> Said:
    """The text for this start, and a notice; nothing when there is nothing to say, or it was said a moment ago."""
    source = call.payload.text("source")
    if call.client == "gemini":
        return Said("")  # its start hook's text is glued to the prompt and lost on resume: the prompt hook delivers it
    earlier = source == "compact" and not _settled(call)
    asked = gather(call.spot, source=source, client=call.client, today=call.today, named=call.session)
    asked = asked._replace(earlier=earlier, leave_to_bd=left_to_bd(call, asked))
    made = compose(asked)
    with session.opened(call.spot.folder, call.session) as known:
        if session.repeats(known, made.digest, source, call.now):
            return Said("")
        if made.text:
            remember(known, call, asked, made)
    if made.text:
        spooled(call, source=source, receipt=receipt(made, asked))
    return Said(made.text, _notice(asked.project.snapshot.waiting))


def own(call: Call) -> Said:
    """The person's own memories alone, for a project without a store; nothing is written into the project."""
    mine = user_spot()
    if call.client == "gemini" or not mine.found:
        return Said("")
    source = call.payload.text("source")
    asked = gather(call.spot, source=source, client=call.client, today=call.today, named=call.session)
    if not asked.own.snapshot.items:
        return Said("")
    made = compose(asked._replace(project=Reading(Snapshot()), notices=()))
    with session.opened(mine.folder, call.session) as known:
        if session.repeats(known, made.digest, source, call.now):
            return Said("")
        known.update(session=call.session, client=call.client, last=[made.digest, source, call.now])
    return Said(made.text)


def _notice(waiting: int) -> str:
    were = "proposal waits" if waiting == 1 else "proposals wait"
    return f"curator: {waiting} {were} for your decision (curator review)" if waiting else ""


def _settled(call: Call) -> bool:
    """Is the snapshot newer than this session's compaction? Waits at most a second for it."""
    mark = int(session.load(call.spot.folder, call.session).get("compact_at", 0))
    path, until = os.path.join(call.spot.folder, NAME), time.monotonic() + SETTLE
    while stamp(path) < mark:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def left_to_bd(call: Call, asked: Asked) -> bool:
    """Does another start hook of this client (`bd prime`) hand over what is in bd? Looked up only where it matters."""
    items = (*asked.project.snapshot.items, *asked.own.snapshot.items)
    if call.client != "claude" or not any(item.in_bd for item in items) or not setting(call, "yield_to_bd"):
        return False
    from curator.hosts.beads import primes

    return primes(call.spot.top)


def remember(known: dict[str, object], call: Call, asked: Asked, made: Brief) -> None:
    """Note in the session's ledger what it holds now."""
    before = known.get("known") if asked.source in CONTINUED or asked.source == "compact" else None
    held = dict(before) if isinstance(before, dict) else dict(asked.known)
    held.update({one.item.id: one.item.rev for one in made.pick.taken})
    known.update(
        session=call.session,
        client=call.client,
        worktree=call.spot.worktree,
        known=held,
        checkpoint=made.checkpoint or known.get("checkpoint", ""),
        last=[made.digest, asked.source, call.now],
        digest=made.digest,
    )


def receipt(made: Brief, asked: Asked) -> dict[str, object]:
    """What was handed over and why, for the ledger of injections: factors of every entry, sizes, what was left out."""
    return {
        "digest": made.digest,
        "tokens": made.pick.tokens,
        "bytes": len(made.text.encode("utf-8", "replace")),
        "checkpoint": made.checkpoint,
        "parts": {part.name: part.size for part in made.parts},
        "entries": [[one.item.id, one.item.rev, *(round(x, 4) for x in one.score)] for one in made.pick.taken],
        "left": [[one.item.id, one.reason, round(one.score.total, 4)] for one in made.pick.left[:200]],
        "day": asked.today,
    }
