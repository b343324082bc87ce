"""Twelve odd settings files and more, by the real commands: init, init again, uninstall; bytes compared."""

import os
import stat
from pathlib import Path

import pytest

from curator.__main__ import main
from tests.cli.test_setup import ours, project
from tests.hosts.test_settings import ODD

__all__ = ["project"]

pytestmark = pytest.mark.slow


def commands(project: Path, path: Path) -> list[bytes]:
    """The file's bytes after init, init again, and uninstall."""
    seen = []
    for words in (["init"], ["init"], ["uninstall"]):
        assert main(["-C", str(project), *words]) == 0
        seen.append(path.read_bytes())
    return seen


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_init_twice_and_uninstall_leave_every_byte(text: str, project: Path, home: Path) -> None:
    """Comments, commas, BOM, CRLF, other hooks, spaces, tabs, empty: added once, then as it was, 0600."""
    path = home / ".claude" / "settings.json"
    path.write_bytes(text.encode())
    path.chmod(0o600)
    first, second, third = commands(project, path)
    assert first != text.encode() and second == first and third == text.encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(each.name for each in path.parent.iterdir() if each.is_file()) == ["settings.json"]


def test_a_linked_file_stays_a_link(project: Path, home: Path) -> None:
    """A file kept with other dotfiles is changed where it lies and comes back there."""
    real, path = home / "dotfiles.json", home / ".claude" / "settings.json"
    real.write_bytes(b'{\n  "model": "x"\n}\n')
    path.symlink_to(real)
    first, second, third = commands(project, path)
    assert path.is_symlink() and first == second != third == b'{\n  "model": "x"\n}\n'


def test_an_invalid_file_is_left_and_what_to_add_is_printed(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not one byte changes by any of the three, and the reason names the file."""
    path = home / ".claude" / "settings.json"
    path.write_bytes(b'{"hooks": {"Stop": [}')
    assert main(["-C", str(project), "init"]) == 1
    said = capsys.readouterr()
    assert str(path) in said.err and '"SessionStart"' in said.out
    main(["-C", str(project), "uninstall"])
    assert path.read_bytes() == b'{"hooks": {"Stop": [}'


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
def test_a_read_only_file_is_refused(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who took the right to write away meant it: nothing is written, and how to allow it is said."""
    path = home / ".claude" / "settings.json"
    path.write_bytes(b"{}")
    path.chmod(0o444)
    assert main(["-C", str(project), "init"]) == 1
    assert str(path) in capsys.readouterr().err
    assert path.read_bytes() == b"{}" and ours(path) == []
