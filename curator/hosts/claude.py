"""Claude Code: where its sessions are. Who said what in them is told in `claude_rows`.

Standard library only; never writes into the client's folders.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from curator.hosts.claude_rows import Reader
from curator.place import Place, find
from curator.transcript import open_file

__all__ = ["Reader", "calling", "encoded", "home_folder", "ran_in", "sessions", "transcripts"]

_HEAD = 256 * 1024
_TAIL = 1024 * 1024
_NEWEST = 8
_CWD = re.compile(rb'"cwd":\s*"((?:[^"\\]|\\.)*)"')


def sessions(place: Place, *, env: Mapping[str, str] | None = None, home: Path | None = None) -> list[Path]:
    """The transcripts that the client keeps for work in a project, sub-agents' included, oldest first.

    The client's folder names are lossy (`my.shop` and `my-shop` are one): a folder whose sessions ran in another
    project that still exists is left out, and work in sub-folders and linked worktrees is found by where it ran.
    """
    kept = home_folder(env, home) / "projects"
    names = {encoded(place.top), encoded(place.root)}
    found: list[Path] = []
    for folder in sorted(kept.iterdir()) if kept.is_dir() else ():
        files = transcripts(folder) if folder.is_dir() else []
        here = next(filter(None, map(ran_in, files[:3])), None)
        if (here.root == place.root) if here else folder.name in names:
            found += files
    return sorted(found, key=lambda path: (path.parent.name == "subagents", path.stat().st_mtime, str(path)))


def calling(place: Place, call: str, *, env: Mapping[str, str] | None = None, home: Path | None = None) -> str:
    """The session that made a tool call, by the call's id: the client writes it down before it runs the tool.

    Empty where none of the newest transcripts has it. Several sessions may be open in one folder, and a variable of a
    process that outlives a session names the wrong one.
    """
    own = [path for path in sessions(place, env=env, home=home) if path.suffix == ".jsonl"]
    for path in reversed([path for path in own if path.parent.name != "subagents"][-_NEWEST:]):
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            if call.encode() in file.read():
                return path.stem
    return ""


def ran_in(path: Path) -> Place | None:
    """The project and worktree in which a transcript's session began, where that can still be seen."""
    with open_file(path) as file:
        head = file.read(_HEAD)
    for found in _CWD.finditer(head):
        cwd = Path(json.loads(b'"' + found.group(1) + b'"'))
        if cwd.is_dir():
            return find(cwd)
    return None


def transcripts(folder: Path) -> list[Path]:
    """Every transcript under a folder, oldest first; a session stands before its sub-agents'."""
    found = [path for path in folder.rglob("*") if path.name.endswith((".jsonl", ".jsonl.gz")) and path.is_file()]
    return sorted(found, key=lambda path: (path.parent.name == "subagents", path.stat().st_mtime, str(path)))


def home_folder(env: Mapping[str, str] | None = None, home: Path | None = None) -> Path:
    """The client's own folder; `CLAUDE_CONFIG_DIR` overrides it."""
    env = os.environ if env is None else env
    return Path(env.get("CLAUDE_CONFIG_DIR") or (home or Path.home()) / ".claude")


def encoded(folder: Path) -> str:
    """The name under which the client keeps a working directory's sessions: all but letters and digits is `-`."""
    return re.sub(r"[^A-Za-z0-9]", "-", str(folder))
