"""Questions to a person: asked on a terminal, answered by the printed default without one."""

import sys

from curator.cli.common import say
from curator.errors import CuratorError


def at_terminal() -> bool:
    """Can a person answer here?"""
    return sys.stdin.isatty() and sys.stderr.isatty()


def yes(question: str, *, default: bool) -> bool:
    """A yes-or-no question on stderr. Without a terminal the default is taken, and printed."""
    choices = "[Y/n]" if default else "[y/N]"
    if not at_terminal():
        say(f"{question} {choices} {'yes' if default else 'no'} (no terminal: the default)")
        return default
    while True:
        sys.stderr.write(f"{question} {choices} ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise CuratorError("no answer; nothing was done")
        answer = line.strip().lower()
        if not answer:
            return default
        if answer in {"y", "yes", "n", "no"}:
            return answer.startswith("y")
