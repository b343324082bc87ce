"""What the tools import, loaded once and by one thread.

Two threads that import one half each of modules that need each other get an `ImportError`; the calls of a server run
in threads. Loaded with the first call and not at the start, because a client starts a server in every session.
"""

import importlib
import threading

_NEEDED = (
    "curator.store.opening",
    "curator.recall.search",
    "curator.recall.telling",
    "curator.recall.reading",
    "curator.harvest.remembering",
    "curator.harvest.spooled",
    "curator.cycle.checkpoints.current",
    "curator.cycle.checkpoints.tools",
    "curator.cycle.suggesting",
    "curator.snapshot.outlook",
    "curator.snapshot.compose",
    "curator.snapshot.evidence",
)
_lock = threading.Lock()
_done: list[bool] = []


def load() -> None:
    """Import everything that a tool needs (0.6 s of processor time the first time)."""
    with _lock:
        if not _done:
            for name in _NEEDED:
                importlib.import_module(name)
            _done.append(True)
