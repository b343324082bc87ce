"""Installed in an odd place, for a person whose folders have odd names: the stored strings work as they stand."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from curator.hosts.hookline import words_of
from tests.conftest import REPOSITORY

SHELLS = [shell for shell in ("sh", "bash", "zsh") if shutil.which(shell)]
STARTER = "import sys\nfrom curator.__main__ import main\nsys.exit(main())\n"


@pytest.mark.slow
def test_case_84_every_stored_string_runs_and_doctor_says_so(tmp_path: Path) -> None:
    """Program, home and project have blanks, quotes, brackets, `$` and other letters in their paths.

    Each stored command runs as it is in sh, bash and zsh, from another folder, without PATH; so does doctor.
    """
    place = tmp_path / "case 84 (a'b)" / "é$HOME"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    packages = next(place.glob("lib/python*/site-packages"))
    (packages / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{REPOSITORY}\n")
    program = place / "bin" / "curator"
    program.write_text(f"#!/bin/false\n{STARTER}")
    home, project = tmp_path / "Ann's höme", tmp_path / "my (first) próject"
    (home / ".claude").mkdir(parents=True)
    project.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def curator(*words: str) -> str:
        call = [str(place / "bin" / "python"), str(program), "-C", str(project), *words]
        return subprocess.run(call, env=env, capture_output=True, text=True, check=True).stdout

    curator("init")
    curator("remember", "lesson: Build with make.")
    hooks = json.loads((home / ".claude" / "settings.json").read_text(encoding="utf-8"))["hooks"]
    commands = [hook["command"] for groups in hooks.values() for group in groups for hook in group["hooks"]]
    assert len(commands) == 9
    for command in commands:
        for shell in SHELLS:
            payload = {"session_id": f"{shell}-{words_of(command)[0]}", "cwd": str(project), "source": "startup"}
            done = subprocess.run(
                [str(shutil.which(shell)), "-c", command],
                env={"HOME": str(home), "PATH": "/nowhere"},
                cwd=tmp_path,
                input=json.dumps(payload),
                capture_output=True,
                text=True,
                check=False,
            )
            late = "curator: the checkpoint before this compaction was not ready in time; it goes on behind\n"
            assert (done.returncode, done.stderr.replace(late, "")) == (0, ""), (shell, command)
    said = json.loads(curator("doctor", "--json"))
    assert [one["subject"] for one in said["findings"] if one["level"] == "broken"] == []
    assert {one["subject"] for one in said["findings"]} >= {"hook session-start", "hook prompt"}
