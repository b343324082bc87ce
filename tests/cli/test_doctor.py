"""`doctor`: what is well is said to be well, and each fault is found, with the command that mends it."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.cli.checks import hooks
from curator.cli.checks.finding import Level
from curator.place import find
from tests.cli.test_setup import plugin, project, tree

__all__ = ["project"]


@pytest.fixture
def settings(project: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The settings file of a person who has run `init` in the project."""
    assert main(["-C", str(project), "init"]) == 0
    (home / ".claude.json").unlink()  # the server's own tests are below; each of its starts costs a second
    capsys.readouterr()
    return home / ".claude" / "settings.json"


def diagnosed(project: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, list[tuple[str, str, str]]]:
    """Doctor's findings by subject: level, text, mend. Its exit code agrees with them."""
    code = main(["-C", str(project), "doctor", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    assert document["healthy"] is (code == 0)
    found: dict[str, list[tuple[str, str, str]]] = {}
    for finding in document["findings"]:
        assert finding["mend"] or finding["level"] != "broken"
        found.setdefault(finding["subject"], []).append((finding["level"], finding["text"], finding["mend"]))
    return found


def changed(path: Path, change: Any) -> None:
    """Edit a settings file as a person would."""
    value = json.loads(path.read_text())
    change(value["hooks"])
    path.write_text(json.dumps(value, indent=2))


def stub(settings: Path, script: str) -> None:
    """Let the session-start hook run another `curator`, in place of the real one."""
    program = settings.parent / "curator"
    program.write_text(script)

    def swap(hooks: Any) -> None:
        hooks["SessionStart"][0]["hooks"][0]["command"] = f"{sys.executable} {program} hook session-start"

    changed(settings, swap)


def test_a_fresh_project_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing set up: one plain sentence, exit 0, nothing created."""
    assert main(["-C", str(tmp_path), "doctor"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_doctor_runs_the_stored_strings_and_leaves_no_trace(
    project: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After init the real hooks are run and judged well; neither the store nor the settings change by it."""
    before = tree(project), tree(settings.parent)
    found = diagnosed(project, capsys)
    assert found["hook session-start"][0][0] == "ok"
    assert found["hook prompt"][0][0] == "ok"
    assert found["permissions"] == [("ok", "only you can read the store", "")]
    assert found["store"][0][0] == found["snapshot"][0][0] == "ok"
    assert (tree(project), tree(settings.parent)) == before


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('Loading model...')\nprint('{}')", "stdout is not one JSON document"),
        ('print(\'{"additionalContext": "x"}\')', "the envelope is not claude's"),
        ("import sys; sys.exit('no module')", "exit code 1; no module"),
        (
            "import json; print(json.dumps({'hookSpecificOutput': {'hookEventName': 'SessionStart',"
            " 'additionalContext': 'x' * 9501}}))",
            "9501 bytes are more than 9500",
        ),
    ],
)
def test_a_hook_that_prints_the_wrong_thing_is_found(
    script: str, said: str, project: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A banner, another client's envelope, a failure, too much: each is broken, with the command to see it again."""
    stub(settings, script)
    level, text, mend = diagnosed(project, capsys)["hook session-start"][0]
    assert level == "broken"
    assert said in text
    assert mend.startswith("sh -c ")


def test_a_hook_that_hangs_is_found(project: Path, settings: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that never answers is stopped and named."""
    monkeypatch.setattr(hooks, "_SECONDS", 0.2)
    stub(settings, "import time; time.sleep(30)")
    found = [one for one in hooks.check(find(project), home, 9_500) if one.subject == "hook session-start"]
    assert [(one.level, "no answer within" in one.text) for one in found] == [(Level.BROKEN, True)]


def test_case_45_both_places_of_a_double_registration_are_named(
    project: Path, settings: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plugin and settings both register the hook: doctor lists both files."""
    kept = json.loads(settings.read_text())
    manifest = plugin(home)
    settings.write_text(json.dumps(json.loads(settings.read_text()) | kept))
    texts = [text for level, text, _ in diagnosed(project, capsys)["hooks"] if level == "broken"]
    assert [(str(settings) in text, str(manifest) in text, "SessionStart" in text) for text in texts] == [(True,) * 3]


def test_missing_events_and_a_program_that_is_gone(
    project: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An event taken out, and a command whose program was removed, are found; `init` mends."""

    def damage(hooks: Any) -> None:
        del hooks["Stop"]
        hooks["SessionEnd"][0]["hooks"][0]["command"] = "/gone/curator hook session-end --client claude"

    changed(settings, damage)
    found = [finding for finding in diagnosed(project, capsys)["hooks"] if finding[0] == "broken"]
    assert ("broken", "no hook for Stop", "curator init") in found
    assert any("/gone/curator" in text for _, text, _ in found)


def test_broken_settings_are_named_with_their_line(
    project: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A settings file that no client can read is said, with its line."""
    settings.write_text("{\n nonsense\n}")
    level, text, _ = diagnosed(project, capsys)["settings"][0]
    assert (level, f"{settings}, line 2" in text) == ("broken", True)


def test_a_store_that_others_can_read_or_that_is_damaged(
    project: Path, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Open permissions, a database of another version and one that is no database are each found."""
    folder, database = project / ".curator", project / ".curator" / "curator.db"
    folder.chmod(0o755)
    found = diagnosed(project, capsys)
    assert found["permissions"] == [("broken", f"others can read {folder}", f"chmod -R go-rwx {folder}")]
    folder.chmod(0o700)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert "schema 9999" in diagnosed(project, capsys)["store"][0][1]
    for side in folder.glob("curator.db*"):
        side.unlink()
    database.write_bytes(b"not a database" * 400)
    database.chmod(0o600)
    assert diagnosed(project, capsys)["store"][0][0] == "broken"


def test_bd_prime_and_old_copies_are_noted(project: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A `bd prime` hook and copies of settings that nobody needs are notes, not faults."""

    def add(hooks: Any) -> None:
        hooks["SessionStart"].append({"hooks": [{"type": "command", "command": "/usr/bin/bd prime --hook-json"}]})

    changed(settings, add)
    (settings.parent / "settings.json.curator-20310101T000000Z-000000000000.bak").write_text("{}")
    found = diagnosed(project, capsys)
    assert found["bd"][0][0] == "note"
    assert found["leftovers"][0][2].startswith("rm ")


def test_config_shows_values_and_where_they_came_from(
    project: Path, settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Defaults, the project's file and the environment are merged; `--origin` names the source of each."""
    path = project / ".curator" / "config.toml"
    path.write_text(path.read_text() + 'sweep_limit = 7\ntheme = "a \\"b\\""\n')
    monkeypatch.setenv("CURATOR_MEMORY_TOKENS", "900")
    assert main(["-C", str(project), "config", "--origin"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"sweep_limit = 7  # {path}" in lines
    assert "memory_tokens = 900  # CURATOR_MEMORY_TOKENS" in lines
    assert 'theme = "a \\"b\\""  # ' + str(path) in lines
    assert "pin_share = 0.25  # default" in lines
    assert main(["-C", str(project), "config", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["sweep_limit"] == 7


def test_a_wrong_setting_is_one_line(project: Path, settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is no setting is refused with file and name."""
    path = project / ".curator" / "config.toml"
    path.write_text(path.read_text() + "sweeplimit = 7\n")
    assert main(["-C", str(project), "config"]) == 1
    assert capsys.readouterr().err == f"curator: {path}: there is no setting 'sweeplimit'\n"


def entry(home: Path, *words: str) -> None:
    """Register an MCP server of that command line under our name."""
    server = {"command": words[0], "args": list(words[1:])}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"curator": server}}))


@pytest.mark.slow
def test_the_mcp_server_is_started_and_asked_for_its_tools(
    project: Path, settings: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What init registered answers; `doctor` says with how many tools."""
    assert diagnosed(project, capsys)["mcp"] == [("note", "no agent starts the MCP server here", "curator init")]
    assert main(["-C", str(project), "init"]) == 0
    capsys.readouterr()
    ((level, text, _),) = diagnosed(project, capsys)["mcp"]
    assert (level, text.partition(" in ")[0]) == ("ok", "answers with 9 tools")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("print('Loading model...')", "gives no tools"),
        ("import sys; sys.exit('no module named mcp')", "(no module named mcp)"),
    ],
)
def test_an_mcp_server_that_does_not_answer_is_found(
    script: str, said: str, project: Path, settings: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A banner on stdout and a server that ends at once are broken, with the command to see it again."""
    program = settings.parent / "curator"
    program.write_text(script)
    entry(home, sys.executable, str(program), "mcp")
    ((level, text, mend),) = diagnosed(project, capsys)["mcp"]
    assert (level, said in text, mend.endswith("mcp </dev/null")) == ("broken", True, True)


def test_an_mcp_server_that_is_gone_or_there_twice_is_found(
    project: Path, settings: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that was removed, and a second entry in the project's own file."""
    entry(home, "/gone/bin/curator", "mcp")
    (project / ".mcp.json").write_text((home / ".claude.json").read_text())
    again = "curator uninstall && curator init"
    twice, gone = diagnosed(project, capsys)["mcp"]
    assert twice == (
        "broken",
        f"the server is registered twice: {home / '.claude.json'} and {project / '.mcp.json'}",
        again,
    )
    assert gone == ("broken", f"{home / '.claude.json'} runs /gone/bin/curator, which is not there", again)
