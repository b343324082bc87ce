"""Any text can be shown and decided on, any size survived, and a store in trouble costs no decision."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.widgets import TextArea

from curator.draft import draft
from curator.ports import Tokens
from curator.store.engine import Store
from curator.vocab import Kind, Op, ProposalState
from tests.desk.helpers import propose, states
from tests.helpers import rows_of
from tests.tui.driving import review
from tests.tui.fake import FakeDesk, dossier, row
from tests.tui.sample import desk_on

BRACKETS = Path(__file__).parent.parent / "cases" / "71" / "notes.jsonl"


def bracketed(store: Store) -> list[str]:
    """One addition for each note of case 71; gives their texts in the queue's order."""
    texts = [str(value["body"]) for value in rows_of(BRACKETS)]
    for at, text in enumerate(texts):
        propose(store, Op.ADD, (), [draft("", text, "lesson")], harm=1 - at / 100)
    return texts


async def test_case_71_brackets_are_shown_and_decided_on(store: Store) -> None:
    """Each text stands there character for character; filter and search take brackets; the right items are decided."""
    texts = bracketed(store)
    desk = desk_on(store)
    first, second = (each.proposal_id for each in desk.queue().rows[:2])
    async with review(desk, (80, 24)) as ui:
        for text in texts:
            assert "".join(text.split()).replace("\x1b", "\\x1b")[:3000] in ui.dossier
            await ui.press("j")
        await ui.press("slash", "[", "enter")
        assert "filter" not in ui.message and len(ui.app.screen.board) < len(texts)  # type: ignore[attr-defined]
        await ui.press("slash", "ctrl+u", "enter", "g", "a", "r", "enter", "m", "[", "slash", "escape")
    assert states(store)[first] == ProposalState.ACCEPTED
    assert states(store)[second] == ProposalState.REJECTED
    assert sum(state == "open" for state in states(store).values()) == len(texts) - 2


@pytest.mark.slow
async def test_case_71_a_tiny_terminal_shows_one_line(store: Store) -> None:
    """At 30 x 10, whatever is pressed ends in the line that offers --plain, and decides nothing."""
    bracketed(store)
    async with review(desk_on(store), (30, 10)) as ui:
        await ui.press("j", "enter", "a", "slash", "[", "enter", "r")
        assert "curator review --plain" in " ".join(ui.text.split())
    assert set(states(store).values()) == {ProposalState.OPEN}


@pytest.mark.parametrize(
    ("text", "shown", "warned"),
    [
        ("stop\x1b]0;owned\x07here\x1b[31mred", "\\x1b]0;owned\\x07", True),
        ("amount \u202e0042\u202c zero\u200bwidth\ufeff", "\\u202e0042\\u202c zero\\u200bwidth\\ufeff", True),
        pytest.param("[b]no[/b] [@click=app.bell]x[/]", "[@click=app.bell]x[/]", False, marks=pytest.mark.slow),
    ],
)
async def test_what_steers_is_shown_as_an_escape(text: str, shown: str, warned: bool) -> None:
    """ESC, OSC, bidi and zero-width characters are visible in title, text and evidence, and warned of."""
    value = row(0, Op.ADD, Kind.LESSON, text, 0.5)
    page = dossier(value)
    page = replace(page, after=(draft(text, text, "lesson"),), evidence=(replace(page.evidence[0], text=text),))
    async with review(FakeDesk(rows=[value], made=lambda _: page), (80, 24)) as ui:
        await ui.press("r", "escape", "s", "escape")
        assert ui.dossier.count(shown.replace(" ", "")) == 3
        assert ("hiddenorsteering" in ui.dossier) is warned
        assert not any(char in ui.text for char in "\x1b\x07\u202e\u200b\ufeff")


async def test_a_title_of_500_characters_and_a_text_of_200_kb() -> None:
    """Both are shown whole in rows that fit, scrolled to the end, edited away from and accepted."""
    title, body = "标题很长 🚀 " * 70, "word " * 40_000 + "THE END"
    value = row(0, Op.ADD, Kind.LESSON, title, 0.5)
    page = replace(dossier(value), after=(draft(title, body, "lesson"),))
    after = row(1, Op.ADD, Kind.LESSON, "next", 0.4)
    desk = FakeDesk(rows=[value, after], made=lambda of: page if of == value else dossier(of))
    async with review(desk, (80, 24)) as ui:
        assert "".join(title.split()) in ui.dossier and "THEEND" in ui.dossier
        await ui.press("2")
        assert "THE END" in ui.text or "2 Evidence" in ui.text
        assert max(cell_len(line) for line in ui.lines) <= 80
        await ui.press("a")
        assert desk.rows[0].state is ProposalState.ACCEPTED


async def test_a_resize_in_the_middle_keeps_what_was_typed() -> None:
    """An editor over a terminal that shrinks to 40 columns and grows again has its text; so has the home screen."""
    async with review(FakeDesk()) as ui:
        await ui.press("j", "j", "e", "ctrl+end", *"XYZ")
        await ui.pilot.resize_terminal(40, 12)
        await ui.settle()
        assert "curator review --plain" in " ".join(ui.text.split()) and "XYZ" not in ui.text
        for size in ((80, 24), (200, 50)):
            await ui.pilot.resize_terminal(*size)
            await ui.settle()
            assert "XYZ" in ui.text and max(cell_len(line) for line in ui.lines) <= size[0]
            assert ui.app.screen.query_one(TextArea).text.endswith("XYZ")
        await ui.press("escape")
        assert ui.lines[5].startswith(">")


async def test_a_store_that_vanished_is_said_and_the_decision_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the folder is away the message line says so, the row keeps its sign, and `q` warns before it leaves."""
    monkeypatch.setattr("tui.deciding.RETRY", 3600.0)
    desk = FakeDesk(fail=[FileNotFoundError(2, "No such file or directory", "/gone")])
    async with review(desk) as ui:
        assert "not saved yet, trying again: the store cannot be reached: no such file" in await ui.press("a")
        assert ui.lines[3].split()[0] == "v" and desk.ledger == []
        assert "1 not saved: the store cannot be reached" in await ui.press("q")


async def test_an_answer_that_comes_after_its_screen_has_closed_is_let_go() -> None:
    """Leaving an editor whose count is still being made does not end the review."""
    free = threading.Event()

    class Slow(FakeDesk):
        @property
        def tokens(self) -> Tokens:
            return Tokens(lambda text: len(text) if free.wait(20) else 0, "slow")

    async with review(Slow()) as ui:
        await ui.pilot.press("e", "!", "escape")
        await ui.pilot.pause()
        free.set()
        await ui.settle()
        assert type(ui.app.screen).__name__ == "Review" and ui.app.is_running
        assert "accepted" in await ui.press("a")
