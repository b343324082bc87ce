"""What `curator` alone says: where the project stands and what is next, on one screen. Reads small files only."""

from pathlib import Path

from curator import __version__, spool
from curator.brief import snapshot_file
from curator.brief.snapshot_file import Snapshot
from curator.cli.call import Call
from curator.cli.common import out, place_of
from curator.hosts.claude import sessions
from curator.hosts.hookline import words_of
from curator.hosts.registered import claude_commands
from curator.place import Place


def say_next(call: Call) -> None:
    """Print the screen."""
    place = place_of(call)
    known = snapshot_file.read(str(place.folder)) if place.found else snapshot_file.Reading(Snapshot())
    out(f"curator {__version__}: reviewed memory for people who work with AI coding agents")
    out()
    out(_standing(place, known.snapshot, known.problem))
    out()
    out("Next:")
    for command, why in _steps(place, known.snapshot):
        out(f"  {command:<{_WIDTH}} {why}")
    out()
    out("Every command: curator --help")


_WIDTH = 32


def _standing(place: Place, known: Snapshot, problem: str) -> str:
    if not place.found:
        return f"No memory is kept for {place.root} yet."
    if problem:
        return f"Memory of {place.root}: the hooks cannot read it now, {problem}."
    entries = sum(known.counts.values())
    return f"Memory of {place.root}: {_count(entries, 'entry', 'entries')} ready for the next session."


def _steps(place: Place, known: Snapshot) -> list[tuple[str, str]]:
    """Commands and reasons, the most pressing first; never empty."""
    steps = []
    hooked = any(words_of(one.command) for one in claude_commands(place.top, Path.home()))
    if not place.found or not hooked:
        missing = "set up the memory of this project" if not place.found else "let your agent read and feed this memory"
        steps.append(("curator init", missing))
    if known.waiting:
        oldest = f", the oldest since {known.oldest}" if known.oldest else ""
        steps.append(("curator review", f"{_count(known.waiting, 'proposal waits', 'proposals wait')} for you{oldest}"))
    if place.found and spool.waiting(str(place.folder)):
        steps.append(("curator ingest", "take in what the last sessions left"))
    if place.found and not known.counts and not known.waiting and (past := len(sessions(place.top))):
        steps.append(
            ("curator harvest --client claude", f"read {_count(past, 'past session', 'past sessions')} into notes")
        )
    if not place.found:
        steps.append(("curator demo", "watch a conversation become memory, in a throwaway store"))
    return steps or [
        ("curator search TEXT", "nothing waits; look something up"),
        ("curator status", "the whole picture"),
    ]


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
