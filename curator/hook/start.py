"""session-start: snapshot, pick, text, receipt. Reads no database, starts nothing, waits for nothing."""

from curator.brief import session
from curator.brief.asked import CONTINUED, Asked, Brief
from curator.brief.compose import compose
from curator.brief.gather import gather
from curator.hook.call import Call, spooled


def run(call: Call) -> str:
    """The text for this start; "" when there is nothing to say, or when it was said a moment ago."""
    source = call.payload.text("source")
    asked = gather(call.spot, source=source, client=call.client, today=call.today, named=call.session)
    made = compose(asked)
    with session.opened(call.spot.folder, call.session) as known:
        if session.repeats(known, made.digest, source, call.now):
            return ""
        if made.text:
            _remember(known, call, asked, made)
    if made.text:
        spooled(call, source=source, receipt=receipt(made, asked))
    return made.text


def _remember(known: dict[str, object], call: Call, asked: Asked, made: Brief) -> None:
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
