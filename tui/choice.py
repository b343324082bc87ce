"""One of a few words: arrows or space move, a click chooses. Drawn as `● injected  ○ deferred`."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from tui.lines import Lines
from tui.text import Line, cells


class Choice(Lines):
    """The options in as many lines as they need. `value` is the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", show=False),
        Binding("left,h", "step(-1)", show=False),
    ]

    class Changed(Message):
        """Another option was chosen in `choice`."""

        def __init__(self, choice: "Choice") -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> "Choice":
            """The widget, so that a handler can name the one it means."""
            return self.choice

    def __init__(
        self,
        label: str,
        options: tuple[str, ...],
        value: str,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.label, self.options, self.value = label, options, value

    def on_mount(self) -> None:
        """Take the height that the width asks for."""
        self._fit()

    def on_resize(self) -> None:
        """The width may be another."""
        self._fit()

    def on_focus(self) -> None:
        """The label shows where the focus is."""
        self._fit()

    def on_blur(self) -> None:
        """The label shows where the focus is."""
        self._fit()

    def _fit(self) -> None:
        rows = self._rows(self.size.width or 72)
        self.styles.height = len(rows)
        self.show(rows, keep=True)

    def _rows(self, width: int) -> list[Line]:
        rows: list[Line] = [((f"{self.label:8}", "title" if self.has_focus else "dim"),)]
        for option in self.options:
            chosen = option == self.value
            part: Line = (
                ("● " if chosen else "○ ", "accent" if chosen else "dim"),
                (f"{option}  ", "bold" if chosen else ""),
            )
            if cells(rows[-1]) + cells(part) > width:
                rows.append(((" " * 8, ""),))
            rows[-1] = (*rows[-1], *part)
        return rows

    def choose(self, value: str) -> None:
        """Choose that option."""
        if value != self.value:
            self.value = value
            self._fit()
            self.post_message(self.Changed(self))

    def action_step(self, step: int) -> None:
        """The next or previous option."""
        self.choose(self.options[(self.options.index(self.value) + step) % len(self.options)])

    def on_click(self, event: events.Click) -> None:
        """The option under the mouse."""
        self.focus()
        at = 0
        for number, (text, _) in enumerate(self.line(event.y) if event.y < self.count() else ()):
            end = at + cells(((text, ""),))
            if at <= event.x < end and number:
                name = text.strip(" ●○")
                following = name or self.line(event.y)[number + 1][0].strip()
                if following in self.options:
                    self.choose(following)
            at = end
