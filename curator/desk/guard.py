"""Who may decide: a person on a terminal that no agent owns, or the key a person made for scripts.

Every deciding command asks `person` first. This guards against an agent's habit and drift; it is no boundary against
a program that has the person's own rights and means harm (docs/explanation/who-may-decide.md). Standard library only.
"""

import getpass
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from curator.config import user_config
from curator.errors import NotAllowed
from curator.hosts.running import agent_variable
from curator.place import Place

KEY_FILE = "CURATOR_DECIDE_KEY_FILE"
"""Names the file with the person's key for scripts."""

WEB_VARIABLE = "CURATOR_REVIEW_TOKEN"
"""Hands the one-time token of `review --web` to the screen that the browser shows."""

_HEAD = "curator-decide-key 1"
_DIGEST_FILE = "review-token"


@dataclass(frozen=True)
class Decider:
    """Who decides, by name, and the way: terminal, key, demo or browser. Both stand in the ledger."""

    reviewer: str
    via: str


def person(
    place: Place, env: Mapping[str, str], stdin: TextIO | None, reviewer: str = "", *, demo: bool = False
) -> Decider:
    """The person who decides; `demo` marks a throwaway store in which a script may decide.

    Raises `NotAllowed` with a sentence that says what to do instead.
    """
    name = reviewer or login(env)
    variable = agent_variable(env)
    if demo and (variable or not on_terminal(stdin)):
        return Decider(name, "demo")
    if variable:
        raise NotAllowed(
            f"only a person decides, and {variable} shows that an agent runs this command: "
            "ask the person to run `curator review` in a terminal of their own"
        )
    if given := env.get(KEY_FILE):
        check_key(Path(given), place)
        return Decider(name, "key")
    if env.get(WEB_VARIABLE):
        _check_token(place, env[WEB_VARIABLE])
        return Decider(name, "browser")
    if on_terminal(stdin):
        return Decider(name, "terminal")
    raise NotAllowed(
        "only a person decides, and no terminal is attached: run this in a terminal, or let a person make a key for "
        f"scripts with `curator config decide-key` and name its file in {KEY_FILE}"
    )


def on_terminal(stdin: TextIO | None) -> bool:
    """Is a person's terminal attached?"""
    try:
        return stdin is not None and stdin.isatty()
    except ValueError:  # closed
        return False


def login(env: Mapping[str, str]) -> str:
    """The login name; the user's number where the system knows no name."""
    for name in ("LOGNAME", "USER", "USERNAME"):
        if env.get(name):
            return env[name]
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def make_key(place: Place, env: Mapping[str, str], stdin: TextIO | None) -> tuple[Path, bool]:
    """The person's key for scripts, and whether it was made just now. Raises `NotAllowed` without a person's terminal.

    Kept beside the person's own settings, readable by them only; the same key serves every project.
    """
    if variable := agent_variable(env):
        raise NotAllowed(f"only a person makes this key, and {variable} shows that an agent runs this command")
    if not on_terminal(stdin):
        raise NotAllowed("only a person makes this key: run `curator config decide-key` in a terminal")
    path = user_config(env).parent / "decide.key"
    if path.exists() or path.is_symlink():
        check_key(path, place)
        return path, False
    _outside(path, place)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    import secrets  # with hashlib 4 ms, which no other command needs

    token = secrets.token_hex(32)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
        file.write(f"{_HEAD}\n{token}\n{_check(token)}\n")
    return path, True


def check_key(path: Path, place: Place) -> None:
    """Raise `NotAllowed`, naming what is wrong, unless the file is a key of who runs this, and theirs alone."""
    try:
        found = path.lstat()
        _outside(path, place)
        if not stat.S_ISREG(found.st_mode):
            raise NotAllowed(f"{path} is not a plain file, so it is no decide key")
        if os.name == "posix" and found.st_uid != os.geteuid():
            raise NotAllowed(f"{path} belongs to another user, so it is not your decide key")
        if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
            raise NotAllowed(f"{path} can be read by others, so it is no decide key: `chmod 600` it")
        lines = path.read_text(encoding="ascii").split("\n")
    except (OSError, ValueError) as error:
        raise NotAllowed(f"{path} could not be read as a decide key; `curator config decide-key` makes one") from error
    if len(lines) < 3 or lines[0] != _HEAD or len(lines[1]) != 64 or lines[2] != _check(lines[1]):
        raise NotAllowed(f"{path} is no decide key; `curator config decide-key` makes one")


@contextmanager
def browser_token(place: Place) -> Iterator[str]:
    """A token that lets the screen started for one browser session decide while the block runs.

    The caller asked `person` before. Only the token's digest is kept, in the store's folder.
    """
    import secrets

    token = secrets.token_urlsafe(32)
    path = place.folder / f"{_DIGEST_FILE}-{secrets.token_hex(4)}"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(_check(token))
    try:
        yield token
    finally:
        path.unlink(missing_ok=True)


def _check_token(place: Place, token: str) -> None:
    import secrets

    for path in place.folder.glob(f"{_DIGEST_FILE}-*"):
        try:
            if not path.is_symlink() and secrets.compare_digest(path.read_text(encoding="ascii"), _check(token)):
                return
        except (OSError, ValueError):
            continue
    raise NotAllowed("this browser session has ended: start it again with `curator review --web`")


def _outside(path: Path, place: Place) -> None:
    real = path.resolve()
    for folder in {place.root.resolve(), place.top.resolve()}:
        if real.is_relative_to(folder):
            raise NotAllowed(f"{path} lies inside the project {folder}, where agents write; a decide key must not")


def _check(token: str) -> str:
    import hashlib

    return hashlib.sha256(f"{_HEAD}\n{token}".encode()).hexdigest()
