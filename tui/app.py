"""The application: theme, the desk's thread, and the way from an answer back to the screen that asked.

Owns nothing that a screen shows. The desk is opened, and with it the store imported, only after the first frame.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import events, on, work
from textual.app import App, SuspendNotSupported, SystemCommand, get_system_commands_provider
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.css.query import NoMatches
from textual.screen import Screen

from curator.config import Settings
from curator.draft import Draft
from curator.edge.clock import now
from curator.errors import CuratorError
from curator.plain import clean
from tui.keys import problems
from tui.review import Review
from tui.work import Calls, Failed, Job, Reply

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from textual.driver import Driver

    from curator.desk.desk import Desk
    from tui.opening import Opening

Result = TypeVar("Result")


def _actions() -> "type[Provider]":
    from tui.palette import Actions  # opened long after the first frame

    return Actions


class CuratorApp(App[int]):
    """The review. `open_desk` is called in the desk's thread."""

    CSS_PATH = "curator.tcss"
    TITLE = "curator review"
    COMMANDS = {get_system_commands_provider, _actions}  # noqa: RUF012 - Textual's own form
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual's own form
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (16, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, system=True)]

    def __init__(
        self,
        open_desk: Callable[[], "Desk"],
        settings: Settings,
        project: str,
        clock: Callable[[], datetime] = now,
        opening: "Opening | None" = None,
    ) -> None:
        super().__init__(driver_class=_taking() if opening else None)
        self.opening = opening
        self.settings = settings
        self.project = project
        self.clock = clock
        self.animation_level = "none"
        self._calls = Calls(open_desk, self.post_message)

    def get_system_commands(self, screen: Screen[Any]) -> Iterator[SystemCommand]:
        """What the palette offers beside the screen's own actions."""
        yield SystemCommand("theme", "other colours, until the review is left", self.action_change_theme)

    def on_mount(self) -> None:
        """Draw first; everything heavy comes after."""
        if self.settings.theme in self.available_themes:
            self.theme = self.settings.theme
        self.set_keymap(dict(self.settings.keys))
        self.push_screen(Review(problems(self.settings.keys)))
        self.call_after_refresh(self._work)

    @work(thread=True, exit_on_error=False, group="desk")
    def _work(self) -> None:
        """One thread for the whole session: calls stay in order and a decision is never cancelled."""
        self._calls.run()

    async def action_quit(self) -> None:
        """Leave by way of the home screen, which says what is not saved and sums the review up."""
        while not isinstance(self.screen, Review):
            self.pop_screen()
        self.screen.action_quit()

    def on_unmount(self) -> None:
        """Let the thread finish what was asked of it."""
        self._calls.stop()

    def ask(self, call: Callable[["Desk"], Any], then: Callable[[Any], None], failed: Failed, look: str = "") -> None:
        """Run `call` in the desk's thread; `then` or `failed` gets the outcome on the event loop."""
        self._calls.put(Job(call, then, failed, look))

    async def idle(self) -> None:
        """Return when the desk has answered all that was asked until now."""
        answered = asyncio.Event()
        self.ask(lambda _: None, lambda _: answered.set(), lambda _: answered.set())
        await answered.wait()

    def edit(self, value: Draft) -> Draft:
        """The draft as the person's editor left it. Raises `CuratorError` with one line of reason."""
        from curator.desk.editing import edited  # after the first frame

        return self._aside(lambda: edited(value, self.settings.note_bytes))

    def edit_text(self, text: str) -> str:
        """The text as the person's editor left it. Raises `CuratorError` with one line of reason."""
        from curator.desk.editing import edited_text  # after the first frame

        return self._aside(lambda: edited_text(text))

    def page(self, text: str, line: int) -> None:
        """Show text in the person's pager, from that line on."""
        from tui.external import paged  # after the first frame

        self._aside(lambda: paged(text, line, os.environ))

    def _aside(self, run: Callable[[], Result]) -> Result:
        """Run another program on the terminal. What it raises waits until the screen is back: raised inside
        `suspend`, it would leave the terminal without keys.
        """
        failed: Exception | None = None
        try:
            with self.suspend():
                try:
                    return run()
                except Exception as error:  # noqa: BLE001 - raised again below
                    failed = error
        except SuspendNotSupported:
            failed = CuratorError("no other program can be opened from here (a browser, or no terminal)")
        assert failed is not None
        raise failed

    async def on_event(self, event: events.Event) -> None:
        """As Textual's; what is pasted comes in through the door that everything comes in through."""
        if isinstance(event, events.Paste):
            event.text = clean(event.text)
        await super().on_event(event)

    @on(Reply)
    def _deliver(self, reply: Reply) -> None:
        if self._exit:
            return
        with suppress(NoMatches):  # the screen that asked was closed meanwhile: its widgets are gone
            reply.deliver()


def run(open_desk: Callable[[], "Desk"], settings: Settings, project: str, opening: "Opening | None" = None) -> int:
    """Open the review in this terminal, where `opening` may have drawn the first frame; returns the exit code.

    `open_desk` opens store and desk (import them inside it: that costs 300 ms and happens after the first frame).
    """
    return CuratorApp(open_desk, settings, project, opening=opening).run() or 0


def _taking() -> "type[Driver]":
    from tui.taking import TakingDriver  # only where there is a terminal of that kind

    return TakingDriver
