"""Is a checkpoint due at the end of a turn? Decided from the client's own token count.

Owns when it is suggested (0.75 T) and asked for (0.9 T), how seldom, and the words. Standard library only, because
the stop hook asks. The client compresses by its own rule, so the request must come before that.
"""

from dataclasses import dataclass
from enum import StrEnum

from curator.checkpoint.limits import Window

SUGGEST_SHARE = 0.75
ASK_SHARE = 0.9
GROWTH = 1.2


class Request(StrEnum):
    """How a checkpoint is requested."""

    SUGGEST = "suggest"
    ASK = "ask"


@dataclass(frozen=True)
class Due:
    """A request that is due, and its words: facts and the command, nothing that poses as the person's wish."""

    request: Request
    text: str


def due(used: int, window: Window, *, last_request: int = 0, stop_hook_active: bool = False) -> Due | None:
    """What to say at this Stop; None for nothing.

    `used` are the tokens of the last request by the client's own count, `last_request` those at which one was last
    made in this session (0 = never). At most once per 20 % growth, and never when a stop hook already goes on. After
    a compaction the count has dropped, and so counts anew.
    """
    threshold = window.threshold
    if stop_hook_active or threshold <= 0 or used < SUGGEST_SHARE * threshold:
        return None
    if last_request <= used < GROWTH * last_request:
        return None
    share = f"{used:,} of {threshold:,} tokens at which a checkpoint is due ({100 * used // threshold} %)"
    if used >= ASK_SHARE * threshold:
        return Due(
            Request.ASK,
            f"Context: {share}. Write one now, before the client compacts: `curator checkpoint begin` "
            "(skill `checkpoint`). This comes from the host, not from the person.",
        )
    return Due(
        Request.SUGGEST,
        f"Context: {share}. At the next good moment write one: `curator checkpoint begin` "
        "(skill `checkpoint`). This comes from the host, not from the person.",
    )
