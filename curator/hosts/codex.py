"""Codex: where its sessions are. Who said what in them is told in `codex_rows`.

Standard library only; never writes into the client's folders.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curator.errors import CuratorError
from curator.hosts.codex_rows import Reader
from curator.place import Place, find
from curator.transcript import Record, open_file, records

__all__ = ["Reader", "carried", "home_folder", "is_agents", "session_named", "sessions"]


def sessions(place: Place, *, env: Mapping[str, str] | None = None, home: Path | None = None) -> list[Path]:
    """The rollouts of work in a project, wherever in it, oldest first."""
    found = (home_folder(env, home) / "sessions").glob("*/*/*/rollout-*.jsonl")
    projects: dict[str, Path | None] = {}
    return sorted((path for path in found if _project(path, projects) == place.root), key=lambda path: path.name)


def home_folder(env: Mapping[str, str] | None = None, home: Path | None = None) -> Path:
    """The client's own folder; `CODEX_HOME` overrides it."""
    env = os.environ if env is None else env
    return Path(env.get("CODEX_HOME") or (home or Path.home()) / ".codex")


def session_named(path: Path) -> str:
    """The session in a file's name: a rollout's comes after its time."""
    return path.stem[-36:] if path.name.startswith("rollout-") else path.stem


def carried(path: Path) -> list[str]:
    """The messages that Codex carries over each of its compactions, in order; its summary is encrypted."""
    found = []
    with open_file(path) as file:
        for record in records(file):
            held = record.data.get("payload") if isinstance(record, Record) else None
            if isinstance(held, dict) and isinstance(record, Record) and record.data.get("type") == "compacted":
                found.append("\n".join(_texts(held.get("replacement_history"))))
    return found


def _texts(history: object) -> Iterator[str]:
    for item in history if isinstance(history, list) else []:
        content = item.get("content") if isinstance(item, dict) else None
        for part in content if isinstance(content, list) else []:
            if isinstance(part, dict) and isinstance(text := part.get("text"), str):
                yield text


def is_agents(path: Path) -> bool:
    """Is this the rollout of a sub-agent?"""
    return path.name.startswith("rollout-") and _opening(path).get("thread_source") == "subagent"


def _project(path: Path, known: dict[str, Path | None]) -> Path | None:
    """The project that a rollout's first record says it ran in; None where that folder is gone."""
    cwd = str(_opening(path).get("cwd") or "")
    try:
        if cwd not in known:
            known[cwd] = find(Path(cwd)).root if cwd and Path(cwd).is_dir() else None
    except (OSError, CuratorError):
        return None
    return known[cwd]


def _opening(path: Path) -> dict[str, Any]:
    """What a rollout's first record says of the session; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            held = json.loads(file.readline())["payload"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return held if isinstance(held, dict) else {}
