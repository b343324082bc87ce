"""Texts that hold several statements, or too much for one: the parts a reviewer may want instead. Pure."""

import re

from curator.draft import Draft
from curator.sweep.slots import tokens

_ITEM = re.compile(r"(?m)^\s*[-*•]\s+(.+(?:\n(?!\s*[-*•]\s)\s{2,}.+)*)")
_NUMBERED = re.compile(r"(?m)^\s*\d{1,2}[.)]\s+(.+)$")
_INLINE = re.compile(r"(?:^|(?<=[\s:：;；。.,，]))\(?(\d{1,2})(?:[.)]\s+|[、）])")
_RULE = re.compile(
    r"\b(?:always|never|must|do not|don't|only|avoid|every|prefer|should|no)\b|必须|不要|禁止|一律|只能|总是|不得",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
FEWEST = 3
SHORTEST = 4
"""Items of fewer words are the parts of one statement, not statements."""


def parts_of(whole: Draft) -> tuple[Draft, ...]:
    """One draft for each statement of a list of at least three; empty when it is one statement.

    A numbered list counts only where every item is a rule: else it is the steps of one procedure.
    """
    items = [" ".join(item.split()) for item in _ITEM.findall(whole.body)]
    numbered = [] if items else [" ".join(item.split()) for item in _NUMBERED.findall(whole.body)]
    numbered = numbered if items or len(numbered) >= FEWEST else _inline(whole.body)
    if all(_RULE.search(item) for item in numbered):
        items = items or numbered
    if len(items) < FEWEST or any(len(tokens(item)) < SHORTEST for item in items):
        return ()
    listed = sum(len(item) for item in items)
    if listed < 0.6 * len(whole.body):
        return ()  # prose with a list in it
    return tuple(whole.with_(title="", body=item, entry_id="") for item in items)


def _inline(text: str) -> list[str]:
    """The items of a list written in one line, such as `1. … 2. … 3. …`; empty where the numbers do not count up."""
    marks = list(_INLINE.finditer(text))
    if not marks or [int(mark[1]) for mark in marks] != list(range(1, len(marks) + 1)):
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [text[mark.end() : end].strip(" ;；,，\n") for mark, end in zip(marks, ends, strict=True)]


def shorter(whole: Draft, count: int, limit: int) -> tuple[Draft, ...]:
    """A draft of `count` tokens cut at paragraphs or sentences into parts of about `limit`; empty when it cannot be."""
    pieces = [p.strip() for p in _PARAGRAPH.split(whole.body) if p.strip()]
    if len(pieces) < 2:
        pieces = [p.strip() for p in _SENTENCE.split(whole.body) if p and p.strip()]
    wanted = -(-count // limit)
    if len(pieces) < 2 or wanted < 2:
        return ()
    size = sum(len(piece) for piece in pieces) / wanted
    groups: list[str] = []
    for piece in pieces:
        if groups and len(groups[-1]) + len(piece) <= size * 1.25:
            groups[-1] += (" " if len(piece) < 400 else "\n\n") + piece
        else:
            groups.append(piece)
    return tuple(whole.with_(title="", body=group, entry_id="") for group in groups) if len(groups) > 1 else ()
