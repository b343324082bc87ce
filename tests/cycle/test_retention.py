"""The kept conversation stays as long as the settings say; what speaks for a memory stays, and nothing comes back."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from curator.config import Settings
from curator.cycle import retention
from curator.cycle.ingest import Stages, ingest
from curator.harvest.book import notes, rows
from curator.harvest.files import harvest_file
from curator.ports import Tokens
from curator.store.engine import Store
from tests.conftest import Clock

TOKENS = Tokens(lambda text: len(text) // 4, "test")
STAGES = Stages(lambda store, session: "", lambda store: 0, lambda store: "")
OLD = "2031-02-01T10:00:00Z"
NEW = "2031-03-05T10:00:00Z"


def said(path: Path, session: str, at: str, texts: list[str], first: int = 1) -> Path:
    """A transcript in which the person says these, appended."""
    with path.open("a", encoding="utf-8") as file:
        for number, text in enumerate(texts, first):
            row = {"type": "user", "uuid": f"{session}-{number}", "sessionId": session, "timestamp": at}
            file.write(json.dumps({**row, "message": {"role": "user", "content": text}}) + "\n")
    return path


@pytest.fixture
def talked(store: Store, tmp_path: Path) -> Store:
    """An old session of three messages, one of which became a note, and one of today."""
    old = said(tmp_path / "old.jsonl", "old", OLD, ["hello", "lesson: the green belt slips", "thanks"])
    harvest_file(store, old, TOKENS.count)
    harvest_file(store, said(tmp_path / "new.jsonl", "new", NEW, ["hello again"]), TOKENS.count)
    return store


def texts(store: Store, session: str) -> list[str]:
    """What its rows hold."""
    return [row.text for row in rows(store, session)]


def test_only_what_is_older_is_emptied_and_evidence_stays(talked: Store) -> None:
    """After 30 days two rows of the old session are empty, the one that a note came from and today's are whole."""
    assert retention.expire(talked, 30, dry_run=True) == retention.Expired(2, 1, 1)
    assert texts(talked, "old") == ["hello", "lesson: the green belt slips", "thanks"]
    assert retention.expire(talked, 30) == retention.Expired(2, 1, 1)
    assert texts(talked, "old") == ["", "lesson: the green belt slips", ""]
    assert texts(talked, "new") == ["hello again"]
    assert [note.body for note in notes(talked)] == ["the green belt slips"]
    assert retention.expire(talked, 30) == retention.Expired(0, 0, 1)


def test_nothing_of_it_is_left_in_the_file(talked: Store, tmp_path: Path) -> None:
    """The words stand in no page of the database afterwards, not even in a free one."""
    said(tmp_path / "gone.jsonl", "gone", OLD, ["the password of the gate is quince-marmalade"])
    harvest_file(talked, tmp_path / "gone.jsonl", TOKENS.count)
    retention.expire(talked, 30)
    for path in talked.place.folder.glob("curator.db*"):
        assert b"quince-marmalade" not in path.read_bytes(), path.name


def test_a_transcript_read_again_brings_nothing_back_and_numbers_go_on(talked: Store, tmp_path: Path) -> None:
    """A rewritten file adds only its new message, under the next number; no note comes twice."""
    retention.expire(talked, 30)
    path = tmp_path / "old.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(reversed(lines)))
    said(path, "old", NEW, ["and on we go"], first=4)
    assert harvest_file(talked, path, TOKENS.count).rows == 1
    assert texts(talked, "old") == ["", "lesson: the green belt slips", "", "and on we go"]
    assert [row.seq for row in rows(talked, "old")] == [1, 2, 3, 4]
    assert len(notes(talked)) == 1


def test_the_setting_is_kept_by_ingest_once_a_day(
    new_store: Callable[..., Store], tmp_path: Path, clock: Clock
) -> None:
    """Without the setting nothing goes; with it the first ingest of a day empties what is older."""
    for_ever = new_store(tmp_path / "shop")
    harvest_file(for_ever, said(tmp_path / "old.jsonl", "old", OLD, ["hello"]), TOKENS.count)
    assert ingest(for_ever, TOKENS, STAGES).expired == 0
    bounded = replace(for_ever, settings=Settings(retention_days=30))
    assert ingest(bounded, TOKENS, STAGES).expired == 1
    harvest_file(bounded, said(tmp_path / "late.jsonl", "late", OLD, ["hello"]), TOKENS.count)
    assert ingest(bounded, TOKENS, STAGES).expired == 0
    clock.at += timedelta(days=1)
    assert ingest(bounded, TOKENS, STAGES).expired == 1
    assert retention.size(bounded) == retention.Size(2, 2, 2, 0, retention.size(bounded).oldest)
