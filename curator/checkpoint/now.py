"""The now: one `<checkpoint>` block, rewritten whole each time.

Owns finding the block in an answer, its headings and its least length; every way to be wrong has its own reason.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from curator.checkpoint import headings
from curator.ports import Count

CURRENT = "## Current step"
DONE = "### Done"
WAITING = "## Waiting on"
NEXT = "## Next steps"
PITFALLS = "## Pitfalls"
REFERENCES = "## Exact references"
HEADINGS = (
    "# 6. Now",
    CURRENT,
    "## Progress",
    DONE,
    "### In progress",
    "### Blocked or open",
    WAITING,
    NEXT,
    PITFALLS,
    REFERENCES,
)
NONE = "(none)"

_TAG = re.compile(r"<\s*(/?)\s*checkpoint(?=[\s/>])([^<>]*)>", re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """The text between the tags, and what is wrong; `text` is empty when no single block could be told."""

    text: str
    problems: tuple[str, ...] = ()


def read(answer: str, least: int, count: Count) -> Block:
    """The one block of an answer, and every problem of it. Text outside the block is ignored."""
    text, reason = _between_tags(answer)
    if reason:
        return Block("", (reason,))
    told = headings.problems(text, HEADINGS)
    size = count(text.strip())
    if size < least:
        told.insert(0, f"the now has {size} tokens, the least is {least}")
    return Block(text.strip(), tuple(told))


def template() -> str:
    """A block with nothing in it, as the request shows its form."""
    return "<checkpoint>\n" + "\n".join(_empty(heading) for heading in HEADINGS) + "\n</checkpoint>"


def block(now: str, heading: str) -> str:
    """What stands under one heading; empty for `(none)`."""
    begin, end = headings.blocks(now, HEADINGS).get(heading, (0, 0))
    text = now[begin:end].strip()
    return "" if text.lower() == NONE else text


def _empty(heading: str) -> str:
    return heading if heading in ("# 6. Now", "## Progress") else f"{heading}\n{NONE}"


def _between_tags(answer: str) -> tuple[str, str]:
    tags = list(_TAG.finditer(answer))
    opening = [tag for tag in tags if not tag[1]]
    closing = [tag for tag in tags if tag[1]]
    if not tags:
        return "", "there is no <checkpoint> block"
    if any(tag[2].strip() for tag in tags):
        return "", "the <checkpoint> tag carries attributes; it takes none"
    if not opening:
        return "", "there is only a closing </checkpoint> tag"
    if not closing:
        return "", "the <checkpoint> block is not closed"
    if any(not a[1] and not b[1] for a, b in pairwise(tags)):
        return "", "a <checkpoint> block stands inside another"
    if len(opening) > 1:
        return "", f"there are {len(opening)} <checkpoint> blocks; one is wanted"
    if len(closing) > 1 or closing[0].start() < opening[0].start():
        return "", "there is a closing </checkpoint> tag too many"
    return answer[opening[0].end() : closing[0].start()], ""
