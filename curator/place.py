"""Where a project's memory lives: found by walking up, without starting a process.

Owns the rules of identity. A project is the first folder with `.curator/` at or above the working directory, but
not beyond the first repository top level and never the home folder from below it. Linked worktrees share the main
worktree's store; a submodule is a project of its own; a bare repository keeps the store inside its own folder.
"""

import os
import sys

from curator.errors import CuratorError
from curator.light import TYPE_CHECKING, Iterator, Mapping, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = ".curator"


class Spot(NamedTuple):
    """A place in plain strings, for the hook: `pathlib` and `dataclasses` would cost it half its time."""

    root: str
    top: str
    worktree: str
    found: bool

    @property
    def folder(self) -> str:
        """The store's folder, `.curator/`."""
        return os.path.join(self.root, FOLDER)


class Place(NamedTuple):
    """A project: `root` is the folder whose `.curator/` is the store, `worktree` names a linked worktree ("" = main).

    `top` is the folder that the person works in: the repository's or linked worktree's top level, or `root`.
    `found` is false where no store exists yet; nothing has been created then.
    """

    root: "Path"
    top: "Path"
    worktree: str = ""
    found: bool = True

    @property
    def folder(self) -> "Path":
        """The store's folder, `.curator/`."""
        return self.root / FOLDER


def find(start: "Path", *, home: "Path | None" = None) -> Place:
    """The project that `start` lies in; `Place.found` says whether it has a store.

    Raises `CuratorError` where `.curator` is a symbolic link: a repository could point it anywhere.
    """
    from pathlib import Path

    spot = locate(str(start), home=str(home or Path.home()))
    return Place(Path(spot.root), Path(spot.top), spot.worktree, spot.found)


def user_place(env: Mapping[str, str] | None = None, home: "Path | None" = None) -> Place:
    """The person's own store, in the user data folder (`CURATOR_USER_DIR` overrides it)."""
    from pathlib import Path

    spot = user_spot(env, str(home or Path.home()))
    return Place(Path(spot.root), Path(spot.top), spot.worktree, spot.found)


def locate(start: str, *, home: str) -> Spot:
    """`find` in plain strings."""
    start = os.path.realpath(start)
    home = os.path.realpath(home)
    for folder in _upwards(start, home):
        linked = linked_worktree(folder)
        if linked:
            root, name = linked
            return _checked(root, folder, name)
        top = is_repository(folder)
        if os.path.lexists(os.path.join(folder, FOLDER)) or top:
            return _checked(folder, folder if top else _repository_above(folder, home) or folder, "")
    return _checked(start, start, "")


def user_spot(env: Mapping[str, str] | None = None, home: str = "") -> Spot:
    """`user_place` in plain strings."""
    env = os.environ if env is None else env
    home = home or os.path.expanduser("~")
    if given := env.get("CURATOR_USER_DIR"):
        base = given
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support", "curator")
    elif sys.platform == "win32":
        base = os.path.join(env.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), "curator")
    else:
        base = os.path.join(env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "curator")
    return Spot(base, base, "", os.path.isdir(os.path.join(base, FOLDER)))


def is_repository(folder: "str | Path") -> bool:
    """Is this the top level of a repository (or submodule, or worktree), or a bare one?"""
    return os.path.lexists(os.path.join(folder, ".git")) or is_bare(folder)


def is_bare(folder: "str | Path") -> bool:
    """A folder that looks like a bare repository."""
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, part)) for part in ("objects", "refs")
    )


def linked_worktree(folder: "str | Path") -> tuple[str, str] | None:
    """For the top of a linked worktree: the main worktree's (or bare repository's) folder and this one's name."""
    git_dir = git_folder(folder)
    if git_dir is None or git_dir == os.path.join(folder, ".git"):
        return None
    try:
        common = _text(os.path.join(git_dir, "commondir"))
    except (OSError, ValueError):
        return None
    shared = os.path.realpath(os.path.join(git_dir, common))
    above, name = os.path.split(shared)
    return (above if name == ".git" else shared), os.path.basename(git_dir)


def git_folder(top: "str | Path") -> str | None:
    """The git directory of the repository whose top level is `top`, following a `.git` file; None without one."""
    dot = os.path.join(top, ".git")
    if os.path.isdir(dot):
        return dot
    try:
        head, _, path = _text(dot).partition("gitdir:")
    except (OSError, ValueError):
        return str(top) if is_bare(top) else None
    return None if head or not path else os.path.realpath(os.path.join(top, path.strip()))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def _upwards(start: str, home: str) -> Iterator[str]:
    folder = start
    while folder != home or start == home:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _repository_above(folder: str, home: str) -> str | None:
    return next((above for above in _upwards(folder, home) if is_repository(above)), None)


def _checked(root: str, top: str, worktree: str) -> Spot:
    folder = os.path.join(root, FOLDER)
    if os.path.islink(folder):
        raise CuratorError(f"{folder} is a symbolic link; a store must be a real folder")
    return Spot(root, top, worktree, os.path.isdir(folder))
