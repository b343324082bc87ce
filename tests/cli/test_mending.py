"""What doctor says mends a finding does mend it: each is broken on purpose, and the named command is run."""

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.store import migrate
from tests.cli import test_doctor
from tests.cli.test_doctor import changed
from tests.cli.test_setup import plugin, project
from tests.conftest import Clock
from tests.desk.conftest import key
from tests.identity.helpers import handed, learned

__all__ = ["key", "project"]

pytestmark = pytest.mark.usefixtures("key")

Said = pytest.CaptureFixture[str]


@pytest.fixture
def shop(project: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A project with hooks, one memory, and `curator` on PATH; doctor finds nothing broken."""
    monkeypatch.chdir(project)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "curator"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m curator "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    assert main(["init"]) == 0
    learned(project, "Sign every tag.")
    assert main(["ingest"]) == 0
    assert "broken" not in levels(diagnosed(project, capsys))
    return project


def diagnosed(shop: Path, capsys: Said) -> dict[str, list[tuple[str, str, str]]]:
    """Doctor's findings, whatever was printed before."""
    capsys.readouterr()
    return test_doctor.diagnosed(shop, capsys)


def levels(found: dict[str, list[tuple[str, str, str]]]) -> list[str]:
    """The level of each finding."""
    return [level for each in found.values() for level, _, _ in each]


def mended(shop: Path, subject: str, capsys: Said) -> str:
    """Run what doctor names for the worst finding of a subject, as a person would; returns the finding's text."""
    level, text, mend = diagnosed(shop, capsys)[subject][0]
    assert level in {"broken", "note"} and mend, (level, text)
    done = subprocess.run(["sh", "-c", mend], cwd=shop, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (mend, done.stderr)
    after = diagnosed(shop, capsys)
    assert all(text != said for _, said, _ in after.get(subject, [])), (text, mend)
    assert "broken" not in levels(after)
    return text


def wreck(shop: Path) -> None:
    """Write over the middle of the database."""
    for side in shop.glob(".curator/curator.db-*"):
        side.unlink()
    path = shop / ".curator/curator.db"
    data = bytearray(path.read_bytes())
    data[100:9_000] = b"x" * 8_900
    path.write_bytes(data)


def backed_up(shop: Path) -> None:
    """A damaged database with a backup."""
    assert main(["db", "backup"]) == 0
    wreck(shop)


def deleted(shop: Path) -> None:
    """A database that is gone, with a backup."""
    assert main(["db", "backup"]) == 0
    for path in shop.glob(".curator/curator.db*"):
        path.unlink()


def exported(shop: Path) -> None:
    """A damaged database without a backup, with the memory that is kept for git."""
    assert main(["export", "entries", str(shop / ".curator/memory.jsonl")]) == 0
    wreck(shop)


def older(shop: Path) -> None:
    """A database that an older program left."""
    migrate.downgrade(shop / ".curator", "0001", Clock())


def opened_to_others(shop: Path) -> None:
    """Rights for everybody."""
    for path in (shop / ".curator", shop / ".curator/curator.db"):
        path.chmod(0o755)


def without_snapshot(shop: Path) -> None:
    """What hooks read is gone."""
    (shop / ".curator/snapshot.json").unlink()


def with_a_half_snapshot(shop: Path) -> None:
    """What hooks read is cut off."""
    path = shop / ".curator/snapshot.json"
    path.write_bytes(path.read_bytes()[:100])


def with_a_draft(shop: Path) -> None:
    """A write was interrupted a while ago."""
    draft = shop / ".curator/.snapshot.json.4711"
    draft.write_text("{")
    os.utime(draft, (time.time() - 300,) * 2)


def with_spool(shop: Path) -> None:
    """A session left something behind."""
    assert handed(shop)


def paused(shop: Path) -> None:
    """Hooks were switched off."""
    assert main(["off"]) == 0


@pytest.mark.parametrize(
    ("damage", "subject"),
    [
        (backed_up, "store"),
        (deleted, "store"),
        (exported, "store"),
        (older, "store"),
        (opened_to_others, "permissions"),
        (without_snapshot, "snapshot"),
        (with_a_half_snapshot, "snapshot"),
        (with_a_draft, "leftovers"),
        (with_spool, "spool"),
        (paused, "hooks"),
    ],
)
@pytest.mark.slow
def test_the_named_command_mends_the_store(
    damage: Callable[[Path], None], subject: str, shop: Path, capsys: Said
) -> None:
    """Afterwards nothing is broken and the memory is handed over as before."""
    damage(shop)
    mended(shop, subject, capsys)
    assert "Sign every tag." in handed(shop)


@pytest.mark.slow
def test_the_named_command_mends_the_hooks(shop: Path, home: Path, capsys: Said) -> None:
    """An event taken out, a command that points nowhere, a registration in two settings files, one beside a plugin."""
    settings = home / ".claude/settings.json"
    changed(settings, lambda hooks: hooks.pop("Stop"))
    assert "no hook for Stop" in mended(shop, "hooks", capsys)
    changed(settings, lambda hooks: hooks["Stop"][0]["hooks"][0].update(command="/gone/curator hook stop"))
    assert "/gone/curator" in mended(shop, "hooks", capsys)
    (shop / ".claude").mkdir()
    (shop / ".claude/settings.json").write_bytes(settings.read_bytes())
    assert "registered twice" in mended(shop, "hooks", capsys)
    kept = json.loads(settings.read_text())
    plugin(home)
    settings.write_text(json.dumps(json.loads(settings.read_text()) | kept))
    assert "registered twice" in mended(shop, "hooks", capsys)


def test_a_newer_store_is_not_sent_back(shop: Path, capsys: Said) -> None:
    """A newer program's store is mended by a newer program, never by an older copy of it."""
    assert main(["db", "backup"]) == 0
    with sqlite3.connect(shop / ".curator/curator.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'ffff9999'")
    connection.close()
    level, text, mend = diagnosed(shop, capsys)["store"][0]
    assert (level, mend) == ("broken", "pipx upgrade curator-memory") and "upgrade curator" in text


def test_without_any_copy_the_command_asks_for_one(shop: Path, capsys: Said) -> None:
    """Where no backup is known the command has a place for the file; a file that is none changes nothing."""
    for path in shop.glob(".curator/backups/*"):
        path.unlink()
    wreck(shop)
    assert diagnosed(shop, capsys)["store"][0][2] == "curator db restore FILE"
    before = (shop / ".curator/curator.db").read_bytes()
    (shop / "notes.txt").write_text("not a store\n")
    assert main(["db", "restore", "notes.txt"]) == 1
    assert "neither a backup nor an export" in capsys.readouterr().err
    assert (shop / ".curator/curator.db").read_bytes() == before
