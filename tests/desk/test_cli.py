"""The deciding commands: exit codes, reports, filters, the editor, and nobody but a person."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.desk import guard
from curator.store.engine import Store
from curator.vocab import Kind, Op
from tests.desk.helpers import desk_on, documents, enter, lesson, propose, states


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one command."""
    code = main(words)
    got = capsys.readouterr()
    return code, got.out, got.err


def json_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The document that a command prints."""
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    value: dict[str, Any] = json.loads(out)
    assert value["schema"] == 1
    return value


DECIDING = [
    ["accept", "P-0001"],
    ["accept", "--all"],
    ["reject", "P-0001", "--reason", "wrong"],
    ["snooze", "P-0001"],
    ["revise", "P-0001", "--title", "x"],
    ["edit", "m-", "--title", "x"],
    ["pin", "m-"],
    ["unpin", "m-"],
    ["tombstone", "m-", "--reason", "x"],
    ["restore", "m-"],
    ["undo"],
    ["promote", "m-", "--user"],
    ["purge", "m-"],
    ["record", "confirm", "1"],
    ["uninstall", "--purge"],
    ["db", "restore"],
    ["db", "migrate-to", "postgresql://u@h/d"],
]


@pytest.mark.parametrize("words", DECIDING, ids=" ".join)
def test_no_command_decides_for_an_agent_even_with_the_key(
    shop: Store, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Each refuses with one line that says what to do, and changes nothing."""
    enter(shop, "The limit is 10.")
    propose(shop, Op.ADD, after=[lesson("Use pnpm.")])
    before = documents(shop)
    monkeypatch.setenv("CLAUDECODE", "1")
    code, out, err = run(capsys, *words)
    assert (code, out) == (1, "") and "curator review" in err and len(err.splitlines()) == 1
    monkeypatch.delenv("CLAUDECODE")
    monkeypatch.delenv(guard.KEY_FILE)
    code, out, err = run(capsys, *words)
    assert (code, out) == (1, "") and "terminal" in err
    assert documents(shop) == before and states(shop) == {"P-0001": "open"}


