"""The demo does the main job from a transcript to the text that the next session is handed."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_demo_runs_without_a_terminal_and_leaves_nothing(tmp_path: Path) -> None:
    """Every stage prints its counts; what was accepted is injected, what was refused is not; no folder stays."""
    done = subprocess.run(
        [sys.executable, "-m", "curator", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    for stage in ("1. Capture", "2. Checkpoint", "3. Sweep", "4. Decide", "5. A session", "6. Inject", "7. Search"):
        assert stage in done.stdout
    assert "read again: 0 new rows, 0 new notes" in done.stdout
    assert "a second sweep makes 0" in done.stdout
    injected = done.stdout.partition("<curator-memory")[2].partition("</curator-memory>")[0]
    assert "It is pnpm everywhere in web/" in injected and "一律用“您”" not in injected, "taken back later"
    assert "keep that for later" not in injected
    later = done.stdout.partition("5. A session")[2].partition("6. Inject")[0]
    assert "  ~ " in later and "  x " in later and "  + " in later, "a change, a withdrawal and an addition"
    assert "between 8 and 18" in injected and "between 8 and 15" not in injected
    assert "deploy to production when tests pass" not in done.stdout, "the host's summary is not the person's word"
    assert not list(tmp_path.iterdir())
