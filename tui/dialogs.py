"""The sheets that change what a proposal is or which proposals are shown: labels (S4), filter (S5a), facets."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from curator.desk.filters import parse
from curator.desk.views import Filter, Row
from curator.draft import Draft, draft
from curator.errors import BadUsage
from curator.plain import clean
from curator.vocab import Kind, Op, Route
from tui.bars import Bar
from tui.choice import Choice
from tui.editor import labels_of
from tui.field import Field
from tui.lines import Fitted, Lines
from tui.sheets import Sheet
from tui.text import Line, pad, piece
from tui.wording import reason


class LabelsSheet(Sheet[Draft]):
    """S4: route, kind and labels of a proposal. Answers with the changed draft."""

    NAME = "Route and labels"
    AUTO_FOCUS = "#route"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "save", show=False),
        Binding("ctrl+n", "complete", show=False),
    ]

    def __init__(self, first: Line, value: Draft, known: Sequence[tuple[str, int]]) -> None:
        super().__init__()
        self._first, self.value, self.known = first, value, known

    def fields(self) -> ComposeResult:
        """Two choices and a field."""
        yield Choice("route", tuple(Route), self.value.route.value, id="route")
        yield Choice("kind", tuple(Kind), self.value.kind.value, id="kind")
        yield Field("labels", labels_of(self.value), id="labels", placeholder="separated by commas")
        yield Fitted(id="known")

    def lines(self, width: int) -> list[Line]:
        """The proposal, and what the routes mean."""
        return [
            self._first,
            (),
            (("injected  handed over at session start, by salience", "dim"),),
            (("deferred  kept as knowledge, found by search", "dim"),),
            (),
        ]

    def choices(self) -> list[tuple[str, str, str]]:
        """Save or not."""
        complete = ("^n", "complete", "screen.complete")
        return [
            ("enter", "save", "screen.save"),
            ("esc", "cancel", "screen.close"),
            ("tab", "next", "app.focus_next"),
            complete,
        ]

    def _fitting(self) -> list[tuple[str, int]]:
        typed = self.query_one("#labels", Input).value.split(",")
        have, last = {part.strip() for part in typed[:-1]}, typed[-1].strip().casefold()
        return [(name, count) for name, count in self.known if name not in have and name.casefold().startswith(last)][
            :6
        ]

    @on(Input.Changed, "#labels")
    def _suggest(self) -> None:
        found: Line = tuple((f"{name} ({count})   ", "dim") for name, count in self._fitting())
        self.query_one("#known", Fitted).show([((" " * 8, ""), *found)])

    def action_complete(self) -> None:
        """Take the first label that begins like the last word."""
        field = self.query_one("#labels", Input)
        if found := self._fitting():
            parts = [part.strip() for part in field.value.split(",")][:-1]
            field.value = clean(", ".join([*parts, found[0][0]]))
            field.cursor_position = len(field.value)

    @on(Choice.Changed, "#kind")
    def _kind(self) -> None:
        kind = Kind(self.query_one("#kind", Choice).value)
        self.query_one("#route", Choice).choose(kind.route.value)

    @on(Input.Submitted)
    def action_save(self) -> None:
        """Answer."""
        labels = tuple(self.query_one("#labels", Input).value.split(","))
        kind, route = self.query_one("#kind", Choice).value, self.query_one("#route", Choice).value
        old = self.value
        self.dismiss(draft(old.title, old.body, kind, route, labels, old.refs, old.entry_id))


class FilterSheet(Sheet[tuple[str, Filter]]):
    """S5a: the filter line. Answers with the line and the filter; `ctrl+s` saves it as a tab first."""

    NAME = "Filter"
    AUTO_FOCUS = "#filter"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "save_tab", show=False, priority=True)]

    def __init__(
        self,
        line: str,
        count: Callable[[Filter, Callable[[int], None]], None],
        save: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._line, self._count, self._save = line, count, save

    def fields(self) -> ComposeResult:
        """The line, what it may say, how many match."""
        yield Input(self._line, id="filter", compact=True, placeholder="all proposals")
        yield Bar(id="count")

    def lines(self, width: int) -> list[Line]:
        """The language."""
        return [
            (("op:     ", "key"), (" ".join(Op), "dim")),
            (("kind:   ", "key"), (" ".join(Kind), "dim")),
            (("route:  ", "key"), (" ".join(Route), "dim")),
            (("is:     ", "key"), ("conflict edited snoozed warned; -is: without", "dim")),
            (("label:NAME   conf>=N   conf<N; other words match title and text", "dim"),),
            (),
        ]

    def choices(self) -> list[tuple[str, str, str]]:
        """Apply, save, or not."""
        return [
            ("enter", "apply", "screen.apply"),
            ("^s", "save as a tab", "screen.save_tab"),
            ("esc", "cancel", "screen.close"),
        ]

    def on_mount(self) -> None:
        """Count at once."""
        super().on_mount()
        self._changed()

    @on(Input.Changed, "#filter")
    def _changed(self) -> None:
        try:
            wanted = parse(self.query_one("#filter", Input).value)
        except BadUsage as error:
            self._say(reason(error), "bad")
            return
        self._count(wanted, lambda count: self._say(f"{count} match", "dim") if self in self.app.screen_stack else None)

    def _say(self, text: str, style: str) -> None:
        self.query_one("#count", Bar).put(lambda _: (piece(text, style),))

    @on(Input.Submitted)
    def action_apply(self) -> None:
        """Answer, if the line can be read."""
        line = self.query_one("#filter", Input).value.strip()
        try:
            self.dismiss((line, parse(line)))
        except BadUsage as error:
            self._say(reason(error), "bad")

    def action_save_tab(self) -> None:
        """Keep the line under its own words, then apply it."""
        line = self.query_one("#filter", Input).value.strip()
        if line:
            self._save(line)
        self.action_apply()


class FacetSheet(Sheet[str]):
    """Facets with their counts, and the saved filters. Answers with a filter line."""

    NAME = "Facets"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "step(1)", show=False),
        Binding("up,k", "step(-1)", show=False),
        Binding("enter,space", "take", show=False),
    ]

    def __init__(self, rows: Sequence[Row], tabs: dict[str, str]) -> None:
        super().__init__()
        self.facets = facets(rows, tabs)

    def lines(self, width: int) -> list[Line]:
        """One facet a line."""
        return [
            ((pad(f" {line or 'all'}", 40), ""), (f"{count:>5}" if count is not None else "  tab", "dim"))
            for line, count in self.facets
        ]

    def choices(self) -> list[tuple[str, str, str]]:
        """Take one or not."""
        return [("enter", "show only these", "screen.take"), ("esc", "cancel", "screen.close")]

    def on_mount(self) -> None:
        """The cursor begins at the top."""
        super().on_mount()
        self.query_one("#sheet-lines", Lines).cursor = 0

    @on(Lines.Chosen)
    def _clicked(self, event: Lines.Chosen) -> None:
        self.query_one("#sheet-lines", Lines).cursor = event.at
        if event.twice:
            self.action_take()

    def action_step(self, step: int) -> None:
        """The line below or above."""
        view = self.query_one("#sheet-lines", Lines)
        view.cursor = (view.cursor + step) % len(self.facets)

    def action_take(self) -> None:
        """Answer."""
        self.dismiss(self.facets[self.query_one("#sheet-lines", Lines).cursor][0])


def facets(rows: Sequence[Row], tabs: dict[str, str]) -> list[tuple[str, int | None]]:
    """Filter lines with how many rows each shows (None for a saved filter); those that show none are left out."""
    found: list[tuple[str, int | None]] = [("", len(rows)), *((line, None) for line in tabs.values())]
    counts: dict[str, int] = {}
    for row in rows:
        marks = [
            name
            for name, there in (("conflict", row.conflict), ("edited", row.edited), ("warned", bool(row.warnings)))
            if there
        ]
        names = [f"op:{row.op}", f"kind:{row.kind}", f"route:{row.route}", *(f"label:{name}" for name in row.labels)]
        for name in [*names, *(f"is:{mark}" for mark in marks)]:
            counts[name] = counts.get(name, 0) + 1
    order = ("op", "kind", "route", "is", "label")
    return found + sorted(counts.items(), key=lambda item: (order.index(item[0].partition(":")[0]), -item[1], item[0]))
