"""`init` and `uninstall` as a person runs them: what is touched, what is said, what comes back."""

import contextlib
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.brief.snapshot_file import read
from curator.hosts.hookline import words_of
from curator.hosts.skills import stamped

CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A repository without a store; the person uses Claude Code."""
    (home / ".claude").mkdir()
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return tmp_path / "project"


@pytest.fixture
def settings(home: Path) -> Path:
    """The person's settings file, with other tools' hooks in it."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    shutil.copyfile(CASES / "81" / "settings.json", path)
    return path


def ours(path: Path) -> list[tuple[str, str]]:
    """Client event and our event of each of our entries in a file."""
    hooks: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8")).get("hooks", {})
    commands = [
        (event, hook.get("command", "")) for event, groups in hooks.items() for g in groups for hook in g["hooks"]
    ]
    return [(event, words_of(command)[0]) for event, command in commands if words_of(command)]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes, without SQLite's own side files."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm"))]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def plugin(home: Path, *, enabled: bool = True) -> Path:
    """Install a plugin whose manifest registers our hook; returns its hooks file."""
    root = home / ".claude" / "plugins" / "cache" / "market" / "memory" / "1.0"
    (root / "hooks").mkdir(parents=True)
    shutil.copyfile(CASES / "45" / "plugin_hooks.json", root / "hooks" / "hooks.json")
    record = {"version": 2, "plugins": {"memory@market": [{"scope": "user", "installPath": str(root)}]}}
    (home / ".claude" / "plugins" / "installed_plugins.json").write_text(json.dumps(record))
    settings = home / ".claude" / "settings.json"
    settings.write_text(json.dumps({"enabledPlugins": {"memory@market": enabled}}))
    return root / "hooks" / "hooks.json"


