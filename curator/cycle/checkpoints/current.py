"""Bringing the record up to now before a checkpoint is made of it, and what follows once it is stored.

Owns no rule of its own: it reads the client's newest transcript through the harvest; a commit offers notes, and after
it the task state, the scratch file and the snapshot follow.
"""

from collections.abc import Callable
from pathlib import Path

from sqlmodel import Session

from curator.brief.layers import STATE
from curator.checkpoint import Checkpoint
from curator.checkpoint.frame import harmless
from curator.checkpoint.now import DONE, block
from curator.checkpoint.parts import parts
from curator.errors import CuratorError
from curator.harvest.checkpoint import harvest
from curator.harvest.files import harvest_file
from curator.hosts.claude import ran_in
from curator.hosts.transcripts import of_the_person, session_of, sessions
from curator.place import Place
from curator.ports import Count
from curator.snapshot import refocus
from curator.snapshot.file import put
from curator.snapshot.layers import brought_up, paths
from curator.snapshot.scratch import emptied
from curator.store import tables
from curator.store.engine import Store


def caught_up(store: Store, count: Count, session_id: str = "") -> str:
    """Take in the transcript of a session (the newest one of this worktree without an id); returns that session's id.

    Empty where the client keeps no transcript of it: then the record stands as it is.
    """
    files = reversed(of_the_person(sessions(store.place), session_id))
    found = next((path for path in files if session_id or _ran_here(path, store.place)), None)
    return taken(store, found, count) if found else session_id


def taken(store: Store, path: Path, count: Count) -> str:
    """Take in one transcript; returns the id of its session. Raises NotFound or CannotLook."""
    harvest_file(store, path, count)
    if found := session_of(path):
        return found
    raise CuratorError(f"{path} names no session")


def _ran_here(path: Path, here: Place) -> bool:
    """Did a transcript's session begin in this worktree? One that ran in a folder that is gone counts as the main's."""
    place = ran_in(path)
    return place.worktree == here.worktree if place else not here.worktree


def task_state(store: Store) -> str:
    """The task state file as it stands, which someone may have edited since; empty where there is none."""
    try:
        text = paths(store.place)[STATE].read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""
    return harmless(text.strip())


def after_task_state(store: Store, how: str) -> str:
    """How to answer, behind the task state file where there is one: what was edited in it is to be taken in."""
    if state := task_state(store):
        told = "The task state file as it stands; the now you write replaces it, so take in what was edited:"
        return f"{told}\n\n{state}\n\n{how}"
    return how


def settled(store: Store, value: Checkpoint) -> list[str]:
    """After a commit: task state from the now (where the file is kept), scratch into the record, snapshot anew.

    Returns what could not be done, one sentence each; the checkpoint stands either way.
    """
    wrong = []
    path = paths(store.place)[STATE]
    try:
        if path.exists():
            found = parts(value)
            named = {"step": found.current_step, "next": found.next_steps, "waiting": found.waiting_on}
            text = brought_up(path.read_text(encoding="utf-8-sig", errors="replace"), named, block(value.now, DONE))
            put(path, text.encode("utf-8", "replace"))
        emptied(store, store.place)
    except (OSError, CuratorError) as error:
        wrong.append(f"task state and scratch stay as they were: {error}")
    if failed := refocus(store, store.place):
        wrong.append(failed)
    return wrong


def noting(store: Store) -> Callable[[Session, tables.Session, str, Checkpoint, Checkpoint | None], None]:
    """What a commit does with the new checkpoint in its own transaction: offer what is new in it as notes."""

    def follow(session: Session, of: tables.Session, ident: str, value: Checkpoint, before: Checkpoint | None) -> None:
        harvest(
            session,
            store.project_id,
            value,
            before,
            session_id=of.session_id,
            client=of.client,
            ident=ident,
            limit=store.settings.note_bytes,
            now=store.now(),
        )

    return follow
