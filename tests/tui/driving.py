"""Drives the screens without a terminal: open, press, wait until the desk has answered, read what is drawn."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from textual.pilot import Pilot

from curator.config import Settings
from tests.tui.fake import NOON
from tui.app import CuratorApp
from tui.dossier import DossierView


class Driver:
    """A running review."""

    def __init__(self, app: CuratorApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def settle(self) -> None:
        """Wait until the desk has answered everything and the screen has drawn it."""
        for _ in range(3):
            await self.pilot.pause()
            if not self.app.is_running or self.app._exit:
                return
            await self.app.idle()
        await self.pilot.pause()

    async def press(self, *keys: str) -> str:
        """Press keys one after the other; the screen after the last."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()
        return self.text

    @property
    def lines(self) -> list[str]:
        """What is drawn, row by row."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        """What is drawn."""
        return "\n".join(self.lines)

    @property
    def dossier(self) -> str:
        """The whole page of the highlighted proposal, in view or not, as one run of text without white space."""
        page = self.app.screen.query_one("#dossier", DossierView).page
        return "".join(text for line in (page.lines if page else ()) for text, _ in line).replace(" ", "")

    @property
    def message(self) -> str:
        """The message line."""
        return self.lines[-2].strip()


@asynccontextmanager
async def review(
    desk: Any,
    size: tuple[int, int] = (120, 36),
    settings: Settings | None = None,
    clock: Callable[[], datetime] = lambda: NOON,
) -> AsyncIterator[Driver]:
    """The review over a desk, settled."""
    app = CuratorApp(lambda: desk, settings or Settings(), "vibe-shop", clock)
    async with app.run_test(size=size) as pilot:
        driver = Driver(app, pilot)
        await driver.settle()
        yield driver
