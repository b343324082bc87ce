"""The bearer token of the HTTP form: the person's own, kept beside their settings, readable by them only."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from curator.config import user_config
from curator.errors import BadUsage, NotAllowed

VARIABLE = "CURATOR_MCP_TOKEN"
"""Gives the token instead of the file."""

_SHORTEST = 16


def token(env: Mapping[str, str]) -> tuple[str, str]:
    """The token and where it is from, for a person to read it there; made where there is none yet.

    Raises `BadUsage` for one that is too short to be a secret, `NotAllowed` where others can read the file.
    """
    if given := env.get(VARIABLE, "").strip():
        return _long_enough(given, VARIABLE), VARIABLE
    path = user_config(env).parent / "mcp.token"
    try:
        return _long_enough(_read(path), str(path)), str(path)
    except FileNotFoundError:
        return _make(path), str(path)


def _read(path: Path) -> str:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, encoding="ascii", errors="replace") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise NotAllowed(f"{path} is not a plain file, so it holds no token")
        if os.name == "posix" and (found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077):
            raise NotAllowed(f"{path} can be read by others, so it is no secret: remove it, and another one is made")
        return file.read(1000).strip()


def _make(path: Path) -> str:
    import secrets

    made = secrets.token_urlsafe(32)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another server was faster
        return _read(path)
    with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
        file.write(f"{made}\n")
    return made


def _long_enough(value: str, where: str) -> str:
    if len(value) < _SHORTEST or not value.isascii() or not value.isprintable() or " " in value:
        raise BadUsage(f"{where}: a token has at least {_SHORTEST} printable ASCII characters and no blank")
    return value
