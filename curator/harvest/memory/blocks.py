"""The blocks of a section as a small tree: paragraphs, lists with what is nested in them, code, tables, quotations.

Owns the only use of the markdown parser. Source lines stay as they were written; no inline markup is touched.
"""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # 50 ms
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

DEEPEST = 20
"""Levels of nesting that are told apart; what is deeper stays text of its parent."""


@dataclass(frozen=True)
class Block:
    """`kind`: paragraph, bullets, numbers, item, quote, code, table or rule. `line` counts from 1 in the file.

    `text` is a paragraph's words, or the source lines of code and tables; lists, items and quotes have `parts`.
    """

    kind: str
    line: int
    text: str = ""
    parts: tuple["Block", ...] = ()

    @property
    def words(self) -> str:
        """An item's own words: its paragraphs, without what is nested in it."""
        return " ".join(" ".join(part.text.split()) for part in self.parts if part.kind == "paragraph")

    @property
    def nested(self) -> tuple["Block", ...]:
        """What is nested in an item."""
        return tuple(part for part in self.parts if part.kind != "paragraph")

    @property
    def is_list(self) -> bool:
        """Is it a list?"""
        return self.kind in {"bullets", "numbers"}


_OPEN = {
    "bullet_list_open": "bullets",
    "ordered_list_open": "numbers",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "paragraph_open": "paragraph",
    "heading_open": "paragraph",
    "table_open": "table",
}
_ALONE = {"fence": "code", "code_block": "code", "hr": "rule", "html_block": "paragraph"}


def blocks(text: str, line: int) -> tuple[Block, ...]:
    """The blocks of a text whose first line has this number in its file. Never raises."""
    tokens = _parser().parse(text)
    return tuple(_tree(iter(tokens), text.split("\n"), line))


def written(block: Block, depth: int = 0) -> str:
    """A block as text again, nested lists indented."""
    pad = "  " * depth
    if block.kind == "item":
        head, rest = block.words, [written(part, depth + 1) for part in block.nested]
        return "\n".join([f"{pad}- {head}", *rest])
    if block.is_list:
        items = [written(part, depth) for part in block.parts]
        if block.kind == "numbers":
            items = [item.replace("- ", f"{n}. ", 1) for n, item in enumerate(items, 1)]
        return "\n".join(items)
    if block.kind == "quote":
        return "\n".join(written(part, depth) for part in block.parts)
    return "\n".join(pad + each for each in block.text.split("\n"))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table")
    return parser.disable(["inline", "html_block", "reference", "heading", "lheading"])


def _tree(tokens: "Iterator[Token]", lines: Sequence[str], first: int, closing: str = "") -> Iterator[Block]:
    for token in tokens:
        if token.type == closing:
            return
        start, end = token.map or (0, 0)
        if kind := _ALONE.get(token.type):
            yield Block(kind, first + start, _source(lines, start, end))
        elif kind := _OPEN.get(token.type):
            close = token.type.replace("_open", "_close")
            if kind == "paragraph":
                inline = next(tokens)
                next(tokens)
                yield Block(kind, first + start, inline.content.strip())
            elif kind == "table":
                for inner in tokens:
                    if inner.type == close:
                        break
                yield Block(kind, first + start, _source(lines, start, end))
            else:
                yield Block(kind, first + start, "", tuple(_tree(tokens, lines, first, close)))


def _source(lines: Sequence[str], start: int, end: int) -> str:
    return textwrap.dedent("\n".join(lines[start:end])).rstrip()
