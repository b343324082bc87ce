"""The real git: two clones decide apart, and merge, rebase, cherry-pick and delete bring them together."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.errors import Conflict
from curator.sync.registering import register, registered, turn
from tests.conftest import Clock
from tests.sync.helpers import Make, Person

pytestmark = pytest.mark.slow

DRIVER = f"{sys.executable} -m curator sync merge-driver %O %A %B %P"
FILE = ".curator/memory.jsonl"


class Clone(Person):
    """A person with a clone of the team's repository."""

    def git(self, *words: str, fails: bool = False) -> str:
        """Run git here; `fails` where it is expected to stop."""
        root = self.store.place.root
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    @property
    def file(self) -> Path:
        """The file in the working tree."""
        return self.store.place.root / FILE

    def commits(self, message: str) -> None:
        """Writes the file and commits it."""
        self.gives(self.file)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


@pytest.fixture
def clones(new_store: Make, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    """Ann and Ben, each with a clone, one entry in both."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    monkeypatch.setenv("GIT_EDITOR", "true")
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(tmp_path / "origin")], check=True)
    found = []
    for name in ("ann", "ben"):
        clone = Clone(new_store(tmp_path / name), name, clock)
        clone.git("init", "-q", "-b", "main")
        clone.git("remote", "add", "origin", str(tmp_path / "origin"))
        turn(clone.store.place, on=True)
        assert register(clone.store.place, DRIVER) and registered(clone.store.place) == DRIVER
        found.append(clone)
    ann, ben = found
    (ben.store.place.folder / ".gitattributes").unlink()
    (ben.store.place.folder / ".gitignore").unlink()
    (ben.store.place.folder / "config.toml").unlink()
    ann.adds("use port 80 for the shop server, always")
    ann.commits("start")
    ann.git("push", "-q", "origin", "main")
    ben.git("pull", "-q", "origin", "main")
    ben.takes(ben.file)
    return ann, ben


def entry_of(person: Person) -> str:
    """The one entry."""
    return person.desk.search("port")[0].entry_id


def share(ann: Clone) -> None:
    """Ann's branch is where others find it."""
    ann.git("push", "-q", "origin", "main")


Bring = Callable[[Clone], str]

WAYS: dict[str, Bring] = {
    "merge": lambda clone: clone.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main"),
    "rebase": lambda clone: clone.git("pull", "-q", "--rebase", "origin", "main"),
    "cherry-pick": lambda clone: clone.git("fetch", "-q", "origin") + clone.git("cherry-pick", "FETCH_HEAD"),
}


@pytest.mark.parametrize("way", WAYS)
def test_other_words_meet_without_a_question(clones: tuple[Clone, Clone], way: str) -> None:
    """git's own driver call puts both changes together; both sides' additions and tombstones are in the result."""
    ann, ben = clones
    entry = entry_of(ann)
    ann.edits(entry, "use port 8080 for the shop server, always")
    ann.adds("ann's own")
    ann.commits("ann's")
    share(ann)
    ben.edits(entry, "use port 80 for the shop server, never for tests")
    (own,) = ben.adds("ben's own")
    ben.tombstones(own)
    ben.commits("ben's")
    WAYS[way](ben)
    assert "<<<<<<<" not in ben.file.read_text(encoding="utf-8")
    assert ben.takes(ben.file).complete
    assert ben.body(entry) == "use port 8080 for the shop server, never for tests"
    assert ben.body(own) == "tombstoned: ben's own"
    ben.gives(ben.file)
    assert ben.git("status", "--porcelain") == "", "the driver wrote what the store gives"


@pytest.mark.parametrize("way", WAYS)
def test_the_same_words_end_in_the_review_of_who_imports(clones: tuple[Clone, Clone], way: str) -> None:
    """git does not stop; both texts are in the file, and one proposal waits on each side."""
    ann, ben = clones
    entry = entry_of(ann)
    ann.edits(entry, "use port 8080 for the shop server, always")
    ann.commits("ann's")
    share(ann)
    ben.edits(entry, "use port 9090 for the shop server, always")
    ben.commits("ben's")
    WAYS[way](ben)
    report = ben.takes(ben.file)
    assert report.conflicts == [entry] and len(ben.waiting()) == 1
    assert ben.body(entry) == "use port 9090 for the shop server, always"
    ben.git("push", "-q", "--force", "origin", "main")
    ann.git("fetch", "-q", "origin")
    ann.git("reset", "-q", "--hard", "FETCH_HEAD")
    assert ann.takes(ann.file).conflicts == [entry]
    assert ann.body(entry) == "use port 8080 for the shop server, always"


def test_a_deleted_file_is_git_s_question_and_loses_nothing(clones: tuple[Clone, Clone]) -> None:
    """Deleted on one side, changed on the other: git asks; either answer leaves the store as it is."""
    ann, ben = clones
    ann.git("rm", "-q", FILE)
    ann.git("commit", "-q", "-m", "stop sharing")
    share(ann)
    (own,) = ben.adds("ben's own")
    ben.commits("ben's")
    ben.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", fails=True)
    ben.git("add", FILE)
    ben.git("commit", "-q", "--no-edit")
    assert ben.takes(ben.file).decision is None and ben.body(own) == "ben's own"
    ben.git("rm", "-q", FILE)
    ben.gives(ben.file)
    assert own in ben.file.read_text(encoding="utf-8")


def test_without_the_driver_the_marks_are_told_and_nothing_is_taken(clones: tuple[Clone, Clone]) -> None:
    """A clone that was not told of the driver gets git's own marks: import, export and the driver name the lines."""
    ann, ben = clones
    entry = entry_of(ann)
    ben.git("config", "--remove-section", "merge.curator")
    ann.edits(entry, "use port 8080 for the shop server, always")
    ann.commits("ann's")
    share(ann)
    ben.edits(entry, "use port 9090 for the shop server, always")
    ben.commits("ben's")
    ben.git("pull", "-q", "--no-rebase", "--no-edit", "origin", "main", fails=True)
    before = ben.file.read_bytes()
    for act in (lambda: ben.takes(ben.file), lambda: ben.gives(ben.file)):
        with pytest.raises(Conflict, match=r"lines 2, \d"):
            act()
    assert ben.file.read_bytes() == before and ben.body(entry).split()[2] == "9090"
    register(ben.store.place, DRIVER)
    ben.git("checkout", "-q", "--merge", FILE)
    assert ben.takes(ben.file).conflicts == [entry]


def test_a_linked_worktree_has_its_own_file(clones: tuple[Clone, Clone], tmp_path: Path) -> None:
    """The store is the main worktree's, the file the branch's."""
    from curator.place import find
    from curator.sync.registering import file_of

    ann, _ = clones
    ann.git("worktree", "add", "-q", str(tmp_path / "linked"))
    place = find(tmp_path / "linked")
    assert place.root == ann.store.place.root and file_of(place).samefile(tmp_path / "linked" / FILE)
