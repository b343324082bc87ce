"""The tools that bring something in: remember and propose. Neither writes an entry; only a person's decision does."""

from typing import TYPE_CHECKING

from curator.edge.clock import now
from curator.errors import Busy, NotAllowed
from curator.mcp.answer import Answer
from curator.mcp.checkpointing import counter
from curator.mcp.project import Caller, writable
from curator.vocab import Kind, Origin, lowest

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.harvest.remembering import Handed

ORIGINS = tuple(origin.value for origin in (Origin.TOOL, Origin.FILE, Origin.WEB, Origin.SUBAGENT))
"""Where an agent may say that a text is from, all of them trusted no more than itself."""


def remember(
    caller: Caller,
    text: str,
    kind: str = "",
    title: str = "",
    label: list[str] | None = None,
    ref: list[str] | None = None,
    origin: str = "",
) -> Answer:
    """Store one raw note; where the store cannot be written now it waits in the spool."""
    from curator.harvest.remembering import Handed
    from curator.harvest.remembering import remember as store_note

    handed = Handed(text, Kind(kind) if kind else None, label or (), title, ref or ())
    said_by = _origin(origin)
    try:
        with writable(caller.place) as store:
            noted = store_note(store, handed, said_by, client=caller.client)
            limit = store.settings.note_bytes
    except Busy as busy:
        return _spooled(caller, handed, said_by, busy)
    from curator.harvest.noting import Outcome

    if noted.outcome is Outcome.BLOCKED:
        raise NotAllowed(noted.said)
    taken = [f"taken out before storing: {', '.join(noted.redacted)}"] if noted.redacted else []
    if noted.cut:
        taken.append(f"cut at {limit} bytes")
    if noted.outcome in {Outcome.ECHO, Outcome.EMPTY}:
        told = {"outcome": noted.outcome.value, "said": noted.said, "notes": taken}
        return Answer("; ".join([noted.said, *taken]), told)
    told = {"note": noted.note_id, "outcome": noted.outcome.value, "said": noted.said, "notes": taken}
    return Answer("; ".join([f"{noted.note_id} {noted.said}", *taken]), told)


def propose(
    caller: Caller,
    text: str = "",
    entry: str = "",
    reason: str = "",
    kind: str = "",
    origin: str = "",
) -> Answer:
    """Suggest a change to an entry as a proposal; a text without an entry is a note for the sweep."""
    from curator.cycle.suggesting import Suggested, suggest
    from curator.errors import BadUsage
    from curator.snapshot import refresh

    if not entry:
        if not text:
            raise BadUsage("`text` or `entry` is missing")
        return remember(caller, text, kind, origin=origin)
    if not text and not reason:
        raise BadUsage("to retire an entry `reason` is needed, to change it `text`")
    change = Suggested(entry, text, reason, _origin(origin), caller.client)
    with writable(caller.place) as store:
        made, redacted = suggest(store, change, counter(store.settings.encoding))
        wrong = refresh(store)
    said = f"{made} waits for the person's decision"
    notes = [f"taken out before storing: {', '.join(redacted)}"] if redacted else []
    notes += [wrong] if wrong else []
    return Answer("; ".join([said, *notes]), {"proposal": made, "said": said, "notes": notes})


def _origin(given: str) -> Origin:
    """The agent's own, or less."""
    return lowest(Origin.AGENT, Origin(given)) if given else Origin.AGENT


def _spooled(caller: Caller, handed: "Handed", origin: Origin, busy: Busy) -> Answer:
    """Leave it for the next command that can write; where that cannot be written either, the reason is the answer."""
    from curator.harvest.remembering import check
    from curator.harvest.spooled import leave

    check(handed, caller.place)
    try:
        taken = leave(caller.place, handed, origin, now(), client=caller.client)
    except OSError:
        raise busy from None
    said = f"could not look: {busy}; kept in the spool, and noted by the next call that can write"
    notes = [f"taken out before storing: {', '.join(taken)}"] if taken else []
    return Answer("; ".join([said, *notes]), {"outcome": "spooled", "said": said, "notes": notes})