def test_init_again_and_uninstall(project: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The store and one entry for each event appear; again changes no byte; uninstall restores the settings."""
    before = settings.read_bytes()
    assert main(["-C", str(project), "init"]) == 0
    printed = capsys.readouterr()
    assert f"created {project / '.curator'}" in printed.out
    assert f"changed {settings}" in printed.out
    assert "[Y/n] yes (no terminal: the default)" in printed.err
    assert len(ours(settings)) == len(set(ours(settings))) == 9
    assert {path.name for path in (project / ".curator").iterdir()} >= {"config.toml", ".gitignore", "curator.db"}
    was = tree(project), tree(settings.parent)
    assert main(["-C", str(project), "init"]) == 0
    assert (tree(project), tree(settings.parent)) == was
    assert "nothing was changed" in capsys.readouterr().out
    assert main(["-C", str(project), "uninstall"]) == 0
    assert settings.read_bytes() == before
    assert tree(settings.parent) == {"settings.json": before}
    assert f"kept {project / '.curator'}" in capsys.readouterr().out
    assert main(["-C", str(project), "uninstall"]) == 0
    assert "no hooks of curator are installed" in capsys.readouterr().out
    assert settings.read_bytes() == before


def test_case_81_a_dry_run_touches_nothing(
    project: Path, settings: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--dry-run` prints what would be made and the exact difference, and changes nothing anywhere."""
    was = tree(project), tree(home)
    assert main(["-C", str(project), "init", "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert f"init would create {project / '.curator'}" in printed
    assert "+++ " in printed
    assert "hook session-start --client claude" in printed
    assert (tree(project), tree(home)) == was


def test_case_82_a_broken_file_is_left_alone(project: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not JSON: exit 1, the line on stderr, what to add on stdout, and not even a store is made."""
    shutil.copyfile(CASES / "82" / "broken.json", settings)
    was = tree(settings.parent)
    assert main(["-C", str(project), "init"]) == 1
    printed = capsys.readouterr()
    assert f"curator: {settings}, line 1: " in printed.err
    assert len(json.loads(printed.out)["hooks"]) == 9
    assert tree(settings.parent) == was
    assert not (project / ".curator").exists()


@pytest.mark.parametrize("scope", ["project", "local"])
def test_case_83_project_level(scope: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hooks can stand in the project's own settings; uninstall finds them there; a file that was there stays."""
    path = project / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")
    path.parent.mkdir()
    shutil.copyfile(CASES / "83" / "only_ours.json", path)
    assert main(["-C", str(project), "init", "--scope", scope]) == 0
    assert len(ours(path)) == 9
    assert main(["-C", str(project), "uninstall"]) == 0
    assert path.read_bytes() == (CASES / "83" / "only_ours.json").read_bytes()


def test_case_45_a_plugin_that_registers_the_hook(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where an enabled plugin brings the hook already, init says so and adds nothing; uninstall names the plugin."""
    manifest = plugin(home)
    was = tree(home)
    assert main(["-C", str(project), "init"]) == 0
    assert f"the hook is already there, in {manifest}" in capsys.readouterr().err
    assert tree(home) == was
    assert main(["-C", str(project), "uninstall"]) == 0
    assert str(manifest) in capsys.readouterr().err
    assert tree(home) == was


def test_a_plugin_that_is_off_does_not_count(project: Path, home: Path) -> None:
    """A plugin that is installed but not enabled runs nothing, so the hooks are added."""
    plugin(home, enabled=False)
    assert main(["-C", str(project), "init"]) == 0
    assert len(ours(home / ".claude" / "settings.json")) == 9


def test_private_is_the_printed_default_and_can_be_changed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Git sees nothing of `.curator/` unless asked to; with `--shared` it sees the settings, never the database."""
    subprocess.run(["git", "init", "-q", str(project)], check=True)

    def seen() -> set[str]:
        call = ["git", "-C", str(project), "ls-files", "--others", "--exclude-standard", ".curator"]
        return set(subprocess.run(call, capture_output=True, text=True, check=True).stdout.split())

    assert main(["-C", str(project), "init"]) == 0
    assert "[y/N] no (no terminal: the default)" in capsys.readouterr().err
    assert seen() == set()
    assert main(["-C", str(project), "init", "--shared"]) == 0
    assert seen() == {".curator/.gitignore", ".curator/config.toml"}
    assert main(["-C", str(project), "init", "--private"]) == 0
    assert seen() == set()


def test_no_agent_found_makes_the_store_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a client the store is made in the working directory, and the sentence says how to name one."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["-C", str(tmp_path), "init"]) == 0
    assert "no agent found" in capsys.readouterr().err
    assert (tmp_path / ".curator" / "curator.db").exists()


@pytest.mark.parametrize(("name", "code"), [("codex", 1), ("notepad", 2), ("claude,notepad", 2)])
def test_a_client_that_cannot_be_plugged_in(
    name: str, code: int, project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A known client without support yet is refused (1), an unknown one is wrong usage (2); nothing is touched."""
    was = tree(project), tree(home)
    assert main(["-C", str(project), "init", "--client", name]) == code
    assert name.rpartition(",")[2] in capsys.readouterr().err
    assert (tree(project), tree(home)) == was


def test_purge_needs_a_person(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal or a key nobody can say yes to losing every memory: refused, the store stays."""
    main(["-C", str(project), "init"])
    assert main(["-C", str(project), "uninstall", "--purge"]) == 1
    assert "only a person decides" in capsys.readouterr().err
    assert (project / ".curator" / "curator.db").exists()


def at_terminal(answers: str, *words: str) -> tuple[int, str]:
    """Run a command on a terminal of its own, as a person; returns exit code and all that stood on the screen."""
    screen, keyboard = pty.openpty()
    call = [sys.executable, "-m", "curator", *words]
    process = subprocess.Popen(call, stdin=keyboard, stdout=keyboard, stderr=keyboard, start_new_session=True)
    os.close(keyboard)
    os.write(screen, answers.encode())
    text = b""
    with contextlib.suppress(OSError):  # the terminal is gone with the process
        while part := os.read(screen, 4096):
            text += part
    os.close(screen)
    return process.wait(), text.decode()


def test_a_person_answers_makes_a_key_and_purges(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal: `n` changes nothing, a key is made, private, `y` purges; in a script the key does."""
    code, text = at_terminal("n\n", "-C", str(project), "init")
    assert (code, "Go on? [Y/n]" in text, (project / ".curator").exists()) == (1, True, False)
    code, text = at_terminal("", "-C", str(project), "config", "decide-key")
    key = home / ".config" / "curator" / "decide.key"
    assert (code, str(key) in text, key.stat().st_mode & 0o777) == (0, True, 0o600)
    assert main(["-C", str(project), "init"]) == 0
    code, text = at_terminal("y\n", "-C", str(project), "uninstall", "--purge")
    assert (code, "for good? [y/N]" in text, (project / ".curator").exists()) == (0, True, False)
    assert main(["-C", str(project), "init"]) == 0
    monkeypatch.setenv("CURATOR_DECIDE_KEY_FILE", str(key))
    assert main(["-C", str(project), "uninstall", "--purge"]) == 0
    assert not (project / ".curator").exists()


def test_a_key_is_not_made_without_a_terminal(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script cannot make itself a key."""
    assert main(["-C", str(project), "config", "decide-key"]) == 1
    assert "in a terminal" in capsys.readouterr().err
    assert not (home / ".config").exists()


def test_another_curator_on_path_is_told_apart(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program of the same name that comes first on PATH is named, and what it is."""
    other = tmp_path / "bin" / "curator"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\nexit 9\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{other.parent}:/usr/bin:/bin")
    assert main(["-C", str(project), "init", "--dry-run"]) == 0
    assert f"`curator` on your PATH is {other}, a different program of that name" in capsys.readouterr().err
    other.write_text("#!/usr/bin/python3\nfrom curator.__main__ import main\n")
    assert main(["-C", str(project), "init", "--dry-run"]) == 0
    assert "another installation of it" in capsys.readouterr().err


def test_past_sessions_are_offered(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Count and size of this project's sessions are shown, with the command that reads them."""
    folder = home / ".claude" / "projects" / str(project).replace("/", "-").replace("_", "-")
    folder.mkdir(parents=True)
    (folder / "one.jsonl").write_text("{}\n" * 700_000)
    assert main(["-C", str(project), "init"]) == 0
    printed = capsys.readouterr().err
    assert "Past sessions of this project: 1 file, 2.1 MB, about 1 s to read." in printed
    assert "`curator harvest` reads them" in printed


def test_skills_come_and_go_and_a_persons_own_stay(
    project: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Skills and the command are put into the client's folder; an edited or foreign one stays."""
    own, edited = (home / ".claude" / "skills" / name / "SKILL.md" for name in ("orient", "remember"))
    own.parent.mkdir(parents=True)
    own.write_text("mine\n")
    assert main(["-C", str(project), "init"]) == 0
    assert f"{own} is your own" in capsys.readouterr().err
    assert own.read_text() == "mine\n"
    names = {path.parent.name for path in (home / ".claude" / "skills").glob("*/SKILL.md")}
    assert names == {"checkpoint", "land", "orient", "remember"}
    assert (home / ".claude" / "commands" / "checkpoint.md").exists()
    assert set(read(str(project / ".curator")).snapshot.skills) == names
    edited.write_text(edited.read_text() + "\nAlso tell me.\n")
    older = home / ".claude" / "skills" / "land" / "SKILL.md"
    older.write_text(stamped("An older text.\n"))
    assert main(["-C", str(project), "init"]) == 0
    assert "An older text." not in older.read_text()
    assert main(["-C", str(project), "uninstall"]) == 0
    left = {str(path.relative_to(home / ".claude")) for path in (home / ".claude").rglob("*") if path.is_file()}
    assert left == {"skills/orient/SKILL.md", "skills/remember/SKILL.md"}
    assert not (home / ".claude" / "commands").exists()
