"""The home screen does what its keys say, on the proposal that is highlighted."""

import pytest

from curator.vocab import ProposalState
from tests.tui.driving import review
from tests.tui.fake import FakeDesk


async def test_accept_shows_the_sign_keeps_the_row_and_moves_on() -> None:
    """`a` accepts the highlighted proposal, its row stays with `v`, and the next undecided one is highlighted."""
    desk = FakeDesk()
    async with review(desk) as ui:
        await ui.press("a")
        assert desk.rows[0].state is ProposalState.ACCEPTED
        assert ui.lines[3].split()[:3] == ["v", "+", "lesson"]
        assert ui.lines[4].startswith(">")
        assert ui.message.startswith("accepted P-0000 “pnpm, never npm, in web/” → m-0201")
        assert "1/14 done" in ui.lines[0]


async def test_reject_asks_for_a_reason_and_remembers_it() -> None:
    """`r`, a digit, `enter` rejects with that reason, which is preselected the next time; `esc` does nothing."""
    desk = FakeDesk()
    async with review(desk) as ui:
        assert "one-off" in await ui.press("r")
        await ui.press("escape")
        assert desk.ledger == []
        await ui.press("r", "1", "enter", "r")
        assert "› 1  wrong" in ui.text
        assert [(verb.value, keys, why) for verb, keys, why in desk.ledger] == [("reject", ("P-0000",), "wrong")]


async def test_a_reason_in_own_words_goes_to_the_ledger() -> None:
    """The sixth choice takes a typed reason; letters in the field decide nothing."""
    desk = FakeDesk()
    async with review(desk) as ui:
        await ui.press("r", "6", *"aza", "enter")
        assert desk.ledger[0][2] == "aza"


async def test_snooze_and_undo() -> None:
    """`z` puts off; `u` takes the last decision back and returns to its row."""
    desk = FakeDesk()
    async with review(desk) as ui:
        await ui.press("z", "a", "u")
        assert [row.state.value for row in desk.rows[:2]] == ["snoozed", "open"]
        assert ui.lines[4].startswith(">")
        assert ui.message.startswith("taken back P-0001")
        await ui.press("u", "u")
        assert "nothing to undo" in ui.message


async def test_a_decided_row_is_not_decided_again() -> None:
    """A key on a decided row says why nothing happens."""
    desk = FakeDesk()
    async with review(desk) as ui:
        await ui.press("a", "k", "r")
        assert "already decided" in ui.message
        assert len(desk.ledger) == 1


async def test_a_decision_that_could_not_be_saved_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the store is locked the message line says so; when it is free the decision is made, once."""
    monkeypatch.setattr("tui.deciding.RETRY", 0.05)
    desk = FakeDesk(fail=[RuntimeError("database is locked")])
    async with review(desk) as ui:
        await ui.pilot.press("a")
        await ui.settle()
        for _ in range(40):
            await ui.pilot.pause(0.02)
            if desk.ledger:
                break
        await ui.settle()
        assert desk.ledger[0][1] == ("P-0000",)
        assert ui.message.startswith("accepted P-0000")


async def test_leaving_with_an_unsaved_decision_asks_once_more() -> None:
    """`q` does not leave while a decision is not saved, unless pressed twice."""
    desk = FakeDesk(fail=[RuntimeError("database is locked")])
    async with review(desk) as ui:
        await ui.press("a", "q")
        assert "q again leaves anyway" in ui.message
        await ui.press("q")
        assert ui.app.return_value == 0


async def test_a_narrow_terminal_swaps_between_dossier_and_queue() -> None:
    """Below 100 columns one pane shows, with the position above the dossier; `tab` swaps."""
    async with review(FakeDesk(), (80, 24)) as ui:
        assert "1 of 14" in ui.lines[1]
        assert "1 Change" in ui.text
        await ui.press("tab")
        assert "1 Change" not in ui.text
        assert "14 left" in ui.lines[1]


@pytest.mark.parametrize("size", [(40, 30), (30, 10), (120, 12)])
async def test_too_small_a_terminal_offers_plain_mode(size: tuple[int, int]) -> None:
    """Below 60 columns or 16 rows one line offers --plain, and deciding keys do nothing."""
    desk = FakeDesk()
    async with review(desk, size) as ui:
        await ui.press("j", "a", "tab", "3")
        assert "curator review --plain" in " ".join(ui.text.split())
        assert desk.ledger == []
