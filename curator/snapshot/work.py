"""What is being worked on, as of the last checkpoint or ingest: checkpoint, branch, changed files.

Owns the questions to git (allowed here, never in the hook), each bounded in time; without git the answers are empty.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from curator.checkpoint.parts import Parts, parts
from curator.checkpoint.value import loaded
from curator.errors import CuratorError
from curator.place import Place
from curator.snapshot.relevance import Work
from curator.store.engine import Store

FILES = 400
"""Changed files that count, by path: a huge diff says nothing sharper than its folders."""
_TEXT = 6_000  # characters of a checkpoint's text that are compared
_SECONDS = 2.0


@dataclass(frozen=True)
class Seen:
    """The work in one worktree."""

    worktree: str
    work: Work


def look(store: Store, place: Place) -> Seen:
    """The newest checkpoint of the place's worktree, its branch and the files changed in its working tree."""
    from curator.brief.gather import branch

    return Seen(
        place.worktree,
        Work(tuple(_texts(store, place.worktree)), branch(str(place.top)), changed_files(place.top)),
    )


def changed_files(top: Path) -> tuple[str, ...]:
    """Files changed against the last commit or untracked, relative to the top level; none without git."""
    command = ["git", "-C", str(top), "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--no-renames"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return ()
    names = (row[3:] for row in done.stdout.decode("utf-8", "replace").split("\0") if len(row) > 3)
    return tuple(sorted(name.rstrip("/") for name in names if not name.startswith(".curator/")))[:FILES]


def _texts(store: Store, worktree: str) -> list[str]:
    from sqlmodel import col, select

    from curator.store.tables import Checkpoint

    with store.read() as session:
        row = session.exec(
            select(Checkpoint)
            .where(Checkpoint.project_id == store.project_id, Checkpoint.worktree == worktree)
            .order_by(col(Checkpoint.created_at).desc(), col(Checkpoint.checkpoint_id).desc())
            .limit(1)
        ).first()
    if row is None:
        return []
    try:
        found = parts(loaded(row.checkpoint_id, row.value))
    except CuratorError:
        return []
    return [text[:_TEXT] for text in texts_of(found) if text.strip()]


def texts_of(found: Parts) -> tuple[str, ...]:
    """The parts of a checkpoint that say what is being worked on."""
    request = found.request.text if found.request else ""
    return found.mission, found.current_step, found.next_steps, request