def test_the_queue_is_listed_filtered_and_shown(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Filters narrow, an unknown value gives nothing and says so, an empty one is wrong usage."""
    (old,) = enter(shop, "The limit is 10.")
    propose(shop, Op.UPDATE, [old], [old.with_(body="The limit is 20.")], reason="It was raised.")
    propose(shop, Op.ADD, after=[lesson("Use pnpm [/dim].", kind=Kind.PATTERN, labels=["web"])])
    code, out, _ = run(capsys, "proposals")
    assert code == 0 and out.startswith("2 proposals waiting (1 add, 1 update)") and "Use pnpm [/dim]" in out
    assert [p["id"] for p in json_of(capsys, "proposals", "--kind", "pattern")["proposals"]] == ["P-0002"]
    assert [p["id"] for p in json_of(capsys, "proposals", "list", "--label", "web")["proposals"]] == ["P-0002"]
    assert json_of(capsys, "proposals", "--label", "Web")["proposals"] == []
    code, out, err = run(capsys, "proposals", "--op", "frobnicate")
    assert (code, out) == (0, "") and "frobnicate" in err and "P-0001" not in err
    assert run(capsys, "proposals", "--op", " ")[0] == 2
    assert run(capsys, "proposals", "show")[0] == 2
    code, out, _ = run(capsys, "proposals", "show", "p-0001")
    assert (
        "Change: The limit is [-10-] {+20+}." in out and 'Removed "10"; added "20".' in out and "It was raised." in out
    )
    assert run(capsys, "proposals", "show", "P-0")[0] == 1
    (shown,) = json_of(capsys, "proposals", "show", "P-0001")["proposals"]
    assert (shown["targets"], shown["after"][0]["body"]) == ([old.entry_id], "The limit is 20.")


def test_accept_reject_snooze_undo_and_log(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The ledger names the key; what is taken back is open again."""
    for body in ("One.", "Two.", "Three."):
        propose(shop, Op.ADD, after=[lesson(body)])
    code, out, _ = run(capsys, "accept", "P-0001")
    assert code == 0 and out.startswith("accepted P-0001 -> m-") and "curator undo D-0001" in out
    assert run(capsys, "reject", "P-0002", "--reason", "one-off", "--note", "seen once")[0] == 0
    assert run(capsys, "snooze", "P-0003")[0] == 0
    assert states(shop) == {"P-0001": "accepted", "P-0002": "rejected", "P-0003": "snoozed"}
    decisions = json_of(capsys, "log")["decisions"]
    assert [(d["id"], d["verb"], d["via"]) for d in decisions] == [
        ("D-0003", "snooze", "key"),
        ("D-0002", "reject", "key"),
        ("D-0001", "accept", "key"),
    ]
    assert run(capsys, "undo", "D-0001")[0] == 0
    assert run(capsys, "undo", "2")[0] == 0
    assert set(states(shop).values()) == {"open"} and documents(shop) == {}
    assert run(capsys, "undo")[0] == 1
    assert run(capsys, "undo", "x")[0] == 2
    assert "taken back by D-0004" in run(capsys, "log")[1]


def test_exit_codes_of_a_decision(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """1 for what is unknown or decided already, 3 for what changed or was done in part, 2 for a wrong call."""
    propose(shop, Op.ADD, after=[lesson("One.")])
    assert run(capsys, "accept", "P-0777")[0] == 1
    code, _, err = run(capsys, "accept", "P-0001@7")
    assert code == 3 and "revised" in err
    assert run(capsys, "accept", "P-0001@1")[0] == 0
    code, _, err = run(capsys, "accept", "P-0001")
    assert code == 1 and "accepted already" in err
    for words in (["accept"], ["accept", "P-0001", "--all"], ["reject", "P-0001"], ["accept", "P-0001", "--op", "add"]):
        assert run(capsys, *words)[0] == 2, words
    code, _, err = run(capsys, "accept", "--all")
    assert code == 0 and "nothing to accept" in err


def test_accept_with_another_text_and_revise(shop: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The text given is what is applied; a revision waits on, edited."""
    propose(shop, Op.ADD, after=[lesson("One.")])
    propose(shop, Op.ADD, after=[lesson("Two.")])
    other = tmp_path / "other.md"
    other.write_text("Something else.\n", encoding="utf-8")
    assert run(capsys, "accept", "P-0001", "--text", str(other))[0] == 0
    assert [d["body"] for d in documents(shop).values()] == ["Something else."]
    assert run(capsys, "revise", "P-0002", "--kind", "design", "--label", "x")[0] == 0
    (shown,) = json_of(capsys, "proposals", "show", "P-0002")["proposals"]
    assert (shown["edited"], shown["rev"], shown["kind"], shown["route"]) == (True, 2, "design", "deferred")
    assert shown["after"][0]["labels"] == ["kb", "x"]
    assert run(capsys, "undo", "D-0002")[0] == 0
    assert json_of(capsys, "proposals", "show", "P-0002")["proposals"][0]["kind"] == "lesson"
    other.write_text(" \n", encoding="utf-8")
    assert run(capsys, "accept", "P-0002", "--text", str(other))[0] == 2


def editor(tmp_path: Path, code: str) -> str:
    """An `EDITOR` that runs Python on the file."""
    script = tmp_path / "editor.py"
    script.write_text(f"import pathlib, sys\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text()\n{code}\n")
    return f"{sys.executable} {script}"


def test_an_entry_is_edited_in_the_persons_editor(
    shop: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text and front matter are taken; a title made from the text follows it."""
    (old,) = enter(shop, "The limit is 10.")
    change = "path.write_text(text.replace('10.', '20 now.').replace('labels: ', 'labels: a, b'))"
    monkeypatch.setenv("EDITOR", editor(tmp_path, change))
    assert run(capsys, "edit", old.entry_id[:5])[0] == 0
    found = documents(shop)[old.entry_id]
    assert (found["body"], found["labels"]) == ("The limit is 20 now.", ["a", "b"])
    assert found["title"] == "The limit is 20 now"
    monkeypatch.setenv("EDITOR", "true")
    code, out, _ = run(capsys, "edit", old.entry_id)
    assert code == 0 and "unchanged" in out
    assert not list(tmp_path.glob("curator-*"))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit(3)", "code 3"),
        ("path.write_text('')", "empty"),
        ("path.unlink()", "took the file away"),
        ("path.write_text(text.replace('kind: lesson', 'kind: wisdom'))", "wisdom.*kept in"),
        ("path.write_text(text.replace('kind: lesson', 'mood: good'))", "no field.*kept in"),
        ("path.write_text('---\\ntitle: x\\nOther words.')", "closing.*kept in"),
    ],
)
def test_an_editor_that_fails_changes_nothing_and_loses_nothing(
    shop: Store,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    reason: str,
) -> None:
    """One line says why; what was typed is kept where the line says."""
    import re
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (old,) = enter(shop, "The limit is 10.")
    before = documents(shop)
    monkeypatch.setenv("EDITOR", editor(tmp_path, code))
    exit_code, _, err = run(capsys, "edit", old.entry_id)
    assert exit_code in {1, 2} and re.search(reason, err), err
    assert documents(shop) == before
    assert bool(list(tmp_path.glob("curator-*.md"))) == ("kept in" in reason)


def test_direct_changes_to_an_entry(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Pin, unpin, tombstone with a reason, restore; each a decision."""
    (old,) = enter(shop, "The limit is 10.")
    name = old.entry_id
    assert run(capsys, "pin", name)[0] == 0 and documents(shop)[name]["pinned"]
    assert run(capsys, "unpin", name)[0] == 0 and not documents(shop)[name]["pinned"]
    assert run(capsys, "tombstone", name, "--reason", "obsolete")[0] == 0
    assert (documents(shop)[name]["state"], documents(shop)[name]["reason"]) == ("tombstoned", "obsolete")
    code, _, err = run(capsys, "pin", name)
    assert code == 1 and f"curator restore {name}" in err
    assert run(capsys, "restore", name)[0] == 0 and documents(shop)[name]["state"] == "active"
    assert run(capsys, "tombstone", name, "--reason", " ")[0] == 2
    assert len(desk_on(shop).log()) == 4


def test_without_a_store_reading_says_so_and_deciding_finds_nothing(
    key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is created on the way."""
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for words in (["proposals"], ["log"]):
        code, out, _ = run(capsys, *words)
        assert code == 0 and len(out.splitlines()) == 1
    assert run(capsys, "accept", "--all")[0] == 1
    assert list(empty.iterdir()) == []
