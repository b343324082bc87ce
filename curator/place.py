"""Where a project's memory lives: found by walking up, without starting a process.

Owns the rules of identity. A project is the first folder with `.curator/` at or above the working directory, but
not beyond the first repository top level and never the home folder from below it. Linked worktrees share the main
worktree's store; a submodule is a project of its own; a bare repository keeps the store inside its own folder.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from curator.errors import CuratorError

FOLDER = ".curator"


@dataclass(frozen=True)
class Place:
    """A project: `root` is the folder whose `.curator/` is the store, `worktree` names a linked worktree ("" = main).

    `top` is the folder that the person works in: the repository's or linked worktree's top level, or `root`.
    `found` is false where no store exists yet; nothing has been created then.
    """

    root: Path
    top: Path
    worktree: str = ""
    found: bool = True

    @property
    def folder(self) -> Path:
        """The store's folder, `.curator/`."""
        return self.root / FOLDER


def find(start: Path, *, home: Path | None = None) -> Place:
    """The project that `start` lies in; `Place.found` says whether it has a store.

    Raises `CuratorError` where `.curator` is a symbolic link: a repository could point it anywhere.
    """
    start = start.resolve()
    home = (home or Path.home()).resolve()
    for folder in _upwards(start, home):
        linked = linked_worktree(folder)
        if linked:
            root, name = linked
            return _checked(root, folder, name)
        top = is_repository(folder)
        if os.path.lexists(folder / FOLDER) or top:
            return _checked(folder, folder if top else _repository_above(folder, home) or folder, "")
    return _checked(start, start, "")


def user_place(env: Mapping[str, str] | None = None, home: Path | None = None) -> Place:
    """The person's own store, in the user data folder (`CURATOR_USER_DIR` overrides it)."""
    env = os.environ if env is None else env
    home = home or Path.home()
    if given := env.get("CURATOR_USER_DIR"):
        base = Path(given)
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support" / "curator"
    elif sys.platform == "win32":
        base = Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / "curator"
    else:
        base = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "curator"
    return Place(base, base, "", (base / FOLDER).is_dir())


def is_repository(folder: Path) -> bool:
    """Is this the top level of a repository (or submodule, or worktree), or a bare one?"""
    return os.path.lexists(folder / ".git") or is_bare(folder)


def is_bare(folder: Path) -> bool:
    """A folder that looks like a bare repository."""
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def linked_worktree(folder: Path) -> tuple[Path, str] | None:
    """For the top of a linked worktree: the main worktree's (or bare repository's) folder and this one's name."""
    git_dir = git_folder(folder)
    if git_dir is None or git_dir == folder / ".git":
        return None
    try:
        common = (git_dir / "commondir").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    shared = (git_dir / common).resolve()
    return (shared.parent if shared.name == ".git" else shared), git_dir.name


def git_folder(top: Path) -> Path | None:
    """The git directory of the repository whose top level is `top`, following a `.git` file; None without one."""
    dot = top / ".git"
    if dot.is_dir():
        return dot
    try:
        head, _, path = dot.read_text(encoding="utf-8").strip().partition("gitdir:")
    except (OSError, ValueError):
        return top if is_bare(top) else None
    return None if head or not path else (top / path.strip()).resolve()


def _upwards(start: Path, home: Path) -> Iterator[Path]:
    for folder in (start, *start.parents):
        if folder == home and start != home:
            return
        yield folder


def _repository_above(folder: Path, home: Path) -> Path | None:
    return next((above for above in _upwards(folder, home) if is_repository(above)), None)


def _checked(root: Path, top: Path, worktree: str) -> Place:
    if (root / FOLDER).is_symlink():
        raise CuratorError(f"{root / FOLDER} is a symbolic link; a store must be a real folder")
    return Place(root, top, worktree, (root / FOLDER).is_dir())
