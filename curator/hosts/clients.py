"""Which clients there are, where their settings lie, and which of their events we want.

A table and the few paths it needs; what is done with them is `curator.hosts.plug`'s. Standard library only.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from curator.hosts.claude import home_folder
from curator.hosts.hookline import Program, posix, windows
from curator.hosts.settings import Wanted
from curator.vocab import Client

SUPPORTED = (Client.CLAUDE,)
"""The clients that `init` can plug into; the others are named in the contract and not built yet."""


class Scope(StrEnum):
    """Which settings file: the person's, the project's shared one, or the project's private one."""

    USER = "user"
    PROJECT = "project"
    LOCAL = "local"


_LOOKED_AT = "Bash|Read|Edit|Write|MultiEdit|NotebookEdit|Grep|Glob|LS"
_CHANGING = "Bash|Edit|Write|MultiEdit|NotebookEdit"

# The client's event, ours, seconds, the tools it is for. Seconds are far above what a hook takes (15 to 40 ms;
# pre-compact waits up to 3 s by itself) and far below what a person would notice as a hang.
CLAUDE_EVENTS = (
    ("SessionStart", "session-start", 5, ""),
    ("UserPromptSubmit", "prompt", 5, ""),
    ("PreToolUse", "pre-tool", 5, _CHANGING),
    ("PostToolUse", "post-tool", 5, _LOOKED_AT),
    ("PostToolUseFailure", "post-tool", 5, _LOOKED_AT),
    ("Stop", "stop", 5, ""),
    ("PreCompact", "pre-compact", 10, ""),
    ("PostCompact", "post-compact", 5, ""),
    ("SessionEnd", "session-end", 5, ""),
)


def wanted(client: Client, program: Program) -> tuple[Wanted, ...]:
    """The entries that a client's settings should have to run this program."""
    return tuple(
        Wanted(event, _line(program, f"{ours} --client {client.value}"), seconds, matcher)
        for event, ours, seconds, matcher in CLAUDE_EVENTS
    )


def settings_file(scope: Scope, top: Path, home: Path, env: Mapping[str, str] | None = None) -> Path:
    """Where Claude Code keeps the settings of a scope, for a project whose top folder is `top`."""
    if scope is Scope.USER:
        return home_folder(env, home) / "settings.json"
    return top / ".claude" / ("settings.json" if scope is Scope.PROJECT else "settings.local.json")


def present(home: Path, env: Mapping[str, str] | None = None) -> tuple[Client, ...]:
    """The supported clients that this person seems to use."""
    env = os.environ if env is None else env
    found = home_folder(env, home).is_dir() or shutil.which("claude", path=env.get("PATH"))
    return (Client.CLAUDE,) if found else ()


def _line(program: Program, words: str) -> str:
    # Claude Code runs hooks through Git Bash on Windows.
    return windows(program, words, "bash") if sys.platform == "win32" else posix(program, words)
