"""Our entry in Claude Code's tables of MCP servers: put in, found again, taken out, with every other byte kept.

Owns where those tables stand. No dated copy is kept of such a file: the client rewrites its own one all the time, and
it holds what is nobody else's business. Standard library only.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.errors import CuratorError
from curator.hosts import files
from curator.hosts.claude import home_folder
from curator.hosts.clients import Scope
from curator.hosts.hookline import Program
from curator.hosts.jsonc import Item, Malformed, Node, loads, parse
from curator.hosts.plug import Change, NotAdded
from curator.hosts.registered import enabled_plugins
from curator.hosts.splice import append, remove, replace, style_of

NAME = "curator"
WHAT = "the MCP server entry of curator only"
_SERVERS = "mcpServers"


@dataclass(frozen=True)
class Table:
    """A table of servers: the file, and the keys that lead to it from the outside in."""

    path: Path
    keys: tuple[str, ...] = (_SERVERS,)


@dataclass(frozen=True)
class Server:
    """An entry of ours: the file it stands in, and its command line; `plugin` is true for a plugin's."""

    path: Path
    words: tuple[str, ...]
    plugin: bool = False


def table(scope: Scope, top: Path, home: Path, env: Mapping[str, str] | None = None) -> Table:
    """Where Claude Code keeps the servers of a scope, for a project whose top folder is `top`."""
    if scope is Scope.PROJECT:
        return Table(top / ".mcp.json")
    env = os.environ if env is None else env
    folder = home_folder(env, home) if env.get("CLAUDE_CONFIG_DIR") else home
    own = folder / ".claude.json"
    return Table(own) if scope is Scope.USER else Table(own, ("projects", str(top), _SERVERS))


def registered(top: Path, home: Path, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Every entry of ours that holds for a session started in a project, plugins' included; passes over the rest."""
    for scope in Scope:
        one = table(scope, top, home, env)
        if words := words_of(_inside(_object(one.path), one.keys).get(NAME)):
            yield Server(one.path, words)
    for root in enabled_plugins(top, home, env):
        path = root / ".mcp.json"
        for entry in _inside(_object(path), (_SERVERS,)).values():
            if words := words_of(entry):
                yield Server(path, words, plugin=True)


def wanted(program: Program) -> dict[str, Any]:
    """The entry that starts this program. `-E` keeps the project's own PYTHONPATH out."""
    if sys.platform == "win32":
        return {"type": "stdio", "command": program.script, "args": ["mcp"]}
    return {"type": "stdio", "command": program.python, "args": ["-E", program.script, "mcp"]}


def words_of(entry: object) -> tuple[str, ...]:
    """The command line of an entry that starts our server; empty for anybody else's."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return ()
    args = entry.get("args")
    words = [entry["command"], *(arg for arg in (args if isinstance(args, list) else []) if isinstance(arg, str))]
    rest = words[1:] if re.search(r"python[0-9.]*(\.exe)?$", words[0]) else words
    while rest and rest[0].startswith("-"):
        rest = rest[1:]
    name = re.split(r"[\\/]", rest[0])[-1] if rest else ""
    return tuple(words) if name in {"curator", "curator.exe"} and "mcp" in rest[1:] else ()


def plan_install(where: Table, program: Program) -> Change:
    """What would change so that the table has our entry, up to date. Raises `NotAdded` where it cannot be."""
    old, entry = files.read(where.path), wanted(program)
    snippet = f'"{NAME}": {entry}'.replace("'", '"')
    try:
        new = install(old or "", where.keys, entry)
    except Malformed as error:
        raise NotAdded(f"{where.path}, {error}; nothing was changed", snippet) from error
    if new != old and files.is_read_only(where.path):
        raise NotAdded(f"{where.path} is read-only; nothing was changed", snippet)
    return Change(where.path, old, new, what=WHAT, copied=False)


def plan_uninstall(top: Path, home: Path, env: Mapping[str, str] | None = None) -> list[Change]:
    """What would change so that no table of a project has an entry of ours. Raises `CuratorError`."""
    tables = [table(scope, top, home, env) for scope in Scope]
    return [
        _without(path, [each.keys for each in tables if each.path == path])
        for path in dict.fromkeys(each.path for each in tables)
    ]


def _without(path: Path, tables: list[tuple[str, ...]]) -> Change:
    by_hand = f"nothing was changed. Take out {NAME!r} from {_SERVERS}"
    old = new = files.read(path)
    try:
        for keys in tables:
            new = uninstall(new, keys) if new else new
    except Malformed as error:
        raise CuratorError(f"{path}, {error}; {by_hand}") from error
    if new != old and files.is_read_only(path):
        raise CuratorError(f"{path} is read-only; {by_hand}")
    gone = new != old and new is not None and not new.strip("{} \t\r\n\ufeff")
    return Change(path, old, None if gone else new, what=WHAT, copied=False)


def install(text: str, keys: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """The text with our entry in the table; what a person added to it stays. Raises `Malformed`."""
    text = text if text.strip("\ufeff \t\r\n") else f"{text}{{}}\n"
    root = node = parse(text)
    for depth, key in enumerate((*keys, NAME)):
        if not isinstance(node.value, dict):
            raise Malformed(text, node.start, f'"{keys[depth - 1]}" is not an object' if depth else "is no object")
        item = node.get(key)
        if item is None:
            value: Any = dict(entry)
            for inner in reversed((*keys, NAME)[depth + 1 :]):
                value = {inner: value}
            return append(text, node, key, value, style_of(text, root))
        node = item.node
    if not words_of(node.value):
        raise Malformed(text, node.start, f'another server is called "{NAME}"')
    return _renewed(text, node, entry)


def uninstall(text: str, keys: tuple[str, ...]) -> str:
    """The text without our entry, and without the table where that leaves it empty. Raises `Malformed`."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    path: list[tuple[Node, Item]] = []
    node = parse(text)
    for key in (*keys, NAME):
        item = node.get(key) if isinstance(node.value, dict) else None
        if item is None:
            return text
        path.append((node, item))
        node = item.node
    if not words_of(node.value):
        return text
    (container, item), (above, own_table) = path[-1], path[-2]
    return remove(text, above, own_table) if len(container.items) == 1 else remove(text, container, item)


def _renewed(text: str, node: Node, entry: Mapping[str, Any]) -> str:
    """The entry with our command line; everything else in it stays."""
    parts = [(item.node, entry[key]) for key in ("command", "args") if (item := node.get(key))]
    if len(parts) < 2:
        return replace(text, node, {**node.value, **entry})
    for part, value in sorted(parts, key=lambda each: -each[0].start):  # from behind: places before stay right
        if part.value != value:
            text = replace(text, part, value)
    return text


def _object(path: Path) -> dict[str, Any]:
    try:
        found = loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _inside(value: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    for key in keys:
        inner = value.get(key)
        value = inner if isinstance(inner, dict) else {}
    return value
