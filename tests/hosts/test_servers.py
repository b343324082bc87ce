"""Our entry in Claude Code's tables of MCP servers: added, renewed and taken out with every other byte kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.hosts import plug, servers
from curator.hosts.clients import Scope
from curator.hosts.hookline import Program
from curator.hosts.jsonc import loads
from tests.conftest import NOON

OURS = Program("/venv/bin/python", "/venv/bin/curator")
LATER = Program("/other/bin/python", "/other/bin/curator")
KEYS = ("mcpServers",)
DEEP = ("projects", "/work/shop", "mcpServers")

TEXTS = (
    '{"numStartups": 4, "projects": {}}',
    '{\n  "numStartups": 4,\n  "mcpServers": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
    '{\r\n\t"projects": {\r\n\t\t"/work/shop": {\r\n\t\t\t"allowedTools": []\r\n\t\t}\r\n\t}\r\n}',
    '\ufeff{\n  // mine\n  "theme": "dark", /* last */\n}\n',
)


@pytest.mark.parametrize("keys", [KEYS, DEEP])
@pytest.mark.parametrize("text", TEXTS)
def test_in_twice_and_out_again(text: str, keys: tuple[str, ...]) -> None:
    """The entry is there once, everything else means what it meant, and taking it out gives the text back."""
    entry = servers.wanted(OURS)
    new = servers.install(text, keys, entry)
    assert servers.install(new, keys, entry) == new
    value: Any = loads(new)
    for key in (*keys, "curator"):
        value = value[key]
    assert value == entry
    out = servers.uninstall(new, keys)
    assert out == text if keys == KEYS else loads(servers.install(out, KEYS, entry))["mcpServers"]
    assert servers.uninstall(text, keys) == text


def test_a_newer_program_takes_the_entry_over_and_keeps_what_a_person_added() -> None:
    """Command and arguments are brought up to date; an environment that someone gave it stays."""
    mine = {"command": "/venv/bin/python", "env": {"A": "1"}, "args": ["-E", "/venv/bin/curator", "mcp"]}
    new = servers.install(json.dumps({"mcpServers": {"curator": mine}}), KEYS, servers.wanted(LATER))
    assert json.loads(new)["mcpServers"]["curator"] == {
        "command": "/other/bin/python",
        "env": {"A": "1"},
        "args": ["-E", "/other/bin/curator", "mcp"],
    }


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "curator", "args": ["mcp"]}, True),
        ({"command": "/x/python3.12", "args": ["-E", "/x/curator", "mcp"]}, True),
        ({"command": "C:\\x\\curator.exe", "args": ["-C", "d", "mcp"]}, True),
        ({"command": "echo", "args": ["curator", "mcp"]}, False),
        ({"command": "curator", "args": ["hook"]}, False),
        ({"command": "my-curator", "args": ["mcp"]}, False),
        ({"url": "http://127.0.0.1:1/mcp"}, False),
        ("curator mcp", False),
    ],
)
def test_ours_is_what_runs_our_server(entry: object, ours: bool) -> None:
    """It must run curator's server, not mention it."""
    assert bool(servers.words_of(entry)) is ours


def test_another_s_server_of_our_name_stays(tmp_path: Path) -> None:
    """A different server called curator is neither overwritten nor taken out."""
    path = tmp_path / ".mcp.json"
    path.write_text('{"mcpServers": {"curator": {"command": "art-gallery"}}}')
    with pytest.raises(plug.NotAdded, match="another server is called"):
        servers.plan_install(servers.Table(path), OURS)
    assert all(change.empty for change in servers.plan_uninstall(tmp_path, tmp_path))


@pytest.mark.parametrize("text", ['{"mcpServers": []}', "[]", '{"mcpServers": {', '{"mcpServers": {"curator": 1}}'])
def test_what_cannot_be_edited_is_left_alone(text: str, tmp_path: Path) -> None:
    """A file of another shape is refused with the line, and keeps its bytes."""
    path = tmp_path / ".mcp.json"
    path.write_text(text)
    with pytest.raises(plug.NotAdded, match="nothing was changed"):
        servers.plan_install(servers.Table(path), OURS)
    assert path.read_text() == text


def test_a_file_that_was_not_there_goes_again(tmp_path: Path) -> None:
    """Made by the first and removed by the second, with no copy left beside it."""
    where = servers.Table(tmp_path / ".mcp.json")
    plug.apply(servers.plan_install(where, OURS), NOON)
    assert [path.name for path in tmp_path.iterdir()] == [".mcp.json"]
    for change in servers.plan_uninstall(tmp_path, tmp_path):
        plug.apply(change, NOON)
    assert list(tmp_path.iterdir()) == []


def test_where_the_tables_stand(tmp_path: Path) -> None:
    """The person's file, the project's file, the person's for one project; the client's variable moves the first."""
    top, home = tmp_path / "shop", tmp_path / "home"
    assert servers.table(Scope.USER, top, home, {}) == servers.Table(home / ".claude.json")
    moved = servers.table(Scope.USER, top, home, {"CLAUDE_CONFIG_DIR": "/conf"})
    assert moved == servers.Table(Path("/conf/.claude.json"))
    assert servers.table(Scope.PROJECT, top, home, {}) == servers.Table(top / ".mcp.json")
    assert servers.table(Scope.LOCAL, top, home, {}).keys == ("projects", str(top), "mcpServers")


@pytest.mark.parametrize("scope", list(Scope))
def test_init_adds_it_in_every_scope_and_uninstall_takes_it_out(
    scope: Scope, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After init the entry is registered once; a second init changes nothing; uninstall gives the file back."""
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    own = home / ".claude.json"
    own.write_text('{"numStartups": 3, "oauthAccount": {"x": 1}}')
    own.chmod(0o600)
    run = ["-C", str(project), "init", "--client", "claude", "--scope", scope.value]
    assert main(run) == 0
    assert f"{servers.table(scope, project, home).path} ({servers.WHAT})" in capsys.readouterr().err
    assert len(list(servers.registered(project, home))) == 1
    assert main(run) == 0
    assert "nothing was changed" in capsys.readouterr().out
    assert own.stat().st_mode & 0o777 == 0o600
    assert main(["-C", str(project), "uninstall"]) == 0
    assert list(servers.registered(project, home)) == []
    assert json.loads(own.read_text())["oauthAccount"] == {"x": 1}
    assert not (project / ".mcp.json").exists()
    if scope is not Scope.LOCAL:
        assert own.read_text() == '{"numStartups": 3, "oauthAccount": {"x": 1}}'


def test_a_plugin_that_brings_the_server_is_enough(tmp_path: Path, home: Path) -> None:
    """Where an enabled plugin starts the server, init adds none."""
    project, root = tmp_path / "shop", home / ".claude" / "plugins" / "cache" / "market" / "memory"
    (project / ".git").mkdir(parents=True)
    (root / "1.0").mkdir(parents=True)
    (root / "1.0" / ".mcp.json").write_text('{"mcpServers": {"curator": {"command": "curator", "args": ["mcp"]}}}')
    (home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"memory@market": true}}')
    assert main(["-C", str(project), "init", "--client", "claude"]) == 0
    assert [one.plugin for one in servers.registered(project, home)] == [True]
