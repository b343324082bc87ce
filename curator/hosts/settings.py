"""Our entries in a client's `hooks` table: put in, found again, taken out, with every other byte kept.

Works on text in the format that Claude Code, Codex and Gemini CLI share: `hooks` holds, for each event, groups with a
matcher and a list of commands. Pure; files are `curator.hosts.plug`'s. Standard library only.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from curator.hosts.hookline import words_of
from curator.hosts.jsonc import Item, Malformed, Node, elements, parse
from curator.hosts.splice import append, remove, replace, style_of


@dataclass(frozen=True)
class Wanted:
    """One entry to have: the client's name of the event, the tools or sources it is for ("" = all), seconds."""

    event: str
    command: str
    timeout: int
    matcher: str = ""

    @property
    def group(self) -> dict[str, Any]:
        """The entry as it stands in the file."""
        hook = {"type": "command", "command": self.command, "timeout": self.timeout}
        return {**({"matcher": self.matcher} if self.matcher else {}), "hooks": [hook]}


@dataclass(frozen=True)
class Found:
    """An entry of ours in a file: `words` is what it hands to `curator hook`."""

    event: str
    command: str
    words: tuple[str, ...]
    line: int


def install(text: str, wanted: tuple[Wanted, ...]) -> str:
    """The text with each wanted entry in it once; the same text where they are all there already.

    An entry that is there keeps the timeout and matcher a person gave it; only its command is brought up to date.
    Raises `Malformed` where the text cannot be read or a part of it is of another type than clients take.
    """
    start = new = f"{text}{{}}\n" if _blank(text) else text
    for entry in wanted:
        new = _install_one(new, entry)
    if parse(uninstall(new, start)).value != parse(uninstall(start, start)).value:
        raise Malformed(text, 0, "the entries cannot be added without changing others")
    return new


def uninstall(text: str, before: str = "") -> str:
    """The text without our entries and without what they leave empty, unless it stood empty in `before`."""
    kept = _containers(before)
    while not _blank(text) and (ours := next(_ours(text, parse(text)), None)):
        text = _remove_one(text, ours, kept)
    return text


def find(text: str) -> tuple[Found, ...]:
    """Our entries in a text, in order. Raises `Malformed`."""
    return tuple(
        Found(place.event.key or "", place.command, place.words, text.count("\n", 0, place.hook.start) + 1)
        for place in ([] if _blank(text) else _ours(text, parse(text)))
    )


def snippet(wanted: tuple[Wanted, ...]) -> str:
    """What a person would add by hand."""
    hooks: dict[str, list[Any]] = {}
    for entry in wanted:
        hooks.setdefault(entry.event, []).append(entry.group)
    return json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False)


@dataclass(frozen=True)
class _Place:
    """Where one of our commands stands: event member, group element, hook element, and its command's value."""

    event: Item
    group: Item
    hook: Item
    value: Node
    words: tuple[str, ...]

    @property
    def command(self) -> str:
        return str(self.value.value)


def _ours(text: str, root: Node) -> Iterator[_Place]:
    """Every command of ours; parts of unknown shape are passed over, for other tools may add some."""
    hooks = _hooks(text, root)
    for event in hooks.node.items if hooks else ():
        for group in elements(event.node):
            inner = group.node.get("hooks")
            for hook in elements(inner.node if inner else None):
                command = hook.node.get("command")
                if command and isinstance(command.node.value, str) and (words := words_of(command.node.value)):
                    yield _Place(event, group, hook, command.node, words)


def _hooks(text: str, root: Node) -> Item | None:
    if not isinstance(root.value, dict):
        raise Malformed(text, root.start, "the document is not an object")
    hooks = root.get("hooks")
    if hooks and not isinstance(hooks.node.value, dict):
        raise Malformed(text, hooks.start, '"hooks" is not an object')
    return hooks


def _blank(text: str) -> bool:
    return not text.strip("\ufeff \t\r\n")


def _identity(event: str, words: tuple[str, ...]) -> tuple[str, str, str]:
    """What makes two entries the same one: the client's event, ours, and the part of the injection it is for."""
    part = words[words.index("--part") + 1 :][:1] if "--part" in words else ()
    return event, words[0] if words else "", "".join(part)


def _install_one(text: str, entry: Wanted) -> str:
    root = parse(text)
    style = style_of(text, root)
    hooks = _hooks(text, root)
    if hooks is None:
        return append(text, root, "hooks", {entry.event: [entry.group]}, style)
    event = hooks.node.get(entry.event)
    if event is None:
        return append(text, hooks.node, entry.event, [entry.group], style)
    if not isinstance(event.node.value, list):
        raise Malformed(text, event.start, f'"{entry.event}" is not a list')
    identity = _identity(entry.event, words_of(entry.command))
    for place in _ours(text, root):
        if _identity(place.event.key or "", place.words) == identity:
            return text if place.command == entry.command else replace(text, place.value, entry.command)
    return append(text, event.node, None, entry.group, style)


def _remove_one(text: str, place: _Place, kept: set[str]) -> str:
    """Take out one command, then each container that this leaves empty, from the inside outwards."""
    root = parse(text)
    hooks = _hooks(text, root)
    inner = place.group.node.get("hooks")
    assert hooks and inner
    if len(inner.node.items) > 1:
        return remove(text, inner.node, place.hook)
    if len(place.event.node.items) > 1 or place.event.key in kept:
        return remove(text, place.event.node, place.group)
    if len(hooks.node.items) > 1 or "" in kept:
        return remove(text, hooks.node, place.event)
    return remove(text, root, hooks)


def _containers(before: str) -> set[str]:
    """The names of the events that stood in an earlier text, and "" where it had `hooks` at all."""
    try:
        hooks = parse(before).get("hooks") if before else None
    except Malformed:
        return set()
    return {"", *(item.key or "" for item in hooks.node.items)} if hooks else set()
