"""S8: what the next session is handed: the ranking with its reasons, the budget, and the exact text.

`before` is what it would have been when this review began; new, changed and pushed-out entries are marked against it.
"""

from difflib import SequenceMatcher
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from curator.desk.views import Picked, Preview
from tui.field import Reading
from tui.heading import WIDE
from tui.lines import Lines
from tui.page import gone, new
from tui.room import Room, bindings
from tui.text import Line, Piece, cells, cut, fit, number, piece, plural, spread, wrap


class PreviewScreen(Room[str]):
    """Answers with the id of an entry to read, or nothing."""

    SCOPE = "preview"
    BINDINGS: ClassVar[list[BindingType]] = bindings("preview")

    def __init__(self, before: Preview | None) -> None:
        super().__init__()
        self.before = before
        self.now: Preview | None = None
        self.changed = True
        self.places: dict[int, Picked] = {}

    def head(self, width: int) -> Line:
        """Tokens and bytes against their limits."""
        left: Line = (("curator", "accent"), ("  preview  ", "bold"), piece(self.curator.project, "dim"))
        now = self.now
        if now is None:
            return left
        was = f"before {number(self.before.tokens)}   " if self.before and width >= 80 else ""
        style = "bad" if now.tokens > now.budget else "bold"
        right: Line = (
            (was, "dim"),
            (f"memories {number(now.tokens)}", style),
            (f" / {number(now.budget)} tok   ", "dim"),
            (f"{number(now.size)} / {number(now.limit)} bytes", "dim"),
        )
        return spread(left, right, width)

    def body(self) -> ComposeResult:
        """Ranking left, text right; one of them in a narrow terminal."""
        with Horizontal(id="body"):
            yield Lines(id="ranking", classes="left")
            yield Reading(id="handed", classes="right")

    def on_mount(self) -> None:
        """Ask for it."""
        self.query_one("#ranking", Lines).focus()
        self.ask(lambda desk: desk.preview(), self._came, lambda error: self.say(str(error), "bad"), "preview")

    def _came(self, preview: Preview) -> None:
        self.now = preview
        self.draw()

    def on_resize(self) -> None:
        """Wrap for the present width."""
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Both panes as they stand."""
        if self.now is None:
            return
        self.draw_head(self.head)
        self._ranking(self.now)
        self._handed(self.now)
        added, gone = self._added(), self._gone()
        changed = f"{plural(len(added), 'memory', 'memories')} new, {len(gone)} pushed out or gone since this began"
        self.say(changed if self.before else "exactly what the hook prints at session start")

    def _added(self) -> set[str]:
        if self.before is None or self.now is None:
            return set()
        return {p.entry_id for p in self.now.taken} - {p.entry_id for p in self.before.taken}

    def _gone(self) -> list[Picked]:
        if self.before is None or self.now is None:
            return []
        kept = {p.entry_id for p in (*self.now.taken, *self.now.left)}
        return [p for p in self.before.taken if p.entry_id not in kept]

    def _ranking(self, now: Preview) -> None:
        view = self.query_one("#ranking", Lines)
        width = max(24, view.size.width - 1)
        was = {p.entry_id for p in self.before.taken} if self.before else {p.entry_id for p in now.taken}
        rows: list[Line] = [(("    score  tok  memory", "dim"),)]
        self.places = {}
        for picked in now.taken:
            self.places[len(rows)] = picked
            rows.append(_row("+" if picked.entry_id not in was else " ", "good", picked, width))
        line = f"── budget: {number(now.tokens)} of {number(now.budget)} "
        rows.append(((line + "─" * max(0, width - cells(((line, ""),))), "rule"),))
        for picked in now.left:
            self.places[len(rows)] = picked
            rows.append(_row("-" if picked.entry_id in was and self.before else " ", "bad", picked, width))
        for picked in self._gone():
            rows.append((("x ", "bad"), ("   gone       ", "dim"), (fit(piece(picked.title)[0], width - 16), "dim")))
        if view.cursor < 0 and self.places:
            view.set_reactive(Lines.cursor, min(self.places))
        chosen = self.places.get(view.cursor)
        if chosen is not None:
            rows += [
                (),
                cut((("why ", "title"), piece(chosen.title)), width),
                *wrap([(chosen.why, "dim")], width, "  "),
            ]
        view.show(rows, keep=True)

    def _handed(self, now: Preview) -> None:
        view = self.query_one("#handed", Lines)
        width = max(24, view.size.width - 2)
        if self.changed and self.before is not None:
            rows = [
                row for line in _changes(self.before.text, now.text, self.app.no_color) for row in wrap([line], width)
            ]
        else:
            rows = wrap([(now.text or "nothing: no memory is stored yet", "")], width)
        view.show(rows, keep=True)

    @on(Lines.Chosen, "#ranking")
    def _clicked(self, event: Lines.Chosen) -> None:
        if event.at in self.places:
            self.query_one("#ranking", Lines).cursor = event.at
            self.draw()

    def _step(self, step: int) -> None:
        view = self.query_one("#ranking", Lines)
        if self.query_one("#handed", Lines).has_focus:
            self.query_one("#handed", Lines).scroll_relative(y=step, animate=False, immediate=True)
            return
        ahead = sorted((y for y in self.places if (y - view.cursor) * step > 0), key=lambda y: y * step)
        if ahead:
            view.cursor = ahead[0]
            self.draw()

    def action_preview_next(self) -> None:
        """The next entry, or the text a line down."""
        self._step(1)

    def action_preview_prev(self) -> None:
        """The entry before, or the text a line up."""
        self._step(-1)

    def action_preview_change(self) -> None:
        """Changed since this review began, or as it is."""
        self.changed = not self.changed
        self.draw()

    def action_preview_swap(self) -> None:
        """Ranking or text."""
        handed, ranking = self.query_one("#handed", Lines), self.query_one("#ranking", Lines)
        (ranking if handed.has_focus else handed).focus()
        self.set_class(
            handed.has_focus is False and self.size.width < WIDE and not self.has_class("show-text"), "show-text"
        )
        self.call_after_refresh(self.draw)

    def action_preview_copy(self) -> None:
        """The text to the clipboard."""
        if self.now is not None:
            self.app.copy_to_clipboard(self.now.text)
            self.say("copied (where the terminal allows it)")

    def action_preview_open(self) -> None:
        """Read the entry under the cursor."""
        chosen = self.places.get(self.query_one("#ranking", Lines).cursor)
        if chosen is not None:
            self.dismiss(chosen.entry_id)

    def action_preview_close(self) -> None:
        """Back."""
        self.dismiss(None)


def _row(sign: str, style: str, picked: Picked, width: int) -> Line:
    pin = "P" if picked.pinned else " "
    left: Line = ((f"{sign}{pin} ", style), (f"{picked.score:6.2f} {picked.tokens:4}  ", "dim"))
    return (*left, (fit(piece(picked.title)[0], width - 15), style if sign.strip() else ""))


def _changes(before: str, after: str, marks: bool) -> list[Piece]:
    """The text line by line, as it is a list of entries: lines that went and that came; the id is no change."""
    old, made = before.splitlines(), after.splitlines()
    found: list[Piece] = []
    for name, a, b, c, d in SequenceMatcher(None, old[1:], made[1:], autojunk=False).get_opcodes():
        if name == "equal":
            found += [(line, "") for line in made[1:][c:d]]
        else:
            found += [gone(line, marks) for line in old[1:][a:b]] + [new(line, marks) for line in made[1:][c:d]]
    return [(line, "") for line in made[:1]] + found
