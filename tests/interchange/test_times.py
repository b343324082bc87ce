"""Times of other programs: one instant whatever zone the reader is in, and what is doubtful is told."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.cli.reading import since_when
from curator.errors import CuratorError
from curator.interchange.times import moment
from curator.store.engine import Store
from tests.conftest import Clock
from tests.desk.conftest import key
from tests.interchange.test_entries import accept_all, desk, exported, lesson, take, write

__all__ = ["key"]

CASE = Path(__file__).parent.parent / "cases" / "74" / "notes.jsonl"
ZONES = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"]
INSTANTS = {  # newest first
    "n-005": "2031-03-09T07:30:00+00:00",  # in the gap of New York's clocks: read as if they had not been moved yet
    "n-003": "2031-03-05T01:00:00+00:00",
    "n-004": "2031-03-05T00:00:00+00:00",
    "n-001": "2031-03-04T23:30:00+00:00",
    "n-002": "2031-03-04T22:30:00+00:00",
}


@pytest.mark.parametrize("zone", ZONES)
def test_case_74_instants_and_their_order_are_the_same_in_every_zone(
    zone: str,
    new_store: Callable[[Path], Store],
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Z, an offset, none, milliseconds and a gap of local time; the one without a zone is UTC and is named."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    clock.at = datetime(2031, 3, 10, tzinfo=UTC)
    store = new_store(tmp_path / "shop")
    report = take(store, CASE)
    assert (report.complete, report.read.zoneless, report.read.ahead) == (True, [3], [])
    accept_all(store)
    assert main(["-C", str(store.place.root), "list", "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert [(hit["id"], hit["updated_at"]) for hit in hits] == list(INSTANTS.items())
    assert main(["-C", str(store.place.root), "list", "--since", "2031-03-05T00:00:00Z"]) == 0
    listed = capsys.readouterr().out
    assert [name for name in INSTANTS if name in listed] == ["n-005", "n-003", "n-004"]


@pytest.mark.parametrize(("zone", "day"), zip(ZONES, ["04T00:00", "03T05:00", "03T18:15", "04T10:00"], strict=True))
def test_case_74_today_is_the_persons_day(zone: str, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At one instant `today` began at another one for each person: at midnight where they are."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    now = datetime(2031, 3, 4, 4, 30, tzinfo=UTC) + timedelta(hours=8 if zone.startswith("P") else 0)
    assert since_when("today", now).astimezone(UTC).isoformat() == f"2031-03-{day}:00+00:00"


@pytest.mark.parametrize("found", ["soon", "2031-13-01", "2031-03-04 12:00 Middle/Earth", True, [], 1e300])
def test_what_is_no_time_is_refused_with_its_field(found: object) -> None:
    """A damaged time costs its line and says which field."""
    with pytest.raises(CuratorError, match="updated_at is not a time"):
        moment({"updated_at": found}, "updated_at")


def test_a_time_ahead_of_the_clock_wins_nothing_by_itself(
    store: Store, tmp_path: Path, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row from the future is named, and stands as a conflict beside what is here and beside its own earlier line."""
    take(store, write(tmp_path / "a.jsonl", lesson("n-1", "The limit is 10.")))
    accept_all(store)
    future = lesson("n-1", "The limit is 90.") | {"updated_at": "2099-01-01T00:00:00Z"}
    report = take(store, write(tmp_path / "b.jsonl", future))
    assert (report.read.ahead, report.outcomes["conflict"], report.outcomes["newer"]) == ([1], ["n-1"], [])
    assert [row["body"] for row in exported(store)] == ["The limit is 10."]
    twice = write(
        tmp_path / "c.jsonl",
        lesson("n-2", "Retry twice.") | {"updated_at": "2011-01-01T00:00:00Z"},
        lesson("n-2", "Retry never.") | {"updated_at": "2099-01-01T00:00:00Z"},
    )
    assert main(["-C", str(store.place.root), "import", "entries", str(twice)]) == 0
    assert "ahead of this computer's clock, in line 2" in capsys.readouterr().err
    texts = {item.text for item in desk(store).dossier("P-0003").evidence}
    assert any("Retry twice." in text for text in texts) and any("Retry never." in text for text in texts)
