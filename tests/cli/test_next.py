"""`curator` alone: one screen that says what is next."""

from pathlib import Path

import pytest

from curator.__main__ import main
from curator.brief.snapshot_file import NAME, Snapshot, encode
from tests.cli.test_setup import project, tree

__all__ = ["project"]


def screen(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed; one screen at most, and nothing on stderr."""
    capsys.readouterr()
    assert main(["-C", str(folder)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("\n") < 20
    return printed.out


def test_nothing_set_up_yet(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a store: init and the demo, and nothing is created."""
    text = screen(project, capsys)
    assert f"No memory is kept for {project} yet." in text
    assert "curator init " in text
    assert "curator demo " in text
    assert not (project / ".curator").exists()


def test_what_waits_comes_first(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Proposals, a spool and a missing hook are each named with the command that deals with them."""
    assert main(["-C", str(project), "init"]) == 0
    store = project / ".curator"
    (store / NAME).write_bytes(encode(Snapshot(counts={"lesson": 1}, waiting=3, oldest="2031-03-01")))
    text = screen(project, capsys)
    assert "1 entry ready for the next session" in text
    assert "curator review                   3 proposals wait for you, the oldest since 2031-03-01" in text
    assert "curator init " not in text
    (home / ".claude" / "settings.json").unlink()
    assert "curator init " in screen(project, capsys)


def test_nothing_waits(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With nothing to do it says so and points to reading."""
    assert main(["-C", str(project), "init"]) == 0
    (project / ".curator" / NAME).write_bytes(encode(Snapshot(counts={"lesson": 2})))
    before = tree(project)
    assert "curator search TEXT" in screen(project, capsys)
    assert tree(project) == before


def test_past_sessions_are_worth_a_line(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store without entries, and sessions that could fill it: harvest is next."""
    assert main(["-C", str(project), "init"]) == 0
    (project / ".curator" / NAME).write_bytes(encode(Snapshot()))
    folder = home / ".claude" / "projects" / str(project).replace("/", "-").replace("_", "-")
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n")
    assert "curator harvest --client claude  read 1 past session into notes" in screen(project, capsys)


def test_an_unreadable_snapshot_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Damage is never shown as nothing there."""
    assert main(["-C", str(project), "init"]) == 0
    (project / ".curator" / NAME).write_bytes(b"{")
    assert "its snapshot is damaged" in screen(project, capsys)
