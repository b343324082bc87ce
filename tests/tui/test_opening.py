"""The first frame, drawn before Textual: it is the frame that Textual draws, and the terminal comes back whole."""

import re
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.color import Color, ColorSystem
from textual.theme import BUILTIN_THEMES

from curator.config import Settings
from curator.store.engine import Store
from tests.tui.terminal import Terminal
from tui.app import CuratorApp
from tui.opening import COLOURS, ENTER, LEAVE, drawn, painter

NOON = datetime(2031, 3, 5, 12, tzinfo=UTC)


def rows_of(frame: str) -> list[str]:
    """The frame's rows as text."""
    return [re.sub(r"\x1b\[[\d;]*m", "", row) for row in re.split(r"\x1b\[\d+;1H", frame)[1:]]


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (200, 50), (100, 16)])
async def test_the_first_frame_is_the_one_that_textual_draws(size: tuple[int, int]) -> None:
    """Row for row the same text, so that nothing moves when Textual takes over."""
    wait = threading.Event()

    def never() -> Any:
        wait.wait()
        raise OSError

    app = CuratorApp(never, Settings(), "vibe-商店", lambda: NOON)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        theirs = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
        wait.set()
        await app.idle()
    ours = rows_of(drawn("vibe-商店", Settings(), NOON, size, painter(Settings(), {})))
    assert [row.rstrip() for row in ours] == theirs


def test_the_colours_are_those_of_the_dark_theme() -> None:
    """In full colour and in the table of 256."""
    theme = BUILTIN_THEMES["textual-dark"].to_color_system().generate()
    for name in ("background", "surface", "foreground", "accent"):
        full, table = COLOURS[name]
        triplet = Color.parse(theme[name]).get_truecolor()
        assert max(abs(int(ours) - its) for ours, its in zip(full.split(";"), triplet, strict=True)) <= 1
        assert Color.parse(theme[name]).downgrade(ColorSystem.EIGHT_BIT).number == int(table)


def test_a_name_that_steers_the_terminal_is_drawn_visibly() -> None:
    """A folder may have any name."""
    frame = drawn("\x1b]0;pwned\x07\x9b2J", Settings(), NOON, (80, 24), painter(Settings(), {"NO_COLOR": "1"}))
    assert "\\x1b]0;pwned" in frame
    assert "\x07" not in frame
    assert "\x9b" not in frame
    assert set(re.findall(r"\x1b.[\d;]*.", frame)) <= {f"\x1b[{at};1H" for at in range(1, 25)} | {
        "\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[2m"
    }  # fmt: skip


@pytest.mark.slow
def test_the_terminal_is_entered_once_and_left_as_it_was(store: Store) -> None:
    """A key typed before Textual was loaded is obeyed; after quitting, modes and screen are those from before."""
    with Terminal(Path(store.place.root)) as screen:
        screen.until(b"curator")
        screen.send(b"?")
        screen.until(b"Keys")
        screen.send(b"\x1b")
        screen.quiet()
        screen.send(b"q")
        assert screen.ended() == 0
        assert screen.modes() == screen.before
        assert screen.seen.count(ENTER.encode()) == 1
        assert screen.seen.count(LEAVE.encode()) == 1
        assert screen.seen.rindex(b"\x1b[?25h") > screen.seen.rindex(b"\x1b[?25l")


def test_what_fails_before_textual_gives_the_terminal_back(store: Store) -> None:
    """Textual cannot be imported: the alternate screen is left before the error is printed."""
    program = "import sys; sys.modules['textual'] = None; sys.argv = ['curator', 'review']; import runpy; "
    program += "runpy.run_module('curator', run_name='__main__')"
    with Terminal(Path(store.place.root), (sys.executable, "-c", program)) as screen:
        assert screen.ended() == 1
        assert screen.modes() == screen.before
        assert screen.seen.index(ENTER.encode()) < screen.seen.index(LEAVE.encode()) < screen.seen.index(b"textual")


def test_ctrl_c_before_textual_gives_the_terminal_back(store: Store) -> None:
    """Interrupted during the imports: exit code 130, no traceback, the terminal as before."""
    program = (
        "import os, sys, time; sys.argv = ['curator', 'review']\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'textual': os.write(1, b'<importing>'); time.sleep(30)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "from curator.__main__ import main\nsys.exit(main())"
    )
    with Terminal(Path(store.place.root), (sys.executable, "-c", program)) as screen:
        screen.until(b"<importing>")
        screen.send(b"\x1a\x03")
        assert screen.ended() == 130
        assert screen.modes() == screen.before
        assert b"Traceback" not in screen.seen
        assert screen.seen.count(LEAVE.encode()) == 1


def test_nothing_heavy_is_loaded_before_the_first_frame(store: Store) -> None:
    """Textual and the store come after the frame that stands while they load; torch never comes."""
    program = (
        "import sys; sys.argv = ['curator', 'review']\n"
        "import tui.opening as opening\n"
        "drawn = opening.drawn\n"
        "def told(*words):\n"
        "    names = set(sys.modules)\n"
        "    heavy = {'textual', 'asyncio', 'torch', 'sqlmodel', 'sqlalchemy', 'alembic', 'typer', 'curator.store',\n"
        "             'curator.door', 'curator.desk.views', 'rich.console'}\n"
        "    sys.exit('heavy: ' + ' '.join(sorted(heavy & names)) + '.')\n"
        "opening.drawn = told\n"
        "from curator.__main__ import main\nsys.exit(main())"
    )
    with Terminal(Path(store.place.root), (sys.executable, "-c", program)) as screen:
        screen.ended()
        assert b"heavy: ." in screen.seen, bytes(screen.seen)


def test_the_store_is_not_loaded_before_textuals_own_frame(store: Store) -> None:
    """SQLModel, the door's patterns and the screens behind the home screen come after it."""
    program = (
        "import sys, os; sys.argv = ['curator', 'review']\n"
        "import tui.home as home\n"
        "def told(self):\n"
        "    heavy = {'torch', 'sqlmodel', 'sqlalchemy', 'alembic', 'curator.store', 'curator.door',\n"
        "             'curator.worddiff', 'tui.sheets', 'tui.editor', 'tui.dialogs', 'tui.preview', 'tui.memory'}\n"
        "    os.write(1, ('heavy: ' + ' '.join(sorted(heavy & set(sys.modules))) + '.').encode())\n"
        "home.Home.on_mount = told\n"
        "from curator.__main__ import main\nsys.exit(main())"
    )
    with Terminal(Path(store.place.root), (sys.executable, "-c", program)) as screen:
        screen.until(b"heavy: ")
        screen.quiet()
        assert b"heavy: ." in screen.seen, bytes(screen.seen)


@pytest.mark.slow
def test_a_small_terminal_gets_no_frame_of_its_own(store: Store) -> None:
    """Where the home screen only says that it is too small, nothing is drawn before it."""
    with Terminal(Path(store.place.root), size=(50, 20)) as screen:
        screen.until(b"the review needs")
        assert b"Accept" not in screen.seen[: screen.seen.index(b"the review needs")]
