"""The person's own store: every command with `--user`, both stores in a session and in search, promotion."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.place import user_place
from tests.desk.conftest import key
from tests.hook.helpers import hook, start
from tests.identity.helpers import handed, learned

__all__ = ["key"]

pytestmark = pytest.mark.usefixtures("key")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository in which one works."""
    (tmp_path / "work/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def told(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a command prints on stdout."""
    capsys.readouterr()
    assert main(words) == code, words
    return capsys.readouterr().out


def ids(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Ids of the entries that a command lists."""
    return [hit["id"] for hit in json.loads(told(capsys, *words, "--json"))["hits"]]


COMMANDS = [
    *("status", "notes", "proposals", "log", "list", "search tag", "report", "record list", "config", "doctor"),
    *("checkpoint list", "checkpoint show", "layers", "preview", "db check", "db reindex", "db backup", "db upgrade"),
    *("export entries", "harvest", "ingest", "sweep", "off", "on"),
]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_with_user_works_on_the_persons_own_store_alone(
    project: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    """Before anything is stored, and after, it succeeds, and it leaves the project without a store."""
    for _ in range(2):
        code = main([*words.split(), "--user"])
        said = capsys.readouterr()
        assert (code, "Traceback" in said.err) == (0, False), said
        if not user_place().found:
            assert main(["remember", "lesson: Sign every tag.", "--user"]) == 0
            capsys.readouterr()
    assert not (project / ".curator").exists()


def test_both_stores_are_handed_over_and_searched(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A session and a search here give the project's and the person's entries; elsewhere the person's alone."""
    learned(project, "Sign every tag of the shop.")
    learned(project, "Sign every letter by hand.", "--user")
    text = handed(project)
    assert "every tag" in text and "every letter" in text
    assert len(ids(capsys, "search", "sign every")) == 2
    assert len(ids(capsys, "search", "sign every", "--user")) == 1
    assert "(yours)" in told(capsys, "search", "letter")
    other = tmp_path / "other"
    other.mkdir()
    text = handed(other)
    assert "every letter" in text and "every tag" not in text and "could not" not in text
    assert list(other.iterdir()) == []
    assert len(ids(capsys, "-C", str(other), "list")) == 1


def test_where_only_the_person_has_a_store_a_doubled_hook_speaks_once_and_the_others_are_silent(tmp_path: Path) -> None:
    """In a project without a store: one text a start, nothing from any other event, nothing written."""
    learned(tmp_path, "Sign every letter by hand.", "--user")
    first, second = (hook(tmp_path, "session-start", start("S1")) for _ in range(2))
    assert b"every letter" in first.stdout and second.stdout == b""
    for event in ("prompt", "stop", "pre-tool", "session-end"):
        done = hook(tmp_path, event, {"session_id": "S1", "prompt": "x"})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(tmp_path.iterdir()) == []


def test_a_promoted_entry_serves_every_project_at_once(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`promote ID --user` makes the own store where there is none; the entry serves everywhere; undo is by store."""
    learned(project, "Times are kept in UTC.")
    (entry,) = ids(capsys, "list")
    assert "in your own store" in told(capsys, "promote", entry, "--user")
    (moved,) = ids(capsys, "list", "--user")
    assert ids(capsys, "list") == [moved]
    (tmp_path / "elsewhere").mkdir()
    for folder in (project, tmp_path / "elsewhere"):
        assert handed(folder).count("kept in UTC") == 1
    told(capsys, "undo", "--user")
    assert ids(capsys, "list") == []
    told(capsys, "undo")
    assert ids(capsys, "list") == [entry] and "kept in UTC" in handed(project)


def test_a_store_that_was_just_made_is_no_reason_for_a_warning(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Right after the first note, here and in the own store, a session starts in silence and doctor sees a snapshot."""
    for words in ([], ["--user"]):
        assert main(["remember", "lesson: Sign every tag.", *words]) == 0
        assert handed(project) == ""
        assert "cannot read" not in told(capsys, "doctor", *words)
        assert told(capsys, "status", *words).count("trouble") == 0


def test_the_own_store_can_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`off --user` keeps it out of sessions until `on --user`; the project's own memory goes on."""
    learned(project, "Sign every tag of the shop.")
    learned(project, "Sign every letter by hand.", "--user")
    assert "leave out your own store" in told(capsys, "off", "--user")
    assert "every letter" not in (text := handed(project)) and "every tag" in text
    told(capsys, "on", "--user")
    assert "every letter" in handed(project)


def test_what_mends_the_own_store_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Doctor's command for a missing snapshot of the own store names that store, and mends it."""
    learned(project, "Sign every letter by hand.", "--user")
    (user_place().folder / "snapshot.json").unlink()
    assert "->  curator --user ingest" in told(capsys, "--user", "doctor", code=1)
    told(capsys, "--user", "ingest")
    told(capsys, "--user", "doctor")
