"""`curator` alone: one screen that says what is next."""

from pathlib import Path

import pytest

from curator.__main__ import main
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


def test_what_waits_is_named_with_its_command(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing waiting points to reading; a note, past sessions and a missing hook each bring their command."""
    assert main(["-C", str(project), "init"]) == 0
    before = tree(project)
    assert "curator search TEXT" in screen(project, capsys)
    assert tree(project) == before
    folder = home / ".claude" / "projects" / str(project).replace("/", "-").replace("_", "-")
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n")
    assert "curator harvest      read 1 past session into notes" in screen(project, capsys)
    assert main(["-C", str(project), "remember", "lesson: Build with make."]) == 0
    text = screen(project, capsys)
    assert "curator sweep        make proposals of 1 note\n" in text
    assert "curator harvest " not in text
    (home / ".claude" / "settings.json").unlink()
    assert "curator init         let your agent" in screen(project, capsys)


def test_an_unreadable_snapshot_is_said(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Damage is never shown as nothing there."""
    assert main(["-C", str(project), "init"]) == 0
    (project / ".curator" / "snapshot.json").write_bytes(b"{")
    assert "its snapshot is damaged" in screen(project, capsys)
