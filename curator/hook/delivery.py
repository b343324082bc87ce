"""Did what a start handed over arrive? Told from the frame's digest in the transcript, by the next hooks."""

from curator.hook.call import Call, spooled
from curator.hook.tail import holds
from curator.light import Any


def missing(call: Call, known: dict[str, Any]) -> bool:
    """Is the last start's text certainly not in the transcript, and not yet delivered again? Notes what it learnt."""
    digest = str(known.get("digest", ""))
    if not digest or known.get("arrived") == digest or known.get("redelivered"):
        return False
    found = holds(call.payload.text("transcript_path"), digest)
    if found:
        known["arrived"] = digest
        spooled(call, delivered=True, digest=digest)
    return found is False
