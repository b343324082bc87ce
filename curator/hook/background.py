"""Starting `curator ingest` behind the hook: detached, silent, marked so that it can start no hook."""

import os
import subprocess
import sys

from curator.guard import marked
from curator.place import Spot


def ingest(spot: Spot, *words: str, wait: float = 0.0) -> bool:
    """Start it where the session runs; with `wait` seconds to spare, wait for it. Did it end with success?"""
    root = spot.top if spot.worktree else spot.root
    try:
        child = subprocess.Popen(
            [*_program(), "-C", root, "ingest", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=marked(),
            cwd=root,
            start_new_session=True,
        )
        return child.wait(wait) == 0 if wait else False
    except subprocess.TimeoutExpired:
        return False
    except OSError as error:
        sys.stderr.write(f"curator ingest could not be started: {error.strerror}\n")
        return False


def _program() -> list[str]:
    """The interpreter and the script that run now."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script) in {"curator", "curator.exe"} and os.path.isfile(script):
        return [sys.executable, "-E", script]
    return [sys.executable, "-m", "curator"]
