"""stop, pre-compact, post-compact, session-end: hand the work to the background, ask for a checkpoint in time.

None of them blocks: a stop may be answered with a request, compaction and the session's end are answered with nothing.
"""

import os

from curator.brief import session
from curator.hook import background
from curator.hook.call import Call, setting, spooled
from curator.hook.delivery import missing
from curator.hook.tail import use
from curator.light import Any

COMPACT_WAIT = 3.0


def stop(call: Call) -> str:
    """Spool, start the background, and say what is due: a checkpoint, or a task state that fell behind."""
    spooled(call)
    background.ingest(call.spot)
    with session.opened(call.spot.folder, call.session) as known:
        missing(call, known)
        counted = use(call.payload.text("transcript_path"))
        if counted:
            known.update(tokens=counted.tokens, window=counted.window)
        if call.payload.values.get("stop_hook_active") or not setting(call, "stop_hook"):
            return ""
        said = _checkpoint_due(call, known) or _behind(call, known)
    if said:
        spooled(call, reminder="stop", bytes=len(said.encode("utf-8", "replace")))
    return said


def pre_compact(call: Call) -> str:
    """Spool, and give the model-free checkpoint at most three seconds; prints nothing, whatever happens."""
    import time

    with session.opened(call.spot.folder, call.session) as known:
        known["compact_at"] = time.time_ns()
    spooled(call, trigger=call.payload.text("trigger"))
    if not background.ingest(call.spot, "--checkpoint", wait=COMPACT_WAIT):
        import sys

        sys.stderr.write("curator: the checkpoint before this compaction was not ready in time; it goes on behind\n")
    return ""


def post_compact(call: Call) -> str:
    """The host's summary is spooled as what it is: an untrusted note."""
    spooled(call, summary=call.payload.text("compact_summary")[:60_000])
    background.ingest(call.spot)
    return ""


def session_end(call: Call) -> str:
    """Note that the session ended, and let the background finish."""
    with session.opened(call.spot.folder, call.session) as known:
        known["ended"] = True
    spooled(call, reason=call.payload.text("reason"))
    background.ingest(call.spot)
    return ""


def _checkpoint_due(call: Call, known: dict[str, Any]) -> str:
    from curator.checkpoint.due import due
    from curator.checkpoint.limits import window_of

    tokens, said_at = int(known.get("tokens", 0)), int(known.get("asked_at", 0))
    window = window_of(call.client, int(setting(call, "window")) or int(known.get("window", 0)))
    found = due(tokens, window, last_request=said_at)
    if found is None:
        return ""
    known["asked_at"] = tokens
    return found.text


def _behind(call: Call, known: dict[str, Any]) -> str:
    """A reminder, once per commit, that the task state is older than the newest commit."""
    from curator.brief.layers import STATE, changed, state_folder
    from curator.brief.reflog import newest_commit

    written = changed(os.path.join(state_folder(call.spot.folder, call.spot.worktree), STATE))
    commit = newest_commit(call.spot.top)
    if not written or not commit or commit <= written or known.get("behind") == commit:
        return ""
    known["behind"] = commit
    return (
        "`.curator/TASK_STATE.md` is older than the newest commit: bring CURRENT, DONE and NEXT up to date. "
        "Where that commit ends a piece of work, the skill `land` lists what a good end has; each step may be skipped."
    )
