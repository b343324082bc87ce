"""What `curator` alone says: where the project stands and what is next, on one screen. Changes nothing."""

from pathlib import Path
from typing import TYPE_CHECKING

from curator import __version__, spool
from curator.brief import snapshot_file
from curator.cli.call import Call
from curator.cli.common import local, out, place_of, store_to_read
from curator.hosts.hookline import words_of
from curator.hosts.registered import claude_commands
from curator.hosts.transcripts import sessions
from curator.place import Place
from curator.plain import counted
from curator.sync.registering import file_of

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.recall.standing import Standing

_WIDTH = 20


def say_next(call: Call) -> None:
    """Print the screen."""
    place = place_of(call)
    stands = _standing(call)
    out(f"curator {__version__}: reviewed memory for people who work with AI coding agents")
    out()
    out(_headline(place, stands))
    out()
    out("Next:")
    for command, why in _steps(place, stands):
        out(f"  {command:<{_WIDTH}} {why}")
    out()
    out("Every command: curator --help")


def _standing(call: Call) -> "Standing | None":
    store = store_to_read(call)
    if store is None:
        return None
    from curator.recall.standing import standing

    return standing(store)


def _headline(place: Place, stands: "Standing | None") -> str:
    if stands is None:
        return f"No memory is kept for {place.root} yet."
    counts = {route: by_state.get("active", 0) for route, by_state in stands.entries.items()}
    return (
        f"Memory of {place.root}: {counted(counts.get('injected', 0), 'entry', 'entries')} for every session, "
        f"{counts.get('deferred', 0)} to look up, {counted(stands.notes, 'note')} taken."
    )


def _steps(place: Place, stands: "Standing | None") -> list[tuple[str, str]]:
    """Commands and reasons, the most pressing first; never empty."""
    hooked = any(words_of(one.command) for one in claude_commands(place.top, Path.home()))
    if stands is None:
        if file_of(place).exists():
            return [("curator sync import", "take in the memory that git brought")]
        init = ("curator init", "set up the memory of this project")
        return [init, ("curator demo", "watch a conversation become memory, in a throwaway store")]
    steps = [] if hooked else [("curator init", "let your agent read and feed this memory")]
    if problem := snapshot_file.read(str(place.folder)).problem:
        steps.append(("curator ingest", f"hooks cannot read the memory: {problem}"))
    if stands.proposals_waiting:
        oldest = f", the oldest since {local(stands.oldest_proposal)}" if stands.oldest_proposal else ""
        waiting = counted(stands.proposals_waiting, "proposal waits", "proposals wait")
        steps.append(("curator review", f"{waiting} for you{oldest}"))
    if spool.waiting(str(place.folder)) or spool.waiting(str(place.folder), spool.REMEMBERED):
        steps.append(("curator ingest", "take in what the last sessions left"))
    if stands.notes_waiting:
        steps.append(("curator sweep", f"make proposals of {counted(stands.notes_waiting, 'note')}"))
    if not stands.notes and (past := len(sessions(place))):
        steps.append(("curator harvest", f"read {counted(past, 'past session')} into notes"))
    return steps or [
        ("curator search TEXT", "nothing waits; look something up"),
        ("curator status", "the whole picture"),
    ]
