"""The approval cases on the screen: what is stale is not applied, what was refused says so, times are the person's."""

import time
from datetime import UTC, datetime, timedelta

import pytest

from curator.draft import draft
from curator.store.engine import Store
from curator.vocab import Kind
from tests.desk.helpers import documents, states
from tests.desk.test_cases import CASES, proposed
from tests.helpers import load_active
from tests.sweep.helpers import noted, proposals, said, swept
from tests.tui.driving import Driver, review
from tests.tui.fake import NOON, FakeDesk
from tests.tui.sample import desk_on
from tui.text import age


def kind_of(ui: Driver) -> str:
    """The name of the screen on top."""
    return type(ui.app.screen).__name__


async def test_case_69_accepting_what_changed_meanwhile_opens_nothing_and_overwrites_nothing(store: Store) -> None:
    """A screen opened before an edit: `a` is refused and marked, `enter` shows three texts, the edit survives."""
    shown = proposed(store)
    desk = desk_on(store)
    async with review(desk) as ui:
        desk_on(store).edit("n-001", 1, draft("", "lesson: edited by hand", "lesson"))
        desk_on(store).tombstone("n-003", 1, "obsolete")
        await ui.press("a")
        assert kind_of(ui) == "Review" and "n-001 changed since" in ui.message
        assert ui.lines[3].split()[:2] == ["!", "~"] and states(store)[shown["P1"].proposal_id] == "open"
        text = await ui.press("k", "enter")
        assert kind_of(ui) == "ConflictScreen"
        assert all(word in text for word in ("lesson: original", "edited by hand", "from the sweep"))
        await ui.press("escape")
    found = documents(store)
    assert found["n-001"]["body"] == "lesson: edited by hand" and found["n-003"]["state"] == "tombstoned"


@pytest.mark.slow
async def test_case_69_a_bulk_leaves_the_stale_one_out_and_says_so(store: Store) -> None:
    """`*` and `A` with one stale and two good ones: the sheet names what is left out, one decision does the two."""
    proposed(store)
    desk = desk_on(store)
    desk.edit("n-001", 1, draft("", "lesson: edited by hand", "lesson"))
    async with review(desk) as ui:
        assert "left out: 1 conflict" in await ui.press("asterisk", "A")
        await ui.press("enter")
        assert "accepted 2 proposals" in ui.message
        assert states(store) == {"P-0001": "open", "P-0002": "accepted", "P-0003": "accepted"}
        await ui.press("u")
    assert set(states(store).values()) == {"open"}
    assert documents(store)["n-001"]["body"] == "lesson: edited by hand"


@pytest.mark.slow
async def test_case_61_a_chain_is_one_proposal_and_a_newer_note_is_told(store: Store) -> None:
    """Three revisions stand on one page, newest first; while it waits, a newer note is warned of."""
    texts = ("the upload limit is 10", "the upload limit is 20", "the upload limit is 20 only for admins")
    for at, text in enumerate(texts):
        kind = Kind.CORRECTION if at else Kind.LESSON
        said(store, text, kind, datetime(2031, 3, 1 + at, 9, tzinfo=UTC), f"s{at}")
    swept(store)
    said(store, "the upload limit is 30", Kind.CORRECTION, datetime(2031, 3, 4, 9, tzinfo=UTC), "s9")
    swept(store)
    async with review(desk_on(store)) as ui:
        assert len(ui.app.screen.board) == 1  # type: ignore[attr-defined]
        places = [ui.dossier.rindex(f"“{text}”".replace(" ", "")) for text in reversed(texts)]
        assert places == sorted(places)
        assert "newernotewaits" in ui.dossier
        await ui.press("a")
    assert [value["body"] for value in documents(store).values() if value["state"] == "active"] == [texts[2]]


async def test_case_70_what_was_refused_does_not_come_back_silently(store: Store) -> None:
    """Rejected with a reason; repeats are kept out and counted; a changed text says when and why it was refused."""
    noted(store, "lesson: the mirror is read-only", "design: the queue backs off because the vendor throttles")
    swept(store)
    async with review(desk_on(store)) as ui:
        at = next(n for n in range(2) if "mirror" in ui.app.screen.board.at(n).title)  # type: ignore[attr-defined]
        await ui.press(*["j"] * at, "r", "1", "enter")
    noted(store, "The mirror is read-only", "lesson: the mirror is not read-only")
    swept(store)
    assert len([p for p in proposals(store) if p.state == "open"]) == 2
    async with review(desk_on(store)) as ui:
        assert "1 repeat of what you refused on 05 Mar" in ui.message
        pages = [ui.dossier, (await ui.press("j")) and ui.dossier]
        assert any("rejectedbeforeon2031-03-05:wrong" in page for page in pages)


@pytest.mark.parametrize(
    ("zone", "told"), [("UTC", "09:00"), ("Asia/Kathmandu", "14:45"), ("Pacific/Kiritimati", "05 Mar 23:00")]
)
async def test_case_74_times_stand_in_the_persons_zone(zone: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The instant of a message is shown on the person's clock, with the day where it is not today."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    async with review(FakeDesk()) as ui:
        assert f"user #212  {told}" in ui.text


@pytest.mark.slow
async def test_case_74_entries_stand_in_one_order_in_every_zone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory screen lists the case's entries in the same order under every time zone."""
    load_active(store, CASES / "74" / "notes.jsonl")
    seen = set()
    for zone in ("UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        async with review(desk_on(store)) as ui:
            text = await ui.press("m")
            seen.add(tuple(line.split("│")[0] for line in text.split("\n")[3:10]))
    assert len(seen) == 1 and "n-005" in str(seen)


def test_a_stamp_ahead_of_the_clock_is_called_that() -> None:
    """A few minutes are two clocks' difference; more is named."""
    told = {minutes: age(NOON + timedelta(minutes=minutes), NOON) for minutes in (-4, 4, 10)}
    assert told == {-4: "4 min ago", 4: "just now", 10: "ahead of the clock"}
