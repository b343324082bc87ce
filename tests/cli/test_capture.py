"""`remember`, `notes` and `harvest` as a person calls them: what is printed where, and with which exit code."""

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.hosts import claude
from tests.hosts.rollout import PERSON, SESSION, call, message, meta, output, turn, written

CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


def test_harvest_names_damaged_lines_and_says_partly(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Case 18 on the command line: exit 3, line numbers on stderr, the good lessons listed."""
    assert main(["harvest", str(CASES / "18/t.jsonl")]) == 3
    said = capsys.readouterr()
    assert "2, 4, 5, 6, 7, 8, 10, 12" in said.err and "created" in said.err
    assert "4 new notes" in said.out
    assert main(["harvest", str(CASES / "18/t.jsonl")]) == 0
    capsys.readouterr()
    assert main(["notes", "list", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["total"] == 4 and document["schema"] == 1
    assert {note["origin"] for note in document["notes"]} == {"agent"}


def test_harvest_without_paths_reads_this_projects_sessions(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The client's folder for this project is found; another project's is not read."""
    for folder in (project, project.parent / "other"):
        kept = home / ".claude" / "projects" / claude.encoded(folder)
        kept.mkdir(parents=True)
        shutil.copy(CASES / ("21/t.jsonl" if folder == project else "12/t.jsonl"), kept / "s.jsonl")
    assert main(["harvest", "--json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert (file["rows"], file["typed"], file["outcomes"]) == (6, 2, {"new": 1})


def test_harvest_says_what_is_missing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No session at all is one sentence and creates nothing; a missing file is exit 1; another client exit 2."""
    assert main(["harvest"]) == 0
    assert "no claude or codex sessions" in capsys.readouterr().err
    assert not (project / ".curator").exists()
    assert main(["harvest", "no.jsonl"]) == 1
    assert "no.jsonl" in capsys.readouterr().err
    assert main(["harvest", "no.jsonl", "--client", "cursor"]) == 2


def test_one_unreadable_file_does_not_stop_the_others(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The good file is read, the missing one named, exit 3."""
    assert main(["harvest", str(CASES / "12/t.jsonl"), "no.jsonl"]) == 3
    said = capsys.readouterr()
    assert "3 new notes" in said.out and "no.jsonl" in said.err


def test_remember_prints_the_note_and_reads_stdin(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """stdout is the id alone; `-` reads stdin; an agent's variable makes it the agent's."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("lesson: 设备 need a warm-up".encode())))
    monkeypatch.setenv("CLAUDECODE", "1")
    assert main(["remember", "-", "--label", "ops"]) == 0
    said = capsys.readouterr()
    note_id = said.out.strip()
    assert "sweep" in said.err
    assert main(["notes", "show", note_id, "--json"]) == 0
    note = json.loads(capsys.readouterr().out)
    assert (note["body"], note["kind"], note["labels"]) == ("设备 need a warm-up", "lesson", ["ops"])
    assert (note["origin"], note["source"]["client"]) == ("agent", "claude")


@pytest.mark.parametrize("words", [[""], ["  "], ["lesson:"], ["x y", "--label", " "], ["x y", "--ref", "../out/y"]])
def test_remember_refuses_what_is_empty_or_leads_out(project: Path, words: list[str]) -> None:
    """An empty text, label or a reference outside of the project is wrong usage."""
    assert main(["remember", *words]) == 2


@pytest.mark.parametrize("text", ["100% AND \"C++\" 'x' _ [/b]", "--looks like an option", "NUL-free ☃ 设备"])
def test_remember_takes_any_other_text(project: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Quotes, wildcards, markup and any script come back as they went in."""
    assert main(["remember", "--", text]) == 0
    note_id = capsys.readouterr().out.strip()
    main(["notes", "show", note_id])
    assert text in capsys.readouterr().out


def test_notes_are_listed_shown_and_dropped(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a store: one sentence. An unknown state gives nothing and says so. An unknown id is exit 1."""
    assert main(["notes"]) == 0
    assert capsys.readouterr().err == "no notes\n"
    assert not (project / ".curator").exists()
    main(["remember", "lesson: one two three"])
    note_id = capsys.readouterr().out.strip()
    assert main(["notes"]) == 0
    assert note_id in capsys.readouterr().out
    assert main(["notes", "list", "--state", "nonsense"]) == 0
    said = capsys.readouterr()
    assert said.out == "" and "nonsense" in said.err
    assert main(["notes", "drop", note_id]) == 0
    assert main(["notes", "show", "n-nothing"]) == 1
    capsys.readouterr()
    main(["notes", "list", "--state", "dropped"])
    assert note_id in capsys.readouterr().out


def test_a_codex_session_comes_in_whole_and_grows(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Found by the client's folder, told by the file, damaged lines named; the second reading takes what is new."""
    opening = meta(cwd=str(project))
    path = home / ".codex/sessions/2031/03/04" / f"rollout-2031-03-04T09-00-00-{SESSION}.jsonl"
    rows: list[dict[str, Any] | str] = [
        opening,
        turn(),
        message("user", "never push to main", of=PERSON, ident="m1"),
        "{damaged",
        call(1, "shell"),
    ]
    written(path, *rows)
    assert main(["harvest"]) == 3
    said = capsys.readouterr()
    assert "2 rows, 1 typed" in said.out and "passed over: 4" in said.err
    written(path, *rows, output(1), message("user", "go on", of=PERSON, ident="m2"))
    assert main(["harvest"]) == 0
    capsys.readouterr()
    assert main(["record", "list", "--typed", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["session"] == SESSION
    assert [row["text"] for row in document["rows"]] == ["never push to main", "go on"]
    assert main(["harvest", str(path), "--client", "claude"]) == 0


@pytest.mark.parametrize(
    "text", ["- close the pool", "-- close the pool", "-\tclose the pool", "- [ ] close 'it' --now"]
)
def test_a_pasted_bullet_is_text(project: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """A text that begins with a dash and a space is taken as it is, before options and as an option's value too."""
    assert main(["remember", text, "--kind", "lesson", "--title", "- pool"]) == 0
    assert main(["search", text]) == 0
    assert main(["remember", "--", text]) == 0
    capsys.readouterr()
    assert main(["notes", "list", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any("close" in note["body"] and note["title"] == "- pool" and note["kind"] == "lesson" for note in notes)
    assert main(["remember", "text", "-close"]) == 2
