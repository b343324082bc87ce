"""The snapshot: what the hooks know, composed from the store and replaced as a whole.

Owns when it is written and the lock that keeps an older view from replacing a newer one. `refresh` follows every
decision, checkpoint and ingest; `refocus` also learns anew what is being worked on, which may ask git.
"""

import contextlib
import time
from pathlib import Path

from curator.errors import CuratorError
from curator.place import Place
from curator.snapshot.work import Seen, look
from curator.store.engine import Store

__all__ = ["Seen", "look", "refocus", "refresh"]

_SECONDS = 5.0


def refresh(store: Store) -> str:
    """Rewrite the snapshot; returns what went wrong in one sentence, "" when nothing did. Never raises for the disk."""
    return _rewritten(store, None)


def refocus(store: Store, place: Place, seen: Seen | None = None) -> str:
    """Like `refresh`, with relevance computed anew for the worktree that `place` lies in (git is asked there).

    Also judges anew what became of the entries that the newest sessions were handed.
    """
    from curator.snapshot.evidence import judge

    with contextlib.suppress(CuratorError):  # a store that only can be read still gets its snapshot
        judge(store)
    return _rewritten(store, seen or look(store, place))


def _rewritten(store: Store, seen: Seen | None) -> str:
    from curator.snapshot.compose import composed
    from curator.snapshot.file import replace
    from curator.store.lock import held

    folder, asked = store.place.folder, time.time_ns()
    lock = folder / "snapshot.lock"
    try:
        with held(lock, _SECONDS):
            began = time.time_ns()
            if seen is None and asked < _covered(lock) <= began:
                return ""
            replace(folder, composed(store, seen))
            lock.write_text(str(began), encoding="ascii")
    except OSError as error:
        return f"the snapshot {folder} could not be written: {error.strerror}; new sessions get the previous one"
    except CuratorError as error:
        return f"the snapshot was not rewritten: {error}"
    return ""


def _covered(lock: Path) -> int:
    """When the snapshot that stands was begun: who asked before that and had to wait need not write it again."""
    try:
        return int(lock.read_text(encoding="ascii") or 0)
    except (OSError, ValueError):
        return 0


def next_tokens(store: Store) -> int:
    """Tokens of memories (with Claude's margin) that the next session in the main worktree will be handed."""
    from curator.brief.compose import compose
    from curator.brief.gather import gather
    from curator.place import Spot

    place = store.place
    spot = Spot(str(place.root), str(place.top), place.worktree, True)
    asked = gather(spot, source="startup", client="claude", today=store.now().date().toordinal())
    return compose(asked).pick.tokens
