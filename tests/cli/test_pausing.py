"""Hooks can be paused, here or in one session, and let go on."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.hook.call import paused


def test_off_pauses_and_on_lets_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The project's mark holds for every session, a session's only for it; nothing is stored twice or lost."""
    here = ["-C", str(tmp_path)]
    assert main([*here, "remember", "lesson: keep this"]) == 0
    folder = str(tmp_path / ".curator")
    assert main([*here, "off", "--session", "s-1"]) == 0
    assert paused(folder, "s-1") and not paused(folder, "s-2")
    assert main([*here, "off"]) == 0
    assert paused(folder, "s-2")
    assert main([*here, "on"]) == 0
    assert paused(folder, "s-1") and not paused(folder, "s-2")
    assert main([*here, "on", "--session", "s-1"]) == 0
    assert not paused(folder, "s-1")
    capsys.readouterr()
    assert main([*here, "notes", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["notes"]) == 1


def test_where_nothing_is_stored_nothing_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, exit 0, no folder."""
    assert main(["-C", str(tmp_path), "off"]) == 0
    assert "No memory here yet" in capsys.readouterr().out
    assert not (tmp_path / ".curator").exists()
