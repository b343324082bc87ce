"""How far something long is: a bar on stderr where someone looks at it, else a line for each tenth."""

import sys
from collections.abc import Callable

from curator.cli.common import say

_WIDTH = 30


def bar(lines: bool = False) -> Callable[[int, int], None] | None:
    """Told how many of how many are done. Without a terminal it says nothing, or with `lines` ten lines at most."""
    if sys.stderr.isatty():
        return _drawn
    return _lines() if lines else None


def _drawn(done: int, of: int) -> None:
    filled = _WIDTH * done // max(1, of)
    ends = "\n" if done == of else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{of}{ends}")
    sys.stderr.flush()


def _lines() -> Callable[[int, int], None]:
    last = 0

    def step(done: int, of: int) -> None:
        nonlocal last
        if (tenth := 10 * done // max(1, of)) > last:
            last = tenth
            say(f"{done} of {of}")

    return step
