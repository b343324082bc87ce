"""The mind: four sections under nine fixed heading lines, revised in place and otherwise kept byte for byte.

Owns the template, sizes, what is wrong with a mind, and its form when a section is shown cut. Mission entries are
`curator.checkpoint.mission`'s.
"""

import re
from collections.abc import Sequence

from curator.checkpoint import headings
from curator.checkpoint.share import cut, level
from curator.ports import Count

MISSION = "## Mission"
AGREEMENTS = "## Agreements"
DECISIONS = "# 3. Key decisions"
LESSONS = "# 4. Lessons"
HEADINGS = (
    "# 1. Where I stand",
    "## For whom and why",
    "## What I own",
    AGREEMENTS,
    "# 2. Goals",
    MISSION,
    "## Workstreams",
    DECISIONS,
    LESSONS,
)
SECTIONS = tuple(heading for heading in HEADINGS if heading.startswith("# "))
BLOCKS = tuple(heading for heading in HEADINGS if heading not in ("# 1. Where I stand", "# 2. Goals"))

_NUMBERED = re.compile(r"# \d+\. ")
_EMPTY = re.compile(r"\(none(?: yet)?(?::[^()\n]*)?\)", re.IGNORECASE)


def inside(heading: str) -> tuple[str, ...]:
    """The fixed headings that stand under a section's; none for a block."""
    at = HEADINGS.index(heading)
    later = [place for place in range(at + 1, len(HEADINGS)) if HEADINGS[place] in SECTIONS]
    return HEADINGS[at + 1 : later[0] if later else len(HEADINGS)] if heading in SECTIONS else ()


def placeholder(heading: str) -> str:
    """The one line that stands in an empty block."""
    return f"(none yet: {re.sub(r'^#+ (?:[0-9]+[.] )?', '', heading).lower()})"


def template(mind: str = "") -> str:
    """What the next checkpoint starts from: the mind as it is, a blank or `(none)` block with its placeholder."""
    if not mind:
        return "\n".join(f"{h}\n{placeholder(h)}\n" if h in BLOCKS else f"{h}\n" for h in HEADINGS)
    found, out, at = headings.blocks(mind, HEADINGS), [], 0
    for heading in BLOCKS:
        begin, end = found.get(heading, (0, 0))
        if begin and empty(mind[begin:end]) and mind[begin:end].strip() != placeholder(heading):
            gap = "" if mind[:begin].endswith("\n") else "\n"
            out += [mind[at:begin], f"{gap}{placeholder(heading)}\n", "\n" if end < len(mind) else ""]
            at = end
    return "".join([*out, mind[at:]])


def empty(block: str) -> bool:
    """Blank, or nothing but a placeholder."""
    return not block.strip() or bool(_EMPTY.fullmatch(block.strip()))


def block(mind: str, heading: str) -> str:
    """What stands under one fixed heading, without blank ends; empty for a placeholder."""
    begin, end = headings.blocks(mind, HEADINGS).get(heading, (0, 0))
    text = mind[begin:end].strip()
    return "" if empty(text) else text


def says_nothing(mind: str) -> bool:
    """Is every block empty, and does nothing stand elsewhere?"""
    found = headings.blocks(mind, HEADINGS)
    if not found:
        return not mind.strip("\ufeff \t\r\n")
    before = mind.split(next(iter(found)), 1)[0]
    return not before.strip("\ufeff \t\r\n") and all(empty(mind[begin:end]) for begin, end in found.values())


def sizes(mind: str, count: Count) -> dict[str, int]:
    """Raw tokens of each section, without fixed headings and placeholders."""
    found = headings.blocks(mind, HEADINGS)
    totals = dict.fromkeys(SECTIONS, 0)
    section = SECTIONS[0]
    for heading in HEADINGS:
        section = heading if heading in SECTIONS else section
        begin, end = found.get(heading, (0, 0))
        if not empty(mind[begin:end]):
            totals[section] += count(mind[begin:end].strip())
    return totals


def structure(mind: str) -> list[str]:
    """What is wrong with the headings."""
    told = headings.problems(mind, HEADINGS)
    for line in headings.lines(mind):
        if not line.fenced and _NUMBERED.match(line.text) and line.text not in HEADINGS:
            told.append(f"`{line.text[:60]}` is no heading of the mind; use a deeper one")
    return told


def too_long(mind: str, limits: Sequence[int], count: Count) -> list[str]:
    """One sentence for each section over its limit, with size and limit."""
    measured = sizes(mind, count)
    return [
        f"`{section}` has {measured[section]} tokens, its limit is {limit}"
        for section, limit in zip(SECTIONS, limits, strict=True)
        if measured[section] > limit
    ]


def shown(mind: str, limits: Sequence[int], count: Count, copy: str) -> str:
    """The mind as the text shows it: in a section over its limit the longest blocks are cut to one common share.

    `copy` tells where the whole mind can be read.
    """
    measured, found = sizes(mind, count), headings.blocks(mind, HEADINGS)
    cuts: dict[int, tuple[int, str]] = {}
    for section, limit in zip(SECTIONS, limits, strict=True):
        if measured[section] > limit:
            spans = [found[heading] for heading in _parts(section) if heading in found]
            bodies = [mind[begin:end].strip() for begin, end in spans]
            share = level([0 if empty(body) else count(body) for body in bodies], limit)
            for (begin, end), body in zip(spans, bodies, strict=True):
                if not empty(body) and count(body) > share:
                    kept = cut(body, share, count).rstrip()
                    cuts[begin] = (
                        end,
                        f"{kept}\n[cut at the limit of {limit} tokens; the whole mind is in {copy}]\n\n",
                    )
    out, at = [], 0
    for begin, (end, text) in sorted(cuts.items()):
        out += [mind[at:begin], text]
        at = end
    return "".join([*out, mind[at:]])


def _parts(section: str) -> tuple[str, ...]:
    """A section's own heading and those of its blocks."""
    first = HEADINGS.index(section)
    later = [at for at in map(HEADINGS.index, SECTIONS) if at > first]
    return HEADINGS[first : later[0] if later else len(HEADINGS)]
