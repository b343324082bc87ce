"""The checkpoint's tools: begin, edit, memo, commit."""

import threading
from typing import Any

from curator.mcp.answer import Answer, error
from curator.mcp.project import Caller, writable
from curator.plain import counted

HOW = """\
How to answer, with the tools of this server:
1. `checkpoint_edit` changes the mind: edits in place, where the old text stands exactly once; all of them in one call.
2. `checkpoint_memo` takes the numbers of all messages to keep.
3. `checkpoint_commit` takes the <checkpoint> block as `now`.
At most five calls of the first two. If something is wrong, every problem is told at once and you have one more try.
The session is {session}; the checkpoint is open until {until}."""

_LOADING = threading.Lock()  # the vocabulary is loaded under a changed environment: by one thread


def begin(caller: Caller, session: str = "", window: int = 0) -> Answer:
    """Open a checkpoint and hand out the request."""
    from curator.checkpoint.request import request
    from curator.cycle.checkpoints import begin as opening
    from curator.cycle.checkpoints.current import after_task_state, caught_up

    with writable(caller.place) as store:
        session = session or caller.session()
        session = caught_up(store, counter(store.settings.encoding), session) or session
        under, turn = opening(store, session, window=window)
        until = under.expires_at.astimezone().strftime("%H:%M")
        text = request(turn, after_task_state(store, HOW.format(session=under.session, until=until)))
    return Answer(text, {"session": under.session, "expires_at": under.expires_at, "request": text})


def edit(caller: Caller, edits: list[dict[str, str]], session: str = "") -> Answer:
    """Change the mind in place."""
    from curator.cycle.checkpoints.tools import CALLS
    from curator.cycle.checkpoints.tools import edit as editing

    with writable(caller.place) as store:
        under = editing(store, edits, session or caller.session())
    left = CALLS - under.calls
    return Answer(
        f"{counted(len(edits), 'edit')} made; {counted(left, 'call')} left", {"edits": len(edits), "calls_left": left}
    )


def memo(caller: Caller, keep: list[int], session: str = "") -> Answer:
    """Decide which of the person's messages are kept."""
    from curator.cycle.checkpoints.tools import CALLS
    from curator.cycle.checkpoints.tools import keep as keeping

    with writable(caller.place) as store:
        under = keeping(store, keep, session or caller.session())
    kept, listed, left = under.ticks or (), len(under.candidates), CALLS - under.calls
    told = {"kept": kept, "listed": listed, "calls_left": left}
    return Answer(f"{len(kept)} of {counted(listed, 'message')} kept; {counted(left, 'call')} left", told)


def commit(caller: Caller, now: str, session: str = "") -> Answer:
    """Check the three parts and store the checkpoint."""
    from curator.checkpoint import Outcome
    from curator.cycle.checkpoints import commit as committing
    from curator.cycle.checkpoints.current import noting, settled

    with writable(caller.place) as store:
        session = session or caller.session()
        done = committing(store, now, counter(store.settings.encoding), session, follow=noting(store))
        said = (*done.fallbacks, *settled(store, done.value)) if done.value else ()
    if done.value:
        told: dict[str, Any] = {"checkpoint": done.ident, "session": done.session, "notes": said}
        return Answer("; ".join([f"committed {done.ident}", *said]), told)
    wrong = "; ".join(done.problems)
    if done.outcome is Outcome.REPAIR:
        rest = " (the now was accepted and need not be repeated)" if done.now_accepted else ""
        return error(f"mend all of this and commit once more{rest}: {wrong}", {"problems": done.problems})
    return error(f"the checkpoint failed, what was there stays: {wrong}", {"problems": done.problems})


def counter(encoding: str) -> Any:
    """Counts tokens; the first call loads a vocabulary (0.2 s)."""
    from curator.edge.tokens import tokens

    with _LOADING:
        return tokens(encoding).count
