"""The review screen's first frame and first rows with 1,000 proposals, in a real terminal device."""

import os
import pty
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

from curator.draft import draft
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import propose

ROUNDS = 5


def until(handle: int, words: bytes, start: float, seen: bytearray) -> float:
    """Milliseconds from `start` until the terminal has been sent `words`."""
    while words not in seen:
        if select.select([handle], [], [], 30)[0]:
            seen += os.read(handle, 65_536)
    return (time.perf_counter() - start) * 1000


def opened(root: Path) -> tuple[float, float, int]:
    """One review: first frame and rows readable (ms), resident (kB)."""
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": "120",
        "LINES": "36",
        "TEXTUAL_ANIMATIONS": "none",
    }
    start = time.perf_counter()
    words = [sys.executable, "-m", "curator", "review"]
    child = subprocess.Popen(words, cwd=root, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    seen = bytearray()
    frame = until(ours, b"curator", start, seen)
    rows = until(ours, b"proposal 0", start, seen)
    status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
    resident = int(status.partition("VmRSS:")[2].split()[0])
    child.kill()
    child.wait()
    os.close(ours)
    os.close(theirs)
    return frame, rows, resident


def test_first_frame_with_a_thousand_proposals(store: Store) -> None:
    """Prints medians beside a bare interpreter's start in the same run."""
    for number in range(1_000):
        propose(store, Op.ADD, (), [draft("", f"proposal {number} says something", "lesson")])
    bare = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare.append((time.perf_counter() - start) * 1000)
    runs = [opened(Path(store.place.root)) for _ in range(ROUNDS)]
    frame, rows, resident = (statistics.median(values) for values in zip(*runs, strict=True))
    print(f"\nbare interpreter {statistics.median(bare):.0f} ms; first frame {frame:.0f} ms; rows {rows:.0f} ms")
    print(f"resident {resident / 1024:.0f} MB")
