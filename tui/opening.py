"""The first frame, drawn by the standard library while Textual (150 ms of imports) is still to be loaded.

Owns the terminal from the call until Textual's driver takes it (`tui.taking`), and gives it back as it was if that
never happens. Draws only what the home screen draws in the same place, so that nothing moves when it takes over.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TextIO

from curator.config import Settings
from tui.footer import review_footer
from tui.heading import WIDE, header
from tui.text import Line, cells, cut

if TYPE_CHECKING:
    from collections.abc import Callable

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
SMALLEST = (60, 16)
"""Columns and rows below which the home screen only says that it needs more."""
COLOURS = {
    "background": ("18;18;18", "233"),
    "surface": ("30;30;30", "234"),
    "foreground": ("224;224;224", "253"),
    "accent": ("254;166;43", "214"),
    "rule": ("79;79;79", "239"),
    "line": ("62;62;62", "237"),
}
"""Textual's own dark theme, in full colour and from the table of 256; a test holds them against it."""


@dataclass
class Opening:
    """A terminal on which the first frame stands. `attributes` are its modes from before."""

    attributes: list[Any]
    taken: bool = False


@contextmanager
def opened(project: str, settings: Settings, env: Mapping[str, str], now: datetime) -> Iterator[Opening | None]:
    """The first frame stands while the block runs, and the terminal is as before after it.

    Gives None, and draws nothing, where Textual would not draw on this terminal either, or it is too small.
    """
    screen = sys.__stderr__  # where Textual draws
    size = shutil.get_terminal_size()
    if env.get("TEXTUAL_DRIVER") or size < SMALLEST or size.lines < SMALLEST[1] or not _can_draw(screen):
        yield None
        return
    import termios

    assert screen is not None and sys.__stdin__ is not None
    handle = sys.__stdin__.fileno()
    opening = Opening(termios.tcgetattr(handle))
    try:
        termios.tcsetattr(handle, termios.TCSANOW, _waiting(opening.attributes))
        screen.write(ENTER + "\x1b[?25l" + drawn(project, settings, now, size, painter(settings, env)))
        screen.flush()
        yield opening
    finally:
        if not opening.taken:
            screen.write(LEAVE + "\x1b[?25h")
            screen.flush()
        termios.tcsetattr(handle, termios.TCSANOW, opening.attributes)


def drawn(
    project: str, settings: Settings, now: datetime, size: tuple[int, int], paint: "Callable[[str, str], str]"
) -> str:
    """The frame as text and cursor movements; `paint` gives a piece of text the look of its style."""
    width, height = size
    rule: Line = (("─" * width, "rule"),)
    blank: Line = ((" " * width, ""),)
    body = blank
    if width >= WIDE:
        left = min(72, width * 2 // 5)
        body = ((" " * left, ""), ("│", "line"), (" " * (width - left - 1), ""))
    head = cut(((" ", ""), *header(None, project, now, width - 2, False)), width)
    foot = review_footer(settings.keys, "Dossier", ())(width)
    rows = [_filled(head, width), blank, rule, *[body] * (height - 6), rule, blank, _filled(foot, width)]
    return "".join(
        f"\x1b[{at};1H" + "".join(paint(text, ("head " if at == 1 else "") + style) for text, style in row)
        for at, row in enumerate(rows, 1)
    )


def painter(settings: Settings, env: Mapping[str, str]) -> "Callable[[str, str], str]":
    """Gives pieces the colours that Textual will give them; only bold and dim where those cannot be known."""
    theme = settings.theme or env.get("TEXTUAL_THEME", "")
    full, table = env.get("COLORTERM") in {"truecolor", "24bit"}, "256color" in env.get("TERM", "")
    plainly = env.get("NO_COLOR") or theme not in {"", "textual-dark"} or not (full or table)

    def colour(name: str, layer: int) -> str:
        return f"{layer};2;{COLOURS[name][0]}" if full else f"{layer};5;{COLOURS[name][1]}"

    def paint(text: str, style: str) -> str:
        name = style.removeprefix("head ").partition("@")[0]
        codes = {"bold": "1;", "key": "1;", "dim": "2;"}.get(name, "")
        if not plainly:
            front = {"key": "accent"}.get(name, name if name in COLOURS else "foreground")
            codes += colour(front, 38) + ";" + colour("surface" if style.startswith("head") else "background", 48)
        return f"\x1b[{codes.rstrip(';')}m{text}\x1b[0m"

    return paint


def _filled(line: Line, width: int) -> Line:
    return (*line, (" " * (width - cells(line)), ""))


def _waiting(attributes: list[Any]) -> list[Any]:
    """Modes for the wait: keys are kept for Textual and not echoed, Ctrl-C ends, Ctrl-Z does nothing."""
    import termios

    modes = [*attributes[:6], [*attributes[6]]]
    modes[3] &= ~(termios.ECHO | termios.ICANON)
    modes[6][termios.VSUSP] = b"\x00"
    return modes


def _can_draw(screen: TextIO | None) -> bool:
    keys = sys.__stdin__
    return (
        os.name == "posix"
        and screen is not None
        and screen.isatty()
        and (screen.encoding or "").lower().replace("-", "") == "utf8"
        and keys is not None
        and keys.isatty()
    )
