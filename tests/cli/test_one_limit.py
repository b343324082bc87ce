"""Case 89: one limit on every way in. A text is stored whole, refused with size and limit, or cut with a mark."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.desk import guard
from curator.place import Place
from tests.cli.test_record import Terminal

MAKE = Path(__file__).parent.parent / "cases" / "89" / "make.py"
LIMIT = 1_500
S = "5e550000-0000-4000-8000-000000000089"


def text_of(size: int) -> str:
    """The case's text of a size: it ends in END."""
    return subprocess.run([sys.executable, MAKE, str(size)], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A store with a small limit, and a person's key."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    monkeypatch.setenv("CURATOR_NOTE_BYTES", str(LIMIT))
    key, _ = guard.make_key(Place(root, root), {"HOME": str(home)}, Terminal())
    monkeypatch.setenv(guard.KEY_FILE, str(key))
    assert main(["remember", "lesson: the first one"]) == 0
    capsys.readouterr()
    return root


def bodies(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Every note's text."""
    capsys.readouterr()
    assert main(["notes", "list", "--json"]) == 0
    return [note["body"] for note in json.loads(capsys.readouterr().out)["notes"]]


@pytest.mark.parametrize("body", [LIMIT - 1, LIMIT, LIMIT + 1, 10 * LIMIT])
@pytest.mark.parametrize("way", ["remember", "harvest"])
def test_case_89_a_note_is_whole_or_visibly_cut(
    project: Path, body: int, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Up to the limit END is there; over it the note is at most the limit and says how much was said."""
    text = text_of(len("lesson: ") + body)  # the marker is no part of the note
    if way == "remember":
        assert main(["remember", text]) == 0
        assert ("cut at" in capsys.readouterr().err) is (body > LIMIT)
    else:
        said = {"role": "assistant", "content": [{"type": "text", "text": text}]}
        row = {"type": "assistant", "uuid": "u1", "sessionId": S, "cwd": str(project), "message": said}
        (project / "t.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert main(["harvest", "t.jsonl"]) == 0
    note = bodies(capsys)[-1]
    assert note.startswith("word word") and len(note.encode()) <= LIMIT
    assert note.endswith("END") is (body <= LIMIT)
    assert (f"[cut; {body:,} bytes" in note) is (body > LIMIT)


@pytest.mark.parametrize("size", [LIMIT - 1, LIMIT, LIMIT + 1, 10 * LIMIT])
def test_case_89_what_a_person_or_a_file_brings_is_whole_or_refused(
    project: Path, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Import, revision, acceptance and edit: END is found by search, or nothing changed and size and limit are told."""
    text = text_of(size)
    (project / "text.md").write_text(text, encoding="utf-8")
    row = {"id": "m-import1", "kind": "lesson", "title": "imported", "body": text}
    (project / "in.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert main(["sweep"]) == 0
    capsys.readouterr()
    assert main(["proposals", "--json"]) == 0
    (proposal,) = json.loads(capsys.readouterr().out)["proposals"]
    fits = size <= LIMIT
    for words in (["revise", proposal["id"]], ["accept", proposal["id"]]):
        assert (main([*words, "--text", "text.md"]) == 0) is fits, words
        assert fits or f"{size:,} bytes" in capsys.readouterr().err
    assert (main(["import", "entries", "in.jsonl"]) == 0) is fits
    assert fits or f"{size:,} bytes" in capsys.readouterr().err
    capsys.readouterr()
    assert main(["list", "--desc-contains", "END", "--json"]) == 0
    assert (json.loads(capsys.readouterr().out)["total"] > 0) is fits
