"""One hook call: where it stands, whether it may speak, and which event it is."""

import os
import time

from curator.brief.envelope import EVENTS, Said, wrap
from curator.hook import payload as stdin
from curator.light import Any, NamedTuple
from curator.place import Spot, locate


class Call(NamedTuple):
    """An event of a client in a project. `now` is seconds since 1970."""

    event: str
    client: str
    payload: stdin.Payload
    spot: Spot
    now: float

    @property
    def session(self) -> str:
        """The session's id, "" when the client gave none."""
        return self.payload.text("session_id")

    @property
    def today(self) -> int:
        """The day (UTC) as a proleptic ordinal."""
        return int(self.now // 86_400) + 719_163


def answer(argv: list[str]) -> str:
    """The document for one call's stdout; "" for nothing to say."""
    event, client = _words(argv)
    if event not in EVENTS:
        raise ValueError(f"there is no hook event {event!r}; there are {', '.join(EVENTS)}")
    given = stdin.read()
    client = stdin.client_of(client, given.values, dict(os.environ))
    home = os.path.expanduser("~")
    cwd = given.text("cwd")
    spot = locate(cwd if os.path.isdir(cwd) else os.getcwd(), home=home)
    call = Call(event, client, given, spot, time.time())
    if paused(spot.folder, call.session):
        return ""
    if not spot.found:
        return wrap(client, event, _without_project(call), given.text("hook_event_name"))
    return wrap(client, event, _run(call), given.text("hook_event_name"))


def paused(folder: str, session: str) -> bool:
    """Did the person switch the hooks off, here or for this session? Or is this an agent that curator itself asks?"""
    from curator.brief.session import pause_mark

    if os.environ.get("CURATOR_INTERNAL"):
        return True
    return os.path.exists(pause_mark(folder)) or bool(session and os.path.exists(pause_mark(folder, session)))


def _without_project(call: Call) -> Said:
    """Where nothing is set up for the project, a start still hands over what the person keeps for every project."""
    if call.event != "session-start":
        return Said("")
    from curator.hook import start

    return start.own(call)


def _run(call: Call) -> Said:
    """Each event's module is imported only when it is asked for."""
    if call.event == "session-start":
        from curator.hook import start

        return start.run(call)
    if call.event == "prompt":
        from curator.hook import prompt

        return Said(prompt.run(call))
    if call.event in {"pre-tool", "post-tool"}:
        from curator.hook import tools

        return Said(tools.before(call) if call.event == "pre-tool" else tools.after(call))
    from curator.hook import closing

    acts = {
        "stop": closing.stop,
        "pre-compact": closing.pre_compact,
        "post-compact": closing.post_compact,
        "session-end": closing.session_end,
    }
    return Said(acts[call.event](call))


def setting(call: Call, name: str) -> Any:
    """One setting of the project."""
    return _settings(call.spot.folder)[name]


_KNOWN: dict[str, Any] = {}  # a hook is one short process


def _settings(folder: str) -> Any:
    from curator.brief.knobs import knobs
    from curator.brief.snapshot_file import read

    if folder not in _KNOWN:
        _KNOWN[folder] = knobs(folder, read(folder).snapshot, os.environ)[0]
    return _KNOWN[folder]


def _words(argv: list[str]) -> tuple[str, str]:
    """Event and `--client` value; anything else is ignored, because a hook must not fail over a word."""
    event = client = ""
    words = iter(argv)
    for word in words:
        if word == "--client":
            client = next(words, "")
        elif word.startswith("--client="):
            client = word.partition("=")[2]
        elif not event and not word.startswith("-"):
            event = word
    return event, client


def spooled(call: Call, **more: Any) -> None:
    """Leave an event for `curator ingest`; a spool that cannot be written is said on stderr and forgiven."""
    import sys

    from curator import spool

    event = {
        "event": call.event,
        "client": call.client,
        "session": call.session,
        "transcript": call.payload.text("transcript_path"),
        "cwd": call.payload.text("cwd"),
        "worktree": call.spot.worktree,
        "at": call.now,
        **more,
    }
    try:
        spool.append(call.spot.folder, event)
    except OSError as error:
        sys.stderr.write(f"curator: {call.spot.folder}: {error.strerror}\n")
