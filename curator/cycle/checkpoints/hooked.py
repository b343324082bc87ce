"""A checkpoint without a model, from a hook: before the client compresses, what the person said is kept.

Owns the store's side of `curator.checkpoint.free`. Idempotent: with nothing new it adds nothing.
"""

import subprocess
from pathlib import Path

from curator.checkpoint import built, finished
from curator.checkpoint.limits import window_of
from curator.cycle.checkpoints.opening import sources
from curator.cycle.checkpoints.rows import rows_of, session_named
from curator.cycle.checkpoints.shelf import Stored, attempted, named, newest, put
from curator.ports import Count
from curator.store.engine import Store

_SECONDS = 2.0


def without_model(store: Store, count: Count, session_id: str = "") -> Stored | None:
    """Build and store the checkpoint of a session as it stands; None where nothing was said since the last one.

    Raises `NotFound` where there is no such session.
    """
    with store.read() as session:
        of = session_named(session, store.project_id, session_id, store.place.worktree)
    here = of.worktree == store.place.worktree or not of.path
    git = git_line(store.place.top if here else Path(of.path))
    with store.write() as session:
        before = newest(session, store.project_id, of.session_id)
        rows = rows_of(session, store.project_id, of.session_id)
        window = window_of(of.client, store.settings.window)
        value = built(rows, before.value if before else None, window, count, git)
        if value is None:
            return None
        value = finished(value, window, count, sources(store, of.session_id))
        parent = before.ident if before else ""
        ident = put(session, store.project_id, of, value, parent=parent, window=window.tokens, now=store.now())
        audit = {
            "made_by": "hook",
            "helped": True,
            "tokens": value.tokens,
            "rounds": 0,
            "problems": [],
            "fallbacks": [],
        }
        attempted(session, store.project_id, of.session_id, "committed", audit, store.now(), ident)
        return named(session, store.project_id, ident)


def git_line(top: Path) -> str:
    """Branch, head and the number of uncommitted files, in one line; empty without git."""
    head = _git(top, "log", "-1", "--format=%h %s")
    if not head:
        return ""
    branch = _git(top, "rev-parse", "--abbrev-ref", "HEAD")
    changed = len(_git(top, "status", "--porcelain=v1").splitlines())
    return f"{branch} at {head}; {changed} files not committed" if changed else f"{branch} at {head}; all committed"


def _git(top: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(top), *words], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
