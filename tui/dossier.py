"""The dossier on the right: one proposal's page, its sections, and a cursor on what can be opened."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from curator.desk.views import Dossier, Evidence, Lost, Similar
from tui.lines import Lines
from tui.page import Page
from tui.text import Line


class DossierView(Lines):
    """Shows a `Page`. Arrows move between evidence, similar memories and missing details, or scroll."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "stop(1)", show=False),
        Binding("up", "stop(-1)", show=False),
        Binding("m", "fold", show=False, id="fold"),
    ]

    class Fold(Message):
        """Merge the proposal into the similar memory under the cursor."""

        def __init__(self, similar: Similar) -> None:
            super().__init__()
            self.similar = similar

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.dossier: Dossier | None = None
        self.page: Page | None = None
        self._section = 0

    def put(self, dossier: Dossier, page: Page, *, keep: bool) -> None:
        """Show this page, from the top unless it is the same proposal again."""
        self.dossier, self.page = dossier, page
        if not keep:
            self._section = 0
            self.set_reactive(DossierView.cursor, -1)
        self.show(page.lines, keep=keep)

    def put_lines(self, lines: list[Line]) -> None:
        """Show something else than a proposal."""
        self.dossier = self.page = None
        self.set_reactive(DossierView.cursor, -1)
        self.show(lines)

    def selectable(self, y: int) -> bool:
        """Only lines with something to open."""
        return self.page is not None and y in self.page.stops

    def stop(self) -> Evidence | Similar | Lost | None:
        """What is under the cursor."""
        return self.page.stops.get(self.cursor) if self.page else None

    def to_section(self, number: int) -> None:
        """Bring section 1-4 to the top and the cursor to its first stop."""
        if self.page is None or not 1 <= number <= len(self.page.sections):
            return
        start = self.page.sections[number - 1]
        end = self.page.sections[number] if number < len(self.page.sections) else len(self.page.lines)
        self.scroll_to(y=start, animate=False, force=True, immediate=True)
        self.cursor = next((y for y in sorted(self.page.stops) if start <= y < end), -1)
        self._section = number

    def section(self) -> int:
        """The section that was gone to, else the one at the top of the view, 0 above the first."""
        if self._section:
            return self._section
        at = self.cursor if self.cursor >= 0 else self.scroll_offset.y
        return sum(start <= at for start in self.page.sections) if self.page else 0

    def page_by(self, step: int) -> None:
        """Scroll half a view down or up."""
        self._section = 0
        half = max(1, self.size.height // 2)
        self.scroll_to(y=self.scroll_offset.y + step * half, animate=False, immediate=True)

    def action_stop(self, step: int) -> None:
        """The next or previous thing that can be opened; scroll where there is none in reach."""
        self._section = 0
        stops = sorted(self.page.stops) if self.page else []
        here = self.cursor if self.cursor >= 0 else self.scroll_offset.y - (step > 0)
        ahead = [y for y in (stops if step > 0 else reversed(stops)) if (y - here) * step > 0]
        if ahead and abs(ahead[0] - here) <= self.size.height:
            self.cursor = ahead[0]
        else:
            self.scroll_relative(y=step, animate=False, immediate=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`m` folds only on a similar memory; elsewhere it opens the memory."""
        return isinstance(self.stop(), Similar) if action == "fold" else True

    def action_fold(self) -> None:
        """Ask the screen to fold."""
        similar = self.stop()
        if isinstance(similar, Similar):
            self.post_message(self.Fold(similar))
