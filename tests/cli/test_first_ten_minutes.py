"""The script of a new user's first ten minutes, run as it stands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_setup import at_terminal
from tests.conftest import REPOSITORY


@pytest.mark.slow
def test_the_first_ten_minutes(tmp_path: Path, home: Path) -> None:
    """From an empty folder to a reviewed memory that a session is handed, and out again without a trace."""
    code, _ = at_terminal("", "-C", str(tmp_path), "config", "decide-key")
    assert code == 0
    env = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "CONVERSATION": str(REPOSITORY / "curator" / "demo" / "conversation.jsonl"),
        "CURATOR_DECIDE_KEY_FILE": str(home / ".config" / "curator" / "decide.key"),
    }
    call = ["sh", str(REPOSITORY / "tests" / "first_ten_minutes.sh")]
    done = subprocess.run(
        call, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert done.stdout.endswith("all of it worked\n")
