"""`curator sync`: what it says, its exit codes, who may take a file in, and the driver that needs no store."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.cycle import purging
from curator.store.engine import Store
from tests.conftest import Clock
from tests.sync.helpers import Make, Person


@pytest.fixture
def here(ann: Person, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ann's project, as the working directory."""
    monkeypatch.chdir(ann.store.place.root)
    monkeypatch.setenv("LOGNAME", "ann")
    return ann.store.place.root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr of `curator sync …`."""
    code = main(["sync", *words])
    got = capsys.readouterr()
    return code, got.out, got.err


def json_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The document that a command prints."""
    found: dict[str, Any] = json.loads(run(capsys, *words, "--json")[1])
    return found


def test_it_says_how_store_and_file_stand_and_what_is_next(
    ann: Person, ben: Person, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Off, on, ahead, in step, behind: each with the next command."""
    ann.adds("one lesson")
    document = json_of(capsys)
    assert (document["on"], document["ahead"], document["next"]) == (False, 1, "curator sync on")
    assert run(capsys, "on")[0] == 0
    assert json_of(capsys)["next"] == "curator sync export"
    code, out, _ = run(capsys, "export")
    assert code == 0 and out == f"wrote 1 entry to {here}/.curator/memory.jsonl\n"
    document = json_of(capsys)
    assert (document["on"], document["ahead"], document["behind"], document["next"]) == (True, 0, 0, "")
    ben.takes(here / ".curator/memory.jsonl")
    ben.adds("another lesson")
    ben.gives(here / ".curator/memory.jsonl")
    document = json_of(capsys)
    assert (document["behind"], document["next"]) == (1, "curator sync import")
    assert run(capsys, "import")[0] == 0
    assert run(capsys)[1].endswith("store and file hold the same decisions\n")


def test_on_changes_only_its_own_lines_and_twice_is_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A person's settings, tables and ignore rules stay; off takes only the setting back."""
    folder = here / ".curator"
    config, ignore = folder / "config.toml", folder / ".gitignore"
    config.write_text(config.read_text(encoding="utf-8") + "# mine\nwindow = 9\n[keys]\nquit = 'x'\n", encoding="utf-8")
    ignore.write_text("*\n!mine.txt", encoding="utf-8")
    assert run(capsys, "on")[0] == 0
    written = config.read_text(encoding="utf-8")
    assert "# mine\nwindow = 9\nsync = true\n[keys]\nquit = 'x'\n" in written
    kept = "*\n!mine.txt\n!.gitignore\n!.gitattributes\n!config.toml\n!memory.jsonl\n"
    assert ignore.read_text(encoding="utf-8") == kept
    assert (folder / ".gitattributes").read_text(encoding="utf-8") == "memory.jsonl merge=curator -text\n"
    assert "changed" not in run(capsys, "on")[1]
    assert run(capsys, "off")[0] == 0
    assert config.read_text(encoding="utf-8") == written.replace("sync = true", "sync = false")


def test_git_is_asked_and_the_driver_printed_where_nobody_can_answer(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a terminal git's settings are not touched; a rule that hides the file is named."""
    subprocess.run(["git", "init", "-q"], check=True)
    (here / ".gitignore").write_text(".curator/\n", encoding="utf-8")
    _, out, err = run(capsys, "on")
    assert "git config merge.curator.driver" in out and "%O %A %B" in out
    assert ".gitignore:1:.curator/" in err
    assert subprocess.run(["git", "config", "merge.curator.driver"], check=False, capture_output=True).stdout == b""
    (here / ".gitignore").unlink()
    assert "leaves the file out" not in run(capsys, "on")[2]


def test_an_agent_takes_nothing_in_but_may_look(
    ann: Person, ben: Person, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused with a sentence that says what to do; `--dry-run` says what would come and leaves everything alone."""
    (entry,) = ben.adds("ben's lesson")
    ben.gives(here / ".curator/memory.jsonl")
    monkeypatch.setenv("CLAUDECODE", "1")
    code, _, err = run(capsys, "import")
    assert code == 1 and "ask the person to run `curator sync import`" in err
    code, out, err = run(capsys, "import", "--dry-run")
    assert code == 0 and f"added: {entry}" in out and "nothing was changed" in err
    assert ann.body(entry) == "" and ann.desk.log(0) == ()
    monkeypatch.delenv("CLAUDECODE")
    assert run(capsys, "import")[0] == 0
    assert ann.body(entry) == "ben's lesson"
    assert ann.desk.log(1)[0].via == "sync" and ann.desk.log(2)[1].reviewer == "ben"
    assert (here / ".curator/snapshot.json").read_text(encoding="utf-8").count("ben's lesson") > 0


def test_exit_codes_say_what_was_left(ann: Person, ben: Person, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 without a file, 1 for one that is named and missing, 3 for marks and for a choice that waits."""
    assert run(capsys, "import") == (0, "", run(capsys, "import")[2])
    assert run(capsys, "import", "none.jsonl")[0] == 1
    (entry,) = ann.adds("use port 80")
    path = ann.gives(here / ".curator/memory.jsonl")
    ben.takes(path)
    ann.edits(entry, "use port 81")
    ben.edits(entry, "use port 82")
    ben.gives(path)
    code, out, err = run(capsys, "import")
    assert code == 3 and f"in the same words: a proposal each: {entry}" in out and "curator review" in err
    document = json_of(capsys, "import")
    assert document["conflicts"] == [entry] and document["proposals"] == []
    path.write_bytes(b"<<<<<<< HEAD\n" + path.read_bytes())
    code, out, err = run(capsys, "import")
    assert code == 3 and "line 1" in err and not out
    assert json_of(capsys)["trouble"].count("line 1")


def test_the_driver_needs_no_store_and_leaves_ours_alone_when_it_cannot_read(
    ann: Person, ben: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """git's contract in a folder without a store: the result over ours, exit 0; trouble, and ours is as it was."""
    bare = tmp_path / "bare"
    bare.mkdir()
    monkeypatch.chdir(bare)
    ann.adds("ann's lesson")
    ben.adds("ben's lesson")
    ours, theirs, base = ann.gives(bare / "ours"), ben.gives(bare / "theirs"), bare / "base"
    base.write_bytes(b"")
    assert run(capsys, "merge-driver", "base", "ours", "theirs", "memory.jsonl")[0] == 0
    text = ours.read_text(encoding="utf-8")
    assert "ann's lesson" in text and "ben's lesson" in text
    theirs.write_bytes(theirs.read_bytes().replace(b'"version":1', b'"version":7'))
    code, _, err = run(capsys, "merge-driver", "base", "ours", "theirs")
    assert code == 1 and "version 7" in err and ours.read_text(encoding="utf-8") == text
    theirs.write_bytes(b"")
    assert run(capsys, "merge-driver", "base", "ours", "theirs")[0] == 0
    assert ours.read_text(encoding="utf-8") == text and not (bare / ".curator").exists()


def test_what_was_erased_leaves_the_file_and_comes_back_from_no_other(
    new_store: Make, tmp_path: Path, clock: Clock
) -> None:
    """Only the id stays; who still has it is told; their file brings nothing back."""
    ann, ben = (Person(new_store(tmp_path / name), name, clock) for name in ("ann", "ben"))
    kept, private = ann.adds("a lesson to keep", "the phone of the supplier is 555 0100")
    path = ann.gives(tmp_path / "memory.jsonl")
    ben.takes(path)
    purging.items(ann.store, [private], reviewer="ann", via="terminal")
    fresh = ann.gives(tmp_path / "fresh.jsonl")
    assert "555 0100" not in ann.gives(path).read_text(encoding="utf-8")
    assert "555 0100" not in fresh.read_text(encoding="utf-8") and private in fresh.read_text(encoding="utf-8")
    assert ben.takes(path).erased == [private] and ben.body(private) != ""
    assert "555 0100" not in ben.gives(path).read_text(encoding="utf-8")
    assert ann.takes(ben.gives(tmp_path / "ben.jsonl")).decision is None
    assert ann.body(private) == "" and ann.body(kept) == "a lesson to keep"


def test_what_a_person_kept_although_it_looks_like_a_credential_does_not_travel(
    ann: Person, ben: Person, tmp_path: Path
) -> None:
    """The file has the mark in its place; her own store keeps the value, also when the file comes back."""
    value = "AKIA" + "ABCDEFGHIJKLMNOP"
    (entry,) = ann.adds(f"the key of the demo account is {value}")
    path = ann.gives(tmp_path / "memory.jsonl")
    assert value not in path.read_text(encoding="utf-8")
    ben.takes(path)
    assert "the key of the demo account is" in ben.body(entry) and value not in ben.body(entry)
    assert ann.takes(ben.gives(path)).decision is None and value in ann.body(entry)


def test_a_store_is_made_for_a_clone_that_has_only_the_file(
    ann: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git brought is enough: `curator` alone says so, the import makes the store under the project's id."""
    ann.adds("ann's lesson")
    clone = tmp_path / "clone" / ".curator"
    clone.mkdir(parents=True)
    (clone / "config.toml").write_bytes((ann.store.place.folder / "config.toml").read_bytes())
    ann.gives(clone / "memory.jsonl")
    monkeypatch.chdir(clone.parent)
    main([])
    assert "curator sync import" in capsys.readouterr().out
    assert run(capsys, "import")[0] == 0
    main(["list"])
    assert "ann's lesson" in capsys.readouterr().out
    assert _project(clone.parent) == ann.store.project_id


def _project(root: Path) -> str:
    from curator.config import Settings
    from curator.place import find
    from curator.store.opening import open_store

    store: Store | None = open_store(find(root), Settings(), Clock())
    assert store is not None
    with store.read() as session:
        from sqlmodel import select

        from curator.store.tables import Project

        return session.exec(select(Project.project_id)).one()
