"""Anchors: told from the working tree and git alone, renames followed, nothing outside the project touched."""

import subprocess
from pathlib import Path

import pytest

from curator.edge.anchors import Checker, State, kind_of, worst


def _git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository in which a file was renamed twice, one deleted, and a function removed."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    _git(root, "init", "-q")
    (root / "src/first.py").write_text("def keep_me():\n    return 1\n" + "x = 1\n" * 30)
    (root / "gone.md").write_text("gone\n")
    (root / "Makefile").write_text("check: lint\n\tpytest\n.PHONY: check\nlint:\n\truff\n")
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "one")
    _git(root, "mv", "src/first.py", "src/second.py")
    _git(root, "rm", "-q", "gone.md")
    _git(root, "commit", "-qm", "two")
    _git(root, "mv", "src/second.py", "src/third.py")
    _git(root, "commit", "-qm", "three")
    return root


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        ("src/app.py", "path"),
        ("app.py:12", "path"),
        ("docs/", "path"),
        ("0a1b2c3d", "commit"),
        ("run_all", "symbol"),
        ("Store.write()", "symbol"),
        ("a::b", "symbol"),
        ("make check", "command"),
    ],
)
def test_a_reference_tells_its_kind_by_its_form(ref: str, kind: str) -> None:
    """Paths, symbols, commands and commits are told apart."""
    assert kind_of(ref) == kind


def test_paths_are_followed_through_renames(repository: Path) -> None:
    """There, moved (twice, and without a commit), gone, cut short, or outside: each has its state and reason."""
    found = Checker(repository).check(
        ["src/third.py", "src/first.py:3", "gone.md", "src/third.py:900", "../other.py", "/etc/passwd", "~/x.py"]
    )
    assert found["src/third.py"].state is State.FRESH
    assert (found["src/first.py:3"].state, found["src/first.py:3"].now) == (State.MOVED, "src/third.py:3")
    assert found["gone.md"].state is State.STALE and "no longer exists" in found["gone.md"].why
    assert found["src/third.py:900"].state is State.MOVED
    assert {found[ref].state for ref in ("../other.py", "/etc/passwd", "~/x.py")} == {State.UNKNOWN}
    _git(repository, "mv", "src/third.py", "src/fourth.py")
    assert Checker(repository).check(["src/third.py"])["src/third.py"].now == "src/fourth.py"


def test_symbols_commits_and_commands(repository: Path) -> None:
    """What stands in the code, in git or in the build file is fresh; what does not is stale; the rest is unknown."""
    head = _git(repository, "rev-parse", "HEAD")
    refs = ["keep_me()", "removed_one", head[:10], "0123456789abcdef", "make check", "make deploy", "nosuchprogram --x"]
    found = Checker(repository).check(refs)
    fresh, stale = State.FRESH, State.STALE
    assert [found[ref].state for ref in refs] == [fresh, stale, fresh, stale, fresh, stale, State.UNKNOWN]


def test_without_git_only_paths_are_told(tmp_path: Path) -> None:
    """No repository: files are looked at, symbols and commits are unknown."""
    (tmp_path / "a.py").write_text("x = 1\n")
    found = Checker(tmp_path).check(["a.py", "b.py", "some_symbol", "0a1b2c3d4e"])
    assert [each.state.value for each in found.values()] == ["FRESH", "STALE", "UNKNOWN", "UNKNOWN"]


def test_the_worst_state_counts() -> None:
    """One stale anchor makes an entry stale; none says nothing."""
    assert worst(["FRESH", "STALE", "MOVED"]) == "STALE" and worst([]) == ""
