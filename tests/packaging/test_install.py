"""Installed as people install it: pipx and uv, from the folder; what `init` stored survives the tool's own upgrade.

Skipped where the installer is not there. Needs a package index, as `make test` itself does.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

INSTALLERS = {
    "pipx": ("install", "reinstall", "uninstall"),
    "uv": ("tool install", "tool upgrade --reinstall", "tool uninstall"),
}
ENVIRONMENT = dict(os.environ)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("tool", INSTALLERS)
def test_installed_upgraded_and_removed(tool: str, tmp_path: Path) -> None:
    """The program works from its own environment; its stored hook outlives an upgrade and is silent after removal."""
    program = shutil.which(tool, path=ENVIRONMENT.get("PATH"))
    if program is None:
        pytest.skip(f"{tool} is not installed")
    folders = {
        "PIPX_HOME": "pipx",
        "PIPX_BIN_DIR": "bin",
        "PIPX_MAN_DIR": "man",
        "UV_TOOL_DIR": "uv",
        "UV_TOOL_BIN_DIR": "bin",
    }
    env = ENVIRONMENT | {name: str(tmp_path / folder) for name, folder in folders.items()}
    install, upgrade, uninstall = ([program, *words.split()] for words in INSTALLERS[tool])

    def run(call: list[str], **more: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(call, env=env | more, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done

    run([*install, str(REPOSITORY)])
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    bare = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": ""}
    run([str(tmp_path / "bin" / "curator"), "-C", str(project), "init", "--client", "claude"], **bare)
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    command = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]

    def hook(session: str) -> str:
        payload = {"session_id": session, "cwd": str(project), "hook_event_name": "SessionStart", "source": "startup"}
        call = ["sh", "-c", command]
        done = subprocess.run(call, env=bare, input=json.dumps(payload), capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    assert "<curator-memory" in hook("first")
    run([*upgrade, "curator-memory"])
    assert "<curator-memory" in hook("second")
    run([*uninstall, "curator-memory"])
    assert hook("third") == ""
