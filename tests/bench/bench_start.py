"""What starting costs, against a bare interpreter in the same run: help, a hook, `curator` alone. Ratios only."""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROUNDS = 11


def took(*call: str, cwd: Path) -> float:
    """Median seconds of a whole process."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(call, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=dict(os.environ))
        times.append(time.perf_counter() - began)
    return median(times)


def test_start(tmp_path: Path) -> None:
    """`--help` at most 25 times `python -c pass` (typer alone is about 14), a hook without a store at most 4 times."""
    script = Path(sys.executable).parent / "curator"
    bare = took(sys.executable, "-c", "pass", cwd=tmp_path)
    shown = {
        "typer": took(sys.executable, "-c", "import typer", cwd=tmp_path) / bare,
        "--help": took(str(script), "--help", cwd=tmp_path) / bare,
        "hook": took(sys.executable, "-E", str(script), "hook", "stop", "--client", "claude", cwd=tmp_path) / bare,
        "curator": took(str(script), cwd=tmp_path) / bare,
    }
    for name, ratio in shown.items():
        print(f"{name}: {ratio:.1f} times python -c pass ({bare * 1000:.0f} ms)")
    assert shown["--help"] <= 25
    assert shown["hook"] <= 4
