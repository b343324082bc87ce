"""Every action of the table does its work when its key is pressed, on the real desk over the sample store."""

from collections.abc import Callable
from typing import Any

import pytest

from curator.desk.desk import Desk
from curator.draft import Draft
from curator.store.engine import Store
from curator.vocab import Verb
from tests.tui.driving import Driver, review
from tests.tui.sample import desk_on, fill
from tui.keys import ACTIONS, keys_of
from tui.review import Review

Check = Callable[[Driver, Desk], bool]
Steps = tuple[tuple[str, tuple[str, ...], Check, tuple[str, ...]], ...]
"""Action, keys that lead to where it is pressed, what must be so after it, keys that lead on."""


def home(ui: Driver) -> Review:
    """The home screen, on top or not."""
    found = ui.app.screen_stack[1]
    assert isinstance(found, Review)
    return found


def at(number: int) -> Check:
    """The cursor stands on that row."""
    return lambda ui, _: home(ui).rows.cursor == number


def on(name: str) -> Check:
    """That screen is on top."""
    return lambda ui, _: type(ui.app.screen).__name__ == name


def did(verb: Verb) -> Check:
    """That is the last decision in the ledger."""
    return lambda _, desk: desk.log(1)[0].verb is verb


def says(text: str) -> Check:
    """The message line says it."""
    return lambda ui, _: text in ui.message


def section(number: int) -> Check:
    """The dossier stands at that section."""
    return lambda ui, _: home(ui).view.section() == number


def marked(number: int) -> Check:
    """So many rows are marked."""
    return lambda ui, _: len(home(ui).board.marks) == number


LOOKING: Steps = (
    ("next", (), at(1), ()),
    ("prev", (), at(0), ()),
    ("last", (), at(17), ()),
    ("first", (), at(0), ("j",)),
    ("swap", (), lambda ui, _: home(ui).view.has_focus, ("tab",)),
    ("section_1", (), section(1), ()),
    ("section_2", (), section(2), ()),
    ("section_next", (), section(3), ()),
    ("section_prev", (), section(2), ()),
    ("section_3", (), section(3), ()),
    ("section_4", (), section(4), ("k", "j")),
    ("scroll_down", (), lambda ui, _: home(ui).view.scroll_offset.y > 0, ()),
    ("scroll_up", (), lambda ui, _: home(ui).view.scroll_offset.y == 0, ()),
    ("source", ("2", "tab"), lambda ui, _: "<<< the evidence" in ui.app.paged, ("tab",)),  # type: ignore[attr-defined]
    ("copy", (), lambda ui, _: ui.app.clipboard == "P-0001", ()),
    ("open", ("j", "j"), on("ConflictScreen"), ("escape",)),
    ("preview", (), on("PreviewScreen"), ("escape",)),
    ("memory", (), on("MemoryScreen"), ("escape",)),
    ("log", (), on("LogScreen"), ("escape",)),
    ("help", (), on("HelpSheet"), ("escape",)),
    ("palette", (), on("CommandPalette"), ("escape", "g")),
    ("mark", (), marked(1), ("g", "space", "g")),
    ("range", ("v", "j", "j"), marked(3), ("*", "*")),
    ("mark_shown", (), marked(18), ()),
    ("accept_marked", (), on("ConfirmSheet"), ("escape",)),
    ("reject_marked", (), on("RejectSheet"), ("escape", "*")),
    ("filter", (), on("FilterSheet"), (*"staging", "enter")),
    ("match_next", ("g",), lambda ui, _: home(ui).rows.matches(home(ui).rows.cursor), ()),
    ("match_prev", (), lambda ui, _: home(ui).rows.matches(home(ui).rows.cursor), ()),
    ("facets", (), on("FacetSheet"), ("enter", "g")),
)

