"""What is being worked on: branch and changed files, however many there are, or nothing without git."""

import subprocess
import time
from pathlib import Path

from curator.place import Place
from curator.snapshot.relevance import Work
from curator.snapshot.work import FILES, changed_files, look
from curator.store.engine import Store


def git(folder: Path, *words: str) -> None:
    """Run git there as somebody."""
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder), *words]
    subprocess.run(command, check=True, capture_output=True)


def test_a_huge_diff_counts_by_its_first_paths(store: Store, tmp_path: Path) -> None:
    """Two thousand changed files in a folder each: 400 of them by path, in bounded time, with odd names as they are."""
    root = store.place.root
    git(root, "init", "-q", "-b", "fix/parser")
    (root / "zz 编码\n.py").write_text("x")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    for n in range(2_000):
        folder = root / f"src{n:04}"
        folder.mkdir()
        (folder / "a.py").write_text("x")
    began = time.monotonic()
    found = changed_files(root)
    assert time.monotonic() - began < 10  # its own bound is 2 s for git
    assert len(found) == FILES and found[0] == "src0000" and not any(name.startswith(".curator") for name in found)
    assert look(store, store.place).work.branch == "fix/parser"


def test_no_git_and_a_detached_head_are_no_work(store: Store) -> None:
    """Nothing is known there, and that is no error; a detached head has no branch."""
    root = store.place.root
    assert look(store, store.place).work == Work() and look(store, store.place).work.empty
    git(root, "init", "-q", "-b", "feature/x")
    git(root, "commit", "-q", "--allow-empty", "-m", "one")
    git(root, "checkout", "-q", "--detach")
    assert look(store, Place(root, root)).work.branch == ""
