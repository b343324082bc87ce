"""The session ledger: what one session was already handed, in one small file per session.

Owns the file and its lock. A file that cannot be read counts as a session that was handed nothing; one that cannot
be written is no reason to hand over nothing. Holds no text of the person's.
"""

import os
import time

from curator.light import Any, digest, parsed, written

FOLDER = "sessions"
REPEAT = 5.0
"""Seconds within which the same text for the same session and source is a second registration of the hook."""

_WAIT = 0.2  # seconds that a hook waits for a neighbour's lock


def path_of(folder: str, session: str) -> str:
    """The ledger file of a session; its name never holds characters that the session's id brought."""
    name = digest(session)[:20]
    return os.path.join(folder, FOLDER, f"{name}.json")


def pause_mark(folder: str, session: str = "") -> str:
    """The file whose being there pauses the hooks of the store, or of one session."""
    return path_of(folder, session).removesuffix(".json") + ".off" if session else os.path.join(folder, "off")


def load(folder: str, session: str) -> dict[str, Any]:
    """What is known of a session; {} when nothing is."""
    return _load(path_of(folder, session)) if session else {}


def newest(folder: str, worktree: str) -> dict[str, Any]:
    """The ledger of the session that was handed something last in a worktree; {} when there is none."""
    try:
        files = sorted(os.scandir(os.path.join(folder, FOLDER)), key=lambda one: one.stat().st_mtime, reverse=True)
    except OSError:
        return {}
    for one in files[:50]:
        known = _load(one.path) if one.name.endswith(".json") else {}
        if known.get("worktree", "") == worktree and known.get("known"):
            return known
    return {}


class opened:
    """A session's ledger for changing; written back when the block ends. Processes take turns, for a bounded time.

    A ledger that cannot be stored is given all the same: its changes are then lost, with a line on stderr.
    """

    def __init__(self, folder: str, session: str) -> None:
        self.path = path_of(folder, session) if session else ""
        self.handle = -1
        self.known: dict[str, Any] = {}
        self.before = ""

    def __enter__(self) -> dict[str, Any]:
        if not self.path:
            return self.known
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            _complain(self.path, error)
            return self.known
        _lock(self.handle)
        self.known = _parsed(_all(self.handle))
        self.before = written(self.known)
        return self.known

    def __exit__(self, *failed: object) -> None:
        if self.handle < 0:
            return
        try:
            if failed[0] is None and (after := written(self.known)) != self.before:
                _replace(self.handle, self.path, after)
        finally:
            os.close(self.handle)


def repeats(known: dict[str, Any], digest: str, source: str, now: float) -> bool:
    """Was this very text handed over for this source a moment ago? Of two at once the later may come first."""
    last = known.get("last")
    return isinstance(last, list) and last[:2] == [digest, source] and abs(now - float(last[2])) < REPEAT


def _lock(handle: int) -> None:
    try:
        import fcntl
    except ImportError:  # no such lock on this system; the worst is a block that arrives twice
        return
    until = time.monotonic() + _WAIT
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if time.monotonic() > until:
                return
            time.sleep(0.005)


def _replace(handle: int, path: str, text: str) -> None:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        data = text.encode("utf-8", "replace")
        written = os.write(handle, data)
        os.ftruncate(handle, written)
    except OSError as error:
        _complain(path, error)


def _all(handle: int) -> bytes:
    parts = []
    while part := os.read(handle, 65_536):
        parts.append(part)
    return b"".join(parts)


def _load(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            return _parsed(file.read())
    except OSError:
        return {}


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        value = parsed(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _complain(path: str, error: OSError) -> None:
    import sys

    sys.stderr.write(f"curator: {path}: {error.strerror}\n")