DECIDING: Steps = (
    ("route", ("j",), lambda ui, _: home(ui).row().route == "deferred", ("t",)),  # type: ignore[union-attr]
    ("labels", (), on("LabelsSheet"), ("escape",)),
    ("edit", (), on("EditScreen"), ("escape",)),
    ("split", (), on("SplitScreen"), ("escape",)),
    ("restore_lost", (), lambda ui, _: "missingpath" not in ui.dossier and "./load.sh" in ui.dossier, ()),
    ("edit_external", (), lambda ui, _: "typedoutside" in ui.dossier, ()),
    ("accept", (), did(Verb.ACCEPT), ()),
    ("undo", (), did(Verb.UNDO), ("j",)),
    ("reject", (), on("RejectSheet"), ("1", "enter")),
    ("snooze", ("j",), did(Verb.SNOOZE), ()),
    ("fold", ("g", "j", "3", "tab"), says("only an addition can be merged"), ("tab",)),
    ("quit", (), on("SummaryScreen"), ()),
)


async def walk(store: Store, steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press each action's first key where it belongs."""
    fill(store)
    desk = desk_on(store)
    keys = {action.id: keys_of(action)[0] for action in ACTIONS}
    async with review(desk, (100, 24)) as ui:

        def paged(text: str, line: int) -> None:
            ui.app.paged = text  # type: ignore[attr-defined]

        def edited(value: Draft) -> Draft:
            return value.with_(body=f"{value.body} typed outside")

        monkeypatch.setattr(ui.app, "page", paged)
        monkeypatch.setattr(ui.app, "edit", edited)
        for name, before, check, after in steps:
            await ui.press(*before, keys[name])
            assert check(ui, desk), (name, ui.text)
            await ui.press(*after)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [LOOKING, DECIDING], ids=["looking", "deciding"])
async def test_each_key_does_its_work(store: Store, steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    """One walk over all actions that look, one over all that decide."""
    await walk(store, steps, monkeypatch)


def test_no_action_of_the_home_screen_is_left_out() -> None:
    """The two walks press every action that the table gives the home screen."""
    pressed = {step[0] for step in (*LOOKING, *DECIDING)}
    assert {action.id for action in ACTIONS if action.scope in {"review", "similar"}} == pressed


ROOMS: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...] = (
    ("edit", (("ctrl+e", None), ("!", None), ("ctrl+r", None), ("ctrl+l", says("nothing was changed")))),
    ("edit", (("!", None), ("ctrl+l", says("saved, still pending")))),
    ("edit", (("!", None), ("ctrl+s", did(Verb.ACCEPT)))),
    ("log", (("j", None), ("k", None), ("u", says("taken back")))),
)


@pytest.mark.slow
async def test_what_the_rooms_do(store: Store) -> None:
    """Reset, save and accept in the editor; take back in the log."""
    fill(store)
    desk = desk_on(store)
    open_with = {"edit": "e", "log": "U"}
    async with review(desk, (100, 24)) as ui:
        await ui.press("j")
        for room, keys in ROOMS:
            await ui.press(open_with[room])
            for key, check in keys:
                await ui.press(key)
                assert check is None or check(ui, desk), (room, key, ui.text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "verb", "body"),
    [
        (("1",), Verb.REJECT, "Run make lint before every commit; it runs ruff and mypy."),
        (("2",), Verb.ACCEPT, "Run ruff with --fix before every commit."),
        (("3", "tab", "f7", "x", "ctrl+s"), Verb.ACCEPT, "x"),
        (("4",), Verb.SNOOZE, "Run make lint before every commit; it runs ruff and mypy."),
    ],
)
async def test_each_choice_of_a_conflict(store: Store, keys: tuple[str, ...], verb: Verb, body: str) -> None:
    """Keep, take, accept the merged text once it is settled, send back: one decision each, and nothing else changes."""
    fill(store)
    desk = desk_on(store)
    async with review(desk, (100, 24)) as ui:
        await ui.press("j", "j", "j", "enter", *keys)
        assert type(ui.app.screen).__name__ == "Review", ui.text
    assert desk.log(1)[0].verb is verb and desk.entry("m-0022").draft.body == body
