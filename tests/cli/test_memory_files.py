"""`import`, `export markdown` and `audit` as a person calls them: exit codes, what is said where, nothing unasked."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.config import Settings
from curator.desk.desk import Desk
from curator.edge.clock import now
from curator.edge.tokens import tokens
from curator.ledger.values import Shown
from curator.place import find
from curator.store.opening import open_store


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without a store, to stand in."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def test_audit_on_day_one_makes_nothing(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a store it reads, tells and leaves the folder as it was; what comes next is the last line."""
    (shop / "CLAUDE.md").write_text("- Use pnpm, never npm\n- Use pnpm, never npm\n")
    assert main(["audit"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("CLAUDE.md") and said[-1].startswith("next: curator audit --propose")
    assert sorted(path.name for path in shop.iterdir()) == [".git", "CLAUDE.md"]


def test_audit_as_json_has_a_schema_and_stable_keys(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One document, also where there is nothing."""
    assert main(["audit", "--json"]) == 0
    empty = json.loads(capsys.readouterr().out)
    (shop / "CLAUDE.md").write_text("- Use pnpm, never npm\n")
    assert main(["audit", "--json"]) == 0
    full = json.loads(capsys.readouterr().out)
    assert list(empty) == list(full) == [
        "schema", "files", "findings", "counts", "statements", "compared", "tokens", "next",
    ]  # fmt: skip
    assert full["files"][0]["tokens"] > 0 and full["tokens"]["claude"] > full["files"][0]["tokens"]


def test_audit_proposes_only_when_asked(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--propose` is an import of the good lines; it makes proposals, no entry."""
    (shop / "CLAUDE.md").write_text("- Use pnpm, never npm\n- Keep the changelog short and in order\n")
    assert main(["audit", "--propose"]) == 0
    assert "proposals: 2 (2 add)" in capsys.readouterr().out
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 0


def test_what_cannot_be_read_is_said_with_its_exit_code(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is 1, part of several is 3, nothing at all to read is 0."""
    for command in (["audit"], ["import", "markdown"]):
        assert main(command) == 0
        assert main([*command, "none.md"]) == 1
        assert "there is no such file" in capsys.readouterr().err
    (shop / "CLAUDE.md").mkdir()
    assert main(["audit"]) == 1
    (shop / "AGENTS.md").write_text("- Use pnpm, never npm\n")
    for command in (["audit"], ["import", "markdown"]):
        assert main(command) == 3
        assert "CLAUDE.md: not read: it is a folder" in capsys.readouterr().err


def test_import_without_a_path_names_what_it_read_and_what_it_did_not(
    shop: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The usual places of the project; what holds for every project goes into the person's own store."""
    (shop / "CLAUDE.md").write_text("- Use pnpm, never npm\n")
    (shop / "docs" / "adr").mkdir(parents=True)
    (shop / "docs" / "adr" / "0001-db.md").write_text("# 1. Use PostgreSQL\n\n## Decision\n\nWe will use PostgreSQL.\n")
    (home / ".claude").mkdir()
    (home / ".claude" / "CLAUDE.md").write_text("- Answer in short sentences only\n")
    assert main(["import", "markdown"]) == 0
    said = capsys.readouterr()
    assert "read: CLAUDE.md, docs/adr/0001-db.md" in said.err
    assert "hold for every project: ~/.claude/CLAUDE.md (curator --user import markdown)" in said.err
    assert main(["import", "markdown"]) == 0
    assert "proposals: 0" in capsys.readouterr().out
    assert main(["--user", "import", "markdown"]) == 0
    assert "~/.claude/CLAUDE.md: 1 new" in capsys.readouterr().out


def test_an_import_of_nothing_makes_no_store(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file and a file of status are read, and nothing is created for them."""
    (shop / "CLAUDE.md").write_text("")
    (shop / "AGENTS.md").write_text("## Status\n\n- all done\n")
    assert main(["import", "markdown"]) == 0
    assert "nothing in it is worth a note: 1 status" in capsys.readouterr().err
    assert not (shop / ".curator").exists()


def test_a_round_of_import_and_export_comes_to_rest(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What an export wrote into the file is not imported again, and a second export changes no byte."""
    (shop / "CLAUDE.md").write_text("# Shop\n\n- Use pnpm, never npm\n")
    assert main(["import", "markdown"]) == 0
    store = open_store(find(shop), Settings(), now)
    assert store is not None
    desk = Desk(store, tokens(), "ann")
    desk.accept([Shown(row.proposal_id, row.rev) for row in desk.queue().rows])
    assert main(["export", "markdown", "CLAUDE.md"]) == 0
    first = (shop / "CLAUDE.md").read_bytes()
    assert first.startswith(b"# Shop\n\n- Use pnpm, never npm\n\n<!-- curator:begin")
    assert main(["import", "markdown"]) == 0
    assert "proposals: 0" in capsys.readouterr().out
    assert main(["export", "markdown", "CLAUDE.md"]) == 0
    assert (shop / "CLAUDE.md").read_bytes() == first
