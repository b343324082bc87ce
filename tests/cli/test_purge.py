"""`purge` as a person calls it: who may, what is wrong usage, what it says."""

import io
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.desk import guard
from curator.place import Place


class Terminal(io.StringIO):
    """A person's terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one note."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    assert main(["remember", "lesson: the street is Nowhere Lane 7 here"]) == 0
    return root


def test_purge_needs_a_person(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal and without a key nothing is erased."""
    assert main(["purge", "--value", "Nowhere Lane 7"]) == 1
    capsys.readouterr()
    main(["notes"])
    assert "Nowhere Lane 7" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["n-1", "--value", "x"], ["--value", " "], ["--session", ""], ["--value", "ab"]])
def test_purge_takes_exactly_one_thing(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Nothing named, two things, an empty value or a value too short are wrong usage."""
    made, _ = guard.make_key(Place(project, project), {"HOME": str(home)}, Terminal())
    monkeypatch.setenv(guard.KEY_FILE, str(made))
    assert main(["purge", *words]) == 2


def test_purge_erases_and_says_what_is_not_its_own(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the key: the value is gone from note and files, and copies elsewhere are named as the person's."""
    made, _ = guard.make_key(Place(project, project), {"HOME": str(home)}, Terminal())
    monkeypatch.setenv(guard.KEY_FILE, str(made))
    assert main(["purge", "--value", "Nowhere Lane 7"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("erased: ") and "git history" in said.err
    main(["notes"])
    assert "the street is [purged] here" in capsys.readouterr().out
    files = [path for path in (project / ".curator").rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"Nowhere Lane 7" in path.read_bytes()]
    assert main(["purge", "n-nothing"]) == 1
