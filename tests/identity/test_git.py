"""One repository is one project, made with the real git: worktrees, bare, submodule, nested, moved, linked, none."""

import re
import shutil
import time
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.brief import snapshot_file
from curator.brief.gather import branch
from tests.desk.conftest import key
from tests.hook.helpers import hook
from tests.identity.helpers import checkpointed, git, handed, learned, made, repository, stores, talked

__all__ = ["key"]

pytestmark = [
    pytest.mark.usefixtures("key"),
    pytest.mark.skipif(not shutil.which("git"), reason="needs the git program"),
]


def test_case_39_worktrees_of_a_repository_share_its_memory(tmp_path: Path) -> None:
    """A lesson from one worktree is handed out in all, also when that one is removed; a bare repository is another."""
    top = made("39", tmp_path)
    learned(top / "wt-a", "Build with make, never by hand.")
    assert stores(top) == ["main/.curator"]
    for place in ("main", "main/pkg/web", "wt-a", "nested/wt-b"):
        assert "Build with make" in handed(top / place), place
    assert "Build with make" not in handed(top / "bare-wt")
    git(top / "main", "worktree", "remove", "--force", "../wt-a")
    for place in ("main", "nested/wt-b"):
        assert "Build with make" in handed(top / place), place


def test_case_39_checkpoints_stay_with_their_worktree(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was written in one worktree is current there, in a session and in `checkpoint show`, and nowhere else."""
    top = made("39", tmp_path)
    talked(home, top / "wt-a", "a", "5e550000-0000-4000-8000-00000000000a")
    talked(home, top / "main", branch(str(top / "main")), "5e550000-0000-4000-8000-00000000000b")
    assert main(["-C", str(top / "main"), "layers", "init"]) == 0
    checkpointed(top / "wt-a", "port the exporter", monkeypatch)
    assert "port the exporter" in handed(top / "wt-a")
    for place in ("main", "nested/wt-b"):
        assert "port the exporter" not in handed(top / place), place
        capsys.readouterr()
        assert main(["-C", str(top / place), "checkpoint", "show"]) == 0
        assert capsys.readouterr().out == "", place
    checkpointed(top / "main", "write the tutorial", monkeypatch)
    for place, mine, other in (("main", "tutorial", "exporter"), ("wt-a", "exporter", "tutorial")):
        text = handed(top / place)
        assert mine in text and other not in text, place
        capsys.readouterr()
        assert main(["-C", str(top / place), "checkpoint", "show"]) == 0
        shown = capsys.readouterr().out
        assert mine in shown and other not in shown, place
    assert stores(top) == ["main/.curator"]


def test_what_hooks_start_in_a_worktree_is_about_that_worktree(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The checkpoint behind a compaction tells the branch and the state of the worktree that the session ran in."""
    top = made("39", tmp_path)
    learned(top / "main", "Build with make.")
    session = "5e550000-0000-4000-8000-00000000000a"
    path = talked(home, top / "wt-a", "a", session)
    (top / "wt-a" / "draft").write_text("x")
    payload = {"session_id": session, "transcript_path": str(path), "hook_event_name": "PreCompact", "trigger": "auto"}
    assert hook(top / "wt-a", "pre-compact", payload).returncode == 0
    waiting = iter(range(100))  # the hook waits three seconds for it and then goes on
    while "wt-a" not in focused(top) and next(waiting, None) is not None:
        time.sleep(0.1)
    capsys.readouterr()
    assert main(["-C", str(top / "wt-a"), "checkpoint", "show"]) == 0
    assert re.search(r"^- git: a at \w+ one; 1 files not committed$", capsys.readouterr().out, re.M)
    assert "wt-a" in focused(top)


def focused(top: Path) -> set[str]:
    """The worktrees of `main` whose work the snapshot has ranked its entries for."""
    return set(snapshot_file.read(str(top / "main" / ".curator")).snapshot.relevance)


def test_a_bare_repository_keeps_its_memory_inside_and_hands_it_to_its_worktrees(tmp_path: Path) -> None:
    """A lesson from a worktree of a bare repository lies in the bare folder; it is handed out in both."""
    top = made("39", tmp_path)
    learned(top / "bare-wt", "Mirrors are pushed at night.")
    assert stores(top) == ["bare.git/.curator"]
    for place in ("bare-wt", "bare.git", "bare.git/refs"):
        assert "pushed at night" in handed(top / place), place
    assert "pushed at night" not in handed(top / "main")


def test_tracked_settings_in_a_worktree_are_no_store_of_its_own(tmp_path: Path) -> None:
    """Where `.curator/config.toml` is in git, a worktree has a copy of it: the main one wins."""
    main_tree = repository(tmp_path / "main")
    learned(main_tree, "Ports are listed in ports.txt.")
    git(main_tree, "add", "-f", ".curator/config.toml", ".curator/.gitignore")
    git(main_tree, "commit", "-qm", "share")
    git(main_tree, "worktree", "add", "-q", "../wt", "-b", "side")
    assert (tmp_path / "wt/.curator/config.toml").is_file()
    assert "ports.txt" in handed(tmp_path / "wt")
    learned(tmp_path / "wt", "Sides are merged on Mondays.")
    assert stores(tmp_path) == ["main/.curator"]


def test_case_40_a_shared_name_shares_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two `api` repositories, one without git and a monorepo: each sees its own lesson, in a session and in search."""
    top = made("40", tmp_path)
    lessons = {
        "acme/api": "Acme ships on Fridays only.",
        "blue/api": "Blue needs two approvals always.",
        "mono": "Mono is built with one lockfile.",
        "plain/api": "Plain has no tests yet.",
    }
    for place, lesson in lessons.items():
        learned(top / place, lesson)
    assert stores(top) == sorted(f"{place}/.curator" for place in lessons)
    for place, owner in [*((name, name) for name in lessons), ("mono/apps/web", "mono")]:
        text = handed(top / place)
        assert [lesson for lesson in lessons.values() if lesson in text] == [lessons[owner]], place
        capsys.readouterr()
        assert main(["-C", str(top / place), "list"]) == 0
        listed = capsys.readouterr().out
        assert [lesson for lesson in lessons.values() if lesson in listed] == [lessons[owner]], place


@pytest.mark.parametrize("kind", ["repository", "plain folder"])
def test_case_41_memory_moves_with_the_folder(tmp_path: Path, kind: str) -> None:
    """Through a link, and after a move to a name with a space, the lesson is there; new ones land in the same store."""
    top = made("41", tmp_path)
    name = "old-name" if kind == "repository" else "plain-old"
    learned(top / name, "Restart the worker after a deploy.")
    link = top / "another link"
    link.symlink_to(top / name, target_is_directory=True)
    assert "Restart the worker" in handed(link)
    link.unlink()
    (top / name).rename(top / "new name")
    assert "Restart the worker" in handed(top / "new name")
    learned(top / "new name", "Logs rotate at midnight.")
    assert stores(top) == ["new name/.curator"]
    text = handed(top / "new name")
    assert "Restart the worker" in text and "Logs rotate" in text


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    """What is learned inside a submodule stays there, and the outer lesson outside; its folder `lib/` is outside."""
    repository(tmp_path / "part")
    outer = repository(tmp_path / "whole")
    git(outer, "submodule", "add", "-q", str(tmp_path / "part"), "lib/part")
    learned(outer, "The whole is released weekly.")
    learned(outer / "lib/part", "The part is frozen.")
    assert stores(tmp_path) == ["whole/.curator", "whole/lib/part/.curator"]
    inside, outside = handed(outer / "lib/part"), handed(outer / "lib")
    assert ("frozen" in inside, "weekly" in inside) == (True, False)
    assert ("frozen" in outside, "weekly" in outside) == (False, True)


def test_a_repository_inside_another_is_a_project_of_its_own(tmp_path: Path) -> None:
    """A clone below a project sees nothing of it, before and after it has a store itself."""
    outer = repository(tmp_path / "outer")
    inner = repository(outer / "vendor" / "inner")
    learned(outer, "Outer uses tabs.")
    assert "tabs" not in handed(inner)
    learned(inner, "Inner uses spaces.")
    assert "tabs" not in handed(inner) and "Inner uses spaces" not in handed(outer)


def test_a_folder_of_a_project_may_have_a_store_of_its_own(tmp_path: Path) -> None:
    """The first `.curator/` on the way up is the project: a package that was given one is on its own from then on."""
    outer = repository(tmp_path / "mono")
    package = outer / "packages" / "web"
    (package / ".curator").mkdir(parents=True, mode=0o700)
    learned(package, "Web is styled with plain CSS.")
    learned(outer, "Mono has one lockfile.")
    assert stores(tmp_path) == ["mono/.curator", "mono/packages/web/.curator"]
    assert "lockfile" not in handed(package) and "plain CSS" not in handed(outer / "packages")


def test_without_git_the_store_lies_where_the_work_began(tmp_path: Path) -> None:
    """Sub-folders share it; a neighbour and the folder above see nothing."""
    for name in ("one/deep/er", "two"):
        (tmp_path / name).mkdir(parents=True)
    learned(tmp_path / "one", "One counts from zero.")
    assert "from zero" in handed(tmp_path / "one/deep/er")
    assert handed(tmp_path / "two") == handed(tmp_path) == ""


def test_a_store_in_the_home_folder_is_not_taken_from_below_it(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Notes taken straight in the home folder stay there: a folder inside it does not inherit them."""
    (home / "work").mkdir()
    assert main(["-C", str(home), "remember", "lesson: Dotfiles are in a bare repository."]) == 0
    for folder, kept in ((home, True), (home / "work", False)):
        capsys.readouterr()
        assert main(["-C", str(folder), "notes"]) == 0
        assert ("Dotfiles" in capsys.readouterr().out) is kept
    assert stores(home) == [".curator"]


def test_a_linked_store_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A `.curator` that is a symbolic link, which a repository could bring, is refused by name and never followed."""
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    here.mkdir()
    elsewhere.mkdir()
    (here / ".curator").symlink_to(elsewhere, target_is_directory=True)
    assert main(["-C", str(here), "remember", "lesson: x"]) == 1
    assert f"{here / '.curator'} is a symbolic link" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []
