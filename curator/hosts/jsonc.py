"""JSON with comments and trailing commas, read with the place of every part, so that an edit is a splice.

Owns reading only; `curator.hosts.splice` owns edits. Nothing is ever re-serialised: what is not touched keeps its
bytes. Standard library only.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_DEEPEST = 200
_DECODER = json.JSONDecoder()


class Malformed(ValueError):
    """The text is not JSON, even with comments; `line` (from 1) is where reading stopped."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        super().__init__(f"line {self.line}: {reason}")


@dataclass(frozen=True)
class Node:
    """A value and its place, `text[start:end]`. `items` are the parts of an object or array, in order."""

    start: int
    end: int
    value: Any
    items: tuple["Item", ...] = ()

    def get(self, key: str) -> "Item | None":
        """The member of an object; the last one where a key stands twice, as readers of JSON do."""
        return next((item for item in reversed(self.items) if item.key == key), None)


@dataclass(frozen=True)
class Item:
    """A member of an object (`key` is text) or an element of an array (`key` is None).

    `start` is where its key or value begins; `comma` is the place of the comma after it, or -1.
    """

    key: str | None
    start: int
    node: Node
    comma: int

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.node.end


def parse(text: str) -> Node:
    """Read one document; a byte order mark before it is allowed. Raises `Malformed`."""
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    node = _value(text, at, 0)
    rest = _skip(text, node.end)
    if rest != len(text):
        raise Malformed(text, rest, f"{text[rest]!r} after the end of the document")
    return node


def loads(text: str) -> Any:
    """The value of a document: the fast way where it is plain JSON. Raises `Malformed`."""
    try:
        return json.loads(text)
    except ValueError:
        return parse(text).value


def elements(node: Node | None) -> Iterator[Item]:
    """The parts of an array; nothing where there is no array."""
    if node is not None and isinstance(node.value, list):
        yield from node.items


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> Node:
    char = text[at : at + 1]
    if depth > _DEEPEST:
        raise Malformed(text, at, "nested too deeply")
    if char == "{":
        return _object(text, at, depth)
    if char == "[":
        return _array(text, at, depth)
    if char == '"':
        value, end = _string(text, at)
        return Node(at, end, value)
    if match := _SCALAR.match(text, at):
        return Node(at, match.end(), json.loads(match.group()))
    raise Malformed(text, at, f"{char!r} where a value should begin" if char else "the document ends too early")


def _string(text: str, at: int) -> tuple[str, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise Malformed(text, at, error.msg) from error
    return str(value), end


def _object(text: str, start: int, depth: int) -> Node:
    items: list[Item] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise Malformed(text, at, "a name in double quotes should stand here")
        key, end = _string(text, at)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise Malformed(text, colon, f"no colon after {key!r}")
        node = _value(text, _skip(text, colon + 1), depth + 1)
        item, at = _closed(text, key, at, node, "}")
        items.append(item)
    return Node(start, at + 1, {item.key: item.node.value for item in items}, tuple(items))


def _array(text: str, start: int, depth: int) -> Node:
    items: list[Item] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        item, at = _closed(text, None, at, _value(text, at, depth + 1), "]")
        items.append(item)
    return Node(start, at + 1, [item.node.value for item in items], tuple(items))


def _closed(text: str, key: str | None, start: int, node: Node, closing: str) -> tuple[Item, int]:
    """The finished part and where the next one, or the closing bracket, stands."""
    at = _skip(text, node.end)
    if text[at : at + 1] == ",":
        return Item(key, start, node, at), _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise Malformed(
            text, at, f"neither a comma nor {closing!r}" if at < len(text) else "the document ends too early"
        )
    return Item(key, start, node, -1), at
