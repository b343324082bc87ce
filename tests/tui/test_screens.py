"""Every screen over the home screen opens, does its work on the real desk over a real store, and closes by `esc`."""

import pytest

from curator.desk.desk import Desk
from curator.draft import draft
from curator.ports import Tokens
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import propose
from tests.helpers import load_active
from tests.tui.driving import review
from tui.bars import Bar
from tui.work import Reply


@pytest.fixture
def desk(store: Store) -> Desk:
    """A desk with three additions waiting and one entry in memory."""
    load_active(
        store, [{"id": "m-old", "kind": "lesson", "title": "old one", "body": "the pool is closed before a fork"}]
    )
    for number, text in enumerate(("seed the generator in tests", "[/] stays [stage] text", "重试三次以后停止")):
        propose(store, Op.ADD, (), [draft("", text, "lesson", labels=("tests",))], confidence=0.9 - number / 10)
    return Desk(store, Tokens(lambda text: len(text.split()), "words"), "reviewer", "terminal")


SCREENS = {
    "e": "EditScreen",
    "l": "LabelsSheet",
    "s": "SplitScreen",
    "p": "PreviewScreen",
    "m": "MemoryScreen",
    "U": "LogScreen",
    "slash": "FilterSheet",
    "f": "FacetSheet",
    "question_mark": "HelpSheet",
    "r": "RejectSheet",
}


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_each_screen_opens_by_its_key_and_closes_by_escape(desk: Desk, size: tuple[int, int]) -> None:
    """Nothing is decided by looking, and home is always one `esc` away."""
    async with review(desk, size=size) as ui:
        for key, name in SCREENS.items():
            await ui.press(key)
            assert type(ui.app.screen).__name__ == name, key
            await ui.press("escape")
            assert type(ui.app.screen).__name__ == "Review", key
    assert desk.log() == () and len(desk.queue().rows) == 3


async def test_a_text_changed_in_place_is_what_is_accepted(desk: Desk) -> None:
    """`e`, typing and `ctrl+s` accept the proposal with the words as they stand in the editor."""
    first = desk.queue().rows[0]
    async with review(desk) as ui:
        await ui.press("e")
        await ui.press("ctrl+end", *"!!", "ctrl+s")
    (entry_id,) = desk.log()[0].entries
    body = desk.entry(entry_id).draft.body
    assert body.endswith("!!") and first.title in body


async def test_an_answer_for_a_screen_that_was_closed_is_dropped(desk: Desk) -> None:
    """The count of tokens comes after `esc`: nothing breaks, and the review goes on."""
    async with review(desk) as ui:
        await ui.press("e")
        editor = ui.app.screen
        await ui.press("escape")
        ui.app.post_message(Reply(lambda: editor.query_one("#count", Bar).put(lambda _: ())))
        assert "2 left" in await ui.press("a")


async def test_a_filter_narrows_and_marks_are_decided_after_a_sheet(desk: Desk) -> None:
    """`/` with a word leaves one row; `*`, `A` and `enter` accept what is shown, as one decision."""
    async with review(desk) as ui:
        await ui.press("slash", *"generator", "enter")
        assert "stays" not in ui.text
        await ui.press("asterisk", "A")
        assert type(ui.app.screen).__name__ == "ConfirmSheet"
        await ui.press("enter")
    assert len(desk.log()) == 1
    assert len(desk.queue().rows) == 2


async def test_the_log_takes_back_and_memory_is_found(desk: Desk) -> None:
    """What was accepted is in the log; `u` takes it back; `m` shows the entry that is in memory."""
    async with review(desk) as ui:
        await ui.press("a")
        assert len(desk.queue().rows) == 2
        await ui.press("u")
        assert len(desk.queue().rows) == 3
        assert "old one" in await ui.press("m")


async def test_text_is_shown_character_for_character(desk: Desk) -> None:
    """Brackets are no markup: what is decided on is what is stored."""
    async with review(desk) as ui:
        seen = ui.text
        for _ in range(3):
            seen += await ui.press("j")
        assert "[/] stays [stage] text" in seen and "重试三次以后停止" in seen
