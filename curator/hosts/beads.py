"""Is `bd prime` a start hook of Claude Code here? Told from the parsed command, never from a mention of it."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from curator.hosts.registered import claude_commands

_SEPARATORS = frozenset({"||", "&&", ";", "|", "&"})


def primes(start: str, env: Mapping[str, str] | None = None) -> bool:
    """Does a session that starts in a folder run `bd prime` at its start (with flags, with a path)?"""
    env = os.environ if env is None else env
    commands = claude_commands(Path(start), Path.home(), env)
    return any(one.event == "SessionStart" and runs_prime(one.command) for one in commands)


def runs_prime(command: str) -> bool:
    """Is one of a line's simple commands `bd prime …`, with or without a path before `bd`?"""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return False
    part: list[str] = []
    for word in [*words, ";"]:
        if word not in _SEPARATORS:
            part.append(word)
            continue
        if part[1:2] == ["prime"] and Path(part[0]).name in {"bd", "bd.exe"}:
            return True
        part = []
    return False
