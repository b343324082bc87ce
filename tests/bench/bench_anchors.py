"""How long a look at the anchors of a store takes: git is asked a few times, not once for each anchor."""

import subprocess
import time
from pathlib import Path

from curator.edge.anchors import Checker, State

FILES, COMMITS = 500, 40


def test_a_thousand_anchors_are_looked_up_at_once(tmp_path: Path) -> None:
    """500 paths (40 of them renamed), 400 symbols and 30 commits in a repository of 500 files, against 10 of them."""
    for n in range(FILES):
        file = tmp_path / f"src/part{n % 20}/file_{n}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"def symbol_number_{n}():\n    return {n}\n" * 30)
    _git(tmp_path, "init", "-q", "-b", "main")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-qm", "first")
    first = _git(tmp_path, "rev-parse", "HEAD")
    for n in range(COMMITS):
        _git(tmp_path, "mv", f"src/part{n % 20}/file_{n}.py", f"src/part{n % 20}/moved_{n}.py")
        _git(tmp_path, "commit", "-qm", f"move {n}")
    paths = [f"src/part{n % 20}/file_{n}.py" for n in range(FILES)]
    symbols = [f"symbol_number_{n}" for n in range(400)]
    refs = [*paths, *symbols, *(first[: 8 + n] for n in range(30))]
    few = _timed(tmp_path, refs[:5] + refs[600:605])
    started = time.perf_counter()
    found = Checker(tmp_path).check(refs)
    many = time.perf_counter() - started
    moved = sum(anchor.state is State.MOVED for anchor in found.values())
    assert moved == COMMITS and not any(anchor.state is State.STALE for anchor in found.values())
    print(f"\n{len(refs)} anchors {many * 1000:.0f} ms, 10 anchors {few * 1000:.0f} ms, x {many / few:.1f}")


def _timed(root: Path, refs: list[str]) -> float:
    started = time.perf_counter()
    Checker(root).check(refs)
    return time.perf_counter() - started


def _git(top: Path, *words: str) -> str:
    options = ("-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *options, *words], cwd=top, check=True, capture_output=True, text=True)
    return done.stdout.strip()
