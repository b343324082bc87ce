"""First run: nothing stored, nothing configured. Every command says so in a line, and only `init` makes something."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.cli.app import CommandTable
from tests.cli.test_start import curator

CASES = Path(__file__).parent.parent / "cases"

QUIET: dict[str, int] = {
    "search": 0,
    "search atlas": 0,
    "list": 0,
    "show x": 1,
    "status": 0,
    "report": 0,
    "why x": 1,
    "preview": 0,
    "sweep": 0,
    "review": 0,
    "proposals": 0,
    "log": 0,
    "notes": 0,
    "record": 0,
    "checkpoint show": 0,
    "checkpoint list": 0,
    "layers": 0,
    "export entries": 0,
    "import entries EMPTY": 0,
    "harvest": 0,
    "ingest": 0,
    "calibrate": 0,
    "uninstall": 0,
    "doctor": 0,
    "db check": 0,
    "config": 0,
    "": 0,
}
PRESENT = [words for words in QUIET if not words or words.split()[0] in CommandTable(name="curator").rows]


def words_of(words: str) -> list[str]:
    """The words of a call, with the case's empty file in its place."""
    return words.replace("EMPTY", str(CASES / "96" / "empty.jsonl")).split()


def stored(folder: Path) -> set[str]:
    """Everything below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("words", PRESENT)
def test_case_96_nothing_stored(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No project, no store, a fresh home: the right exit code, something said, no trace of an error, nothing made."""
    monkeypatch.chdir(tmp_path)
    assert main(words_of(words)) == QUIET[words]
    printed = capsys.readouterr()
    assert printed.out or printed.err
    assert "Traceback" not in printed.err
    assert "Error" not in printed.err
    assert stored(tmp_path) == set()


@pytest.mark.parametrize("words", [words for words in PRESENT if words not in {"doctor", "db check", "preview"}])
def test_case_96_an_empty_database_file(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database file without a byte in it is a store that was never finished: read as empty, finished by a write."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".curator").mkdir(0o700)
    (tmp_path / ".curator" / "curator.db").touch(0o600)
    assert main(words_of(words)) == QUIET[words]
    assert "Error" not in capsys.readouterr().err
    assert main(["remember", "lesson: Build with make."]) == 0
    assert (tmp_path / ".curator" / "curator.db").stat().st_size > 0


@pytest.mark.parametrize("event", ["session-start", "pre-compact", "stop", "prompt"])
def test_case_96_hooks_without_a_store(event: str, tmp_path: Path) -> None:
    """A hook in a folder without a store: exit 0, nothing on stdout, nothing made."""
    payload = json.loads((CASES / "96" / "payload.json").read_text())
    done = curator(
        "hook", event, "--client", "claude", cwd=tmp_path, stdin=json.dumps(payload | {"cwd": str(tmp_path)})
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stored(tmp_path) == set()


def test_case_96_only_tombstones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store of retired entries only injects nothing at all: no header, no empty list."""
    from curator.config import Settings
    from curator.edge.clock import now
    from curator.place import Place
    from curator.snapshot import refresh
    from curator.store.opening import create_store
    from tests.helpers import load_active

    store = create_store(Place(tmp_path, tmp_path, "", False), Settings(), now)
    load_active(store, [{"kind": "lesson", "body": "Old.", "status": "tombstoned"}])
    assert refresh(store) == ""
    done = curator("hook", "session-start", "--client", "claude", cwd=tmp_path, stdin='{"source": "startup"}')
    assert (done.returncode, done.stdout) == (0, "")
    assert main(["-C", str(tmp_path), "search"]) == 0
    assert capsys.readouterr().out.count("\n") <= 2
