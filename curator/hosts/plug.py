"""Plug our hooks into a client's settings file and take them out again.

Owns the order of steps: read, plan, copy, write. `plan_*` touches nothing, so `--dry-run` and the real run show the
same change. Standard library only.
"""

import contextlib
import difflib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curator.errors import CuratorError
from curator.hosts import files, settings
from curator.hosts.jsonc import Malformed
from curator.hosts.settings import Wanted


class NotAdded(CuratorError):
    """A settings file is not touched; `snippet` is what the person may add by hand."""

    def __init__(self, reason: str, snippet: str) -> None:
        super().__init__(reason)
        self.snippet = snippet


@dataclass(frozen=True)
class Change:
    """A planned change of one file: `old` is None where the file is to be made, `new` None where it is to go.

    `copy` is the dated copy that `new` was taken from; it goes when the change is made. `copied` is false for a file
    of which no copy is kept, `ours` says that the whole file is ours. `what` says what of the file is touched.
    """

    path: Path
    old: str | None
    new: str | None
    copy: Path | None = None
    ours: bool = False
    what: str = "hooks of curator only"
    copied: bool = True

    @property
    def empty(self) -> bool:
        """Is there nothing to do?"""
        return self.old == self.new

    @property
    def diff(self) -> str:
        """The exact difference, as a unified diff."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.old, self.new))
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def plan_install(path: Path, wanted: tuple[Wanted, ...]) -> Change:
    """What would change so that a file has each wanted entry once. Raises `NotAdded` where it cannot be."""
    old = files.read(path)
    try:
        change = Change(path, old, settings.install(old or "", wanted))
    except Malformed as error:
        raise NotAdded(f"{path}, {error}; nothing was changed", settings.snippet(wanted)) from error
    if not change.empty and files.is_read_only(path):
        raise NotAdded(f"{path} is read-only; nothing was changed", settings.snippet(wanted))
    return change


def plan_uninstall(path: Path) -> Change:
    """What would change so that a file has no entry of ours, and is as it was before where nobody edited it since."""
    old = files.read(path)
    if old is None:
        return Change(path, None, None)
    if copy := files.original(path, old):
        return Change(path, old, files.read(copy), copy)
    copies = files.copies(path)
    before = (files.read(copies[0]) or "") if copies else ""
    try:
        new = settings.uninstall(old, before)
    except Malformed as error:
        raise CuratorError(f"{path}, {error}; nothing was changed. Take out the lines with `curator hook`") from error
    if new != old and files.is_read_only(path):
        raise CuratorError(f"{path} is read-only; nothing was changed. Take out the lines with `curator hook`")
    made_by_us = new != old and not copies and not new.strip("{} \t\r\n")
    return Change(path, old, None if made_by_us else new)


def apply(change: Change, at: datetime) -> Path | None:
    """Make a planned change; returns the copy that was kept of the file as it was, where one was needed."""
    if change.empty:
        return None
    if change.new is None:
        change.path.unlink()
        if change.ours:
            _sweep_up(change.path.parent)
        return None
    previous = None if change.old is None or not change.copied else files.original(change.path, change.old)
    kept = _keep(change, previous, at)
    try:
        files.replace(change.path, change.old, change.new)
    except CuratorError:
        if kept:
            kept.unlink()
        raise
    if previous:
        previous.unlink()
    return kept


def _sweep_up(folder: Path) -> None:
    """Remove a folder that the removal of our file left empty, and the one above it."""
    with contextlib.suppress(OSError):
        folder.rmdir()
        folder.parent.rmdir()


def _keep(change: Change, previous: Path | None, at: datetime) -> Path | None:
    """A copy of the file as it was before the first change; carried on where this is a later one."""
    if change.old is None or change.new is None or change.copy or not change.copied:
        return None
    if previous:
        return files.back_up(change.path, files.read(previous) or "", change.new, at)
    return None if settings.find(change.old) else files.back_up(change.path, change.old, change.new, at)
