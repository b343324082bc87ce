"""The review screen with 1,000 proposals in a real terminal device: first frame, first rows, memory, and keys."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from curator.draft import draft
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import propose
from tests.tui.terminal import Terminal

ROUNDS = 7
KEYS = 40


def opened(root: Path) -> tuple[float, float, float, float]:
    """One review: first frame, Textual's own frame and rows readable (ms), resident (MB)."""
    with Terminal(root) as screen:
        first = screen.until(b"curator")
        screen.until(b"\x1b[?2004h")
        frame = screen.until(b"curator", screen.seen.index(b"\x1b[?2004h"))
        rows = screen.until(b"proposal 0")
        return first, frame, rows, screen.resident()


def pressed(screen: Terminal, key: bytes) -> tuple[float, float, int]:
    """One key on a quiet screen: ms to the first byte after it and to the last one, and how many bytes came."""
    screen.quiet()
    before, start = len(screen.seen), time.perf_counter()
    screen.send(key)
    screen.read(5)
    first = last = time.perf_counter()
    while screen.read(0.2):
        last = time.perf_counter()
    return (first - start) * 1000, (last - start) * 1000, len(screen.seen) - before


def spread(values: list[float]) -> str:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return f"{statistics.median(ordered):.0f} ms, p95 {ordered[int(len(ordered) * 0.95)]:.0f} ms"


def test_a_thousand_proposals(store: Store) -> None:
    """Prints medians beside a bare interpreter's start in the same run."""
    for number in range(1_000):
        propose(store, Op.ADD, (), [draft("", f"proposal {number} says something", "lesson")])
    root = Path(store.place.root)
    opened(root)  # bytecode
    bare, runs = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare.append((time.perf_counter() - start) * 1000)
        runs.append(opened(root))
    first, frame, rows, resident = (statistics.median(values) for values in zip(*runs, strict=True))
    print(f"\nbare interpreter {statistics.median(bare):.0f} ms; first frame {first:.0f} ms; ", end="")
    print(f"Textual's own frame {frame:.0f} ms; rows {rows:.0f} ms; resident {resident:.0f} MB")
    with Terminal(root) as screen:
        screen.until(b"proposal 0")
        screen.quiet(1.5)
        taken = [pressed(screen, b"j") for _ in range(KEYS)]
    byte, settled, size = (list(values) for values in zip(*taken, strict=True))
    print(f"key to first byte {spread(byte)}; settled {spread(settled)}; {statistics.median(size):.0f} bytes a row")
