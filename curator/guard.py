"""Nothing that a hook starts can start a hook again.

Two signs, because either can be lost: a variable that children inherit, and the chain of parent processes, which
survives a cleared environment. Standard library only; must stay cheap, every hook asks it.
"""

import os
import sys

from curator.light import Iterator, Mapping

MARK = "CURATOR_INSIDE"
"""Set for everything that this product starts in the background or asks a model with."""

_WORKERS = frozenset({"ingest", "sweep", "harvest", "checkpoint", "hook", "replay"})
_MAIN = os.path.join("curator", "__main__.py")
_DEPTH = 40


def inside(env: Mapping[str, str] | None = None) -> bool:
    """Was this process started, at any depth, by the product's own work?"""
    env = os.environ if env is None else env
    return bool(env.get(MARK)) or any(ours(words) for words in _ancestors())


def marked(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a child of ours."""
    return {**(os.environ if env is None else env), MARK: "1"}


def ours(words: list[str]) -> bool:
    """Is a command line `curator WORKER …`, as a script, by an interpreter, or as `python -m curator WORKER`?"""
    rest = words
    if rest and os.path.basename(rest[0]).startswith("python"):
        rest = rest[1:]
        while rest and rest[0].startswith("-") and rest[0] != "-m":
            rest = rest[1:]
        rest = rest[1:] if rest[:1] == ["-m"] else rest
    if not rest or not (os.path.basename(rest[0]) in {"curator", "curator.exe"} or rest[0].endswith(_MAIN)):
        return False
    rest = rest[3:] if rest[1:2] == ["-C"] else rest[1:]
    return bool(rest) and rest[0] in _WORKERS


def _ancestors() -> Iterator[list[str]]:
    """Command lines of the parent processes, nearest first; nothing where they cannot be seen."""
    if not sys.platform.startswith("linux"):
        yield from _listed()
        return
    pid = os.getppid()
    for _ in range(_DEPTH):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                yield file.read(4096).decode("utf-8", "replace").split("\0")
            with open(f"/proc/{pid}/stat", "rb") as file:
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
        if pid <= 1:
            return


def _listed() -> Iterator[list[str]]:
    """The same from `ps`, where there is no /proc."""
    import subprocess

    try:
        done = subprocess.run(["ps", "-axo", "pid=,ppid=,command="], capture_output=True, timeout=1, check=False)
    except (OSError, subprocess.SubprocessError):
        return
    rows = [line.split(None, 2) for line in done.stdout.decode("utf-8", "replace").splitlines()]
    table = {row[0]: (row[1], row[2].split()) for row in rows if len(row) == 3}
    pid = str(os.getppid())
    for _ in range(_DEPTH):
        if pid not in table:
            return
        pid, words = table[pid]
        yield words
