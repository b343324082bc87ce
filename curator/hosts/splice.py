"""Edits of JSON text that change only what they name: add a part at the end, take a part out, replace a value.

Owns the look of what is added (the file's own indentation, line ends, trailing comma); knows nothing of hooks.
Standard library only.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from curator.hosts.jsonc import Item, Node

_BLANK = " \t\r\n"
_LINE_END = re.compile(r"[ \t]*\r?\n")


@dataclass(frozen=True)
class Style:
    """How a file is laid out: its line end, and one step of indentation ("" for a file written on one line)."""

    newline: str
    step: str


def style_of(text: str, root: Node) -> Style:
    """The layout of a document, from its first line break and its first indented member."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if not root.items:
        return Style(newline, "  ")
    inside = text[root.start : root.items[0].start]
    if "\n" not in inside:
        return Style(newline, "")
    return Style(newline, _indent(text, root.items[0].start) or "  ")


def append(text: str, container: Node, key: str | None, value: Any, style: Style) -> str:
    """The text with a part added at the end of an object (with its key) or array."""
    close = container.end - 1
    if not container.items:
        return _append_to_empty(text, container, key, value, style)
    last = container.items[-1]
    first = container.items[0]
    at = len(text[:close].rstrip(_BLANK))
    if "\n" in text[container.start : first.start]:
        indent = _indent(text, first.start)
        lead, shown = style.newline + indent, _shown(key, value, style, indent)
    else:
        lead, shown = " ", _shown(key, value, Style(style.newline, ""), "")
    if _in_line_comment(text, last.end, at) and "\n" not in lead:
        lead = style.newline
    if last.comma >= 0:
        return text[:at] + lead + shown + "," + text[at:]
    return text[: last.end] + "," + text[last.end : at] + lead + shown + text[at:]


def remove(text: str, container: Node, item: Item) -> str:
    """The text without one part of a container, its comma and the blank before it; comments stay."""
    index = container.items.index(item)
    before = container.items[index - 1] if index else None
    begin = len(text[: item.start].rstrip(_BLANK))
    if item.comma >= 0:
        rest = text[item.end : item.comma] + text[item.comma + 1 :]
        if before is None and len(container.items) > 1 and "\n" not in text[begin : item.start]:
            return text[: item.start] + rest.lstrip(_BLANK)
    else:
        rest = text[item.end :]
    head = text[:begin]
    if before is not None and item.comma < 0:
        head = text[: before.comma] + text[before.comma + 1 : begin]
    if len(container.items) == 1 and not text[item.end : container.end - 1].strip(_BLANK + ","):
        rest = text[container.end - 1 :]
    if _in_line_comment(text, before.end if before else container.start, begin) and not _LINE_END.match(rest):
        head += text[begin : text.index("\n", begin) + 1]
    return head + rest


def replace(text: str, node: Node, value: Any) -> str:
    """The text with another value in a node's place."""
    return text[: node.start] + json.dumps(value, ensure_ascii=False) + text[node.end :]


def _append_to_empty(text: str, container: Node, key: str | None, value: Any, style: Style) -> str:
    close = container.end - 1
    at = len(text[:close].rstrip(_BLANK))
    if not style.step and not _in_line_comment(text, container.start, at):
        return text[:at] + _shown(key, value, style, "") + text[close:]
    outer = _indent(text, container.start)
    inner = outer + style.step
    added = style.newline + inner + _shown(key, value, style, inner) + style.newline + outer
    return text[:at] + added + text[close:]


def _shown(key: str | None, value: Any, style: Style, indent: str) -> str:
    dumped = json.dumps(value, ensure_ascii=False, indent=style.step or None)
    dumped = dumped.replace("\n", style.newline + indent)
    return dumped if key is None else f"{json.dumps(key, ensure_ascii=False)}: {dumped}"


def _indent(text: str, at: int) -> str:
    """The blank that the line of a place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    match = re.match(r"[ \t]*", line.lstrip("\ufeff"))
    return match.group() if match else ""


def _in_line_comment(text: str, begin: int, end: int) -> bool:
    """Does the stretch end inside a `//` comment?"""
    tail = re.sub(r"/\*.*?\*/", "", text[begin:end], flags=re.DOTALL)
    return "//" in tail[tail.rfind("\n") + 1 :]
