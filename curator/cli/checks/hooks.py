"""The hooks that are registered: readable, complete, once each, with a program behind them, giving what they should.

The stored command strings are run as they are, through the shell, in a copy of the project that has everything a
hook reads and nothing it could leave traces in.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from curator.brief.envelope import faults
from curator.cli.checks.finding import Finding, broken, note, ok
from curator.hosts import files
from curator.hosts.beads import runs_prime
from curator.hosts.clients import CLAUDE_EVENTS
from curator.hosts.hookline import words_of
from curator.hosts.jsonc import Malformed, parse
from curator.hosts.registered import Registered, claude_commands, claude_settings
from curator.place import FOLDER, Place

_READ_BY_HOOKS = ("snapshot.json", "config.toml", "HEADER.md", "CONTRACT.md", "TASK_STATE.md", "SCRATCH.md")
_RUN = ("session-start", "prompt")
_SECONDS = 10
_QUICK = 1.0


def check(place: Place, home: Path, limit: int) -> Iterator[Finding]:
    """Everything about Claude Code's hooks; `limit` is the largest injection in bytes."""
    yield from _unreadable(place, home)
    found = list(claude_commands(place.top, home))
    ours = [one for one in found if words_of(one.command)]
    if not ours:
        yield note("hooks", "no agent runs curator here", "curator init")
        return
    yield from _incomplete(ours)
    yield from _twice(ours)
    for command in dict.fromkeys(one.command for one in ours):
        if (event := words_of(command)[0]) in _RUN:
            yield _ran(command, event, place, home, limit)
    yield from _prime(found)


def leftovers(place: Place, home: Path) -> Iterator[Finding]:
    """Copies of settings files that nobody needs any more, and files that an interrupted write left."""
    for path in claude_settings(place.top, home):
        text = files.read(path) if path.exists() else None
        for copy in files.copies(path):
            if text is None or copy != files.original(path, text):
                yield note("leftovers", f"{copy} is an old copy of your settings", f"rm {shlex.quote(str(copy))}")


def _unreadable(place: Place, home: Path) -> Iterator[Finding]:
    for path in claude_settings(place.top, home):
        try:
            parse(path.read_text(encoding="utf-8") or "{}")
        except FileNotFoundError:
            continue
        except Malformed as error:
            yield broken("settings", f"{path}, {error}", f"mend that line, then `curator doctor` ({path.name})")
        except (OSError, UnicodeDecodeError) as error:
            yield broken("settings", f"{path} could not be read: {error}", f"chmod u+r {shlex.quote(str(path))}")


def _incomplete(ours: list[Registered]) -> Iterator[Finding]:
    have = {(one.event, words_of(one.command)[0]) for one in ours}
    missing = [event for event, our_event, _, _ in CLAUDE_EVENTS if (event, our_event) not in have]
    if missing and any(one.plugin for one in ours):
        yield note("hooks", f"the plugin registers no hook for {', '.join(missing)}")
    elif missing:
        yield broken("hooks", f"no hook for {', '.join(missing)}", "curator init")
    for one in ours:
        if gone := _gone(one.command):
            yield broken("hooks", f"{one.path} runs {gone}, which is not there", "curator uninstall && curator init")
            return


def _gone(command: str) -> str:
    """The first absolute path that a command of ours runs and that does not exist; "" when all do."""
    words = [re.sub(r"^[ps]=", "", word).removesuffix(";") for word in shlex.split(command, comments=True)]
    return next((word for word in words if word.startswith("/") and not Path(word).exists()), "")


def _twice(ours: list[Registered]) -> Iterator[Finding]:
    places: dict[str, list[str]] = {}
    for one in ours:
        places.setdefault(one.event, []).append(str(one.path))
    doubled = {event: paths for event, paths in places.items() if len(paths) > 1}
    if doubled:
        where = " and ".join(dict.fromkeys(path for paths in doubled.values() for path in paths))
        mend = "curator uninstall" if any(one.plugin for one in ours) else "curator uninstall && curator init"
        yield broken("hooks", f"registered twice for {', '.join(doubled)}: {where}", mend)


def _prime(found: list[Registered]) -> Iterator[Finding]:
    for one in found:
        if one.event == "SessionStart" and runs_prime(one.command):
            yield note("bd", f"{one.path} runs `bd prime`: entries that bd has too are left to it (`yield_to_bd`)")


def _ran(command: str, event: str, place: Place, home: Path, limit: int) -> Finding:
    """Run one stored string as the client would, and judge what it printed."""
    subject = f"hook {event}"
    if shutil.which("sh") is None:
        return note(subject, "not run: there is no shell `sh` here")
    with tempfile.TemporaryDirectory(prefix="curator-doctor-") as scratch:
        project = _copied(place, Path(scratch) / "project")
        payload = {"session_id": "doctor", "cwd": str(project), "hook_event_name": "SessionStart", "source": "startup"}
        env = {name: value for name, value in os.environ.items() if not name.startswith("CURATOR_")}
        began = time.monotonic()
        try:
            done = subprocess.run(
                ["sh", "-c", command],
                input=json.dumps(payload).encode(),
                cwd=project,
                env=env | {"HOME": str(home)},
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return broken(subject, f"gave no answer within {_SECONDS} s", f"sh -c {shlex.quote(command)} </dev/null")
        seconds = time.monotonic() - began
    return _judged(subject, command, event, done, seconds, limit)


def _judged(
    subject: str, command: str, event: str, done: subprocess.CompletedProcess[bytes], seconds: float, limit: int
) -> Finding:
    again = f"sh -c {shlex.quote(command)} </dev/null"
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    wrong = faults("claude", event, done.stdout, limit)
    if done.returncode:
        wrong.insert(0, f"exit code {done.returncode}")
    if wrong:
        return broken(subject, "; ".join([*wrong, *said[-1:]]), again)
    size = f"{len(done.stdout)} bytes" if done.stdout.strip() else "nothing (there is nothing to say yet)"
    text = f"printed {size} in {seconds * 1000:.0f} ms, in the form Claude Code takes"
    if said:
        return note(subject, f"{text}, and said on stderr: {said[-1]}", again)
    return note(subject, f"{text}, which is slow", again) if seconds > _QUICK else ok(subject, text)


def _copied(place: Place, project: Path) -> Path:
    """A project with what hooks read of the real one."""
    (project / FOLDER).mkdir(parents=True)
    for name in _READ_BY_HOOKS:
        if (place.folder / name).is_file():
            shutil.copyfile(place.folder / name, project / FOLDER / name)
    return project
