"""Fixed headings in a Markdown text: finding them, and naming what is wrong with them.

Owns how a heading line is recognised: trailing blanks and CR do not matter, indentation does, and inside a fenced
code block nothing is a heading. Knows neither mind nor now.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True)
class Line:
    """One line with its end: `start` and `end` are offsets in the text, `text` is without trailing blanks."""

    start: int
    end: int
    text: str
    fenced: bool


def lines(text: str) -> Iterator[Line]:
    """Every line, marked where it stands in a fenced code block (its fences included). A BOM is no part of a line."""
    at, fence = 0, ""
    for raw in text.split("\n"):
        end = min(at + len(raw) + 1, len(text))
        bare = raw.removeprefix("\ufeff") if at == 0 else raw
        mark = _FENCE.match(bare)
        if fence:
            closes = mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not bare[mark.end() :].strip()
            yield Line(at, end, bare.rstrip(), True)
            fence = "" if closes else fence
        else:
            opens = mark and not (mark[1][0] == "`" and "`" in bare[mark.end() :])
            yield Line(at, end, bare.rstrip(), bool(opens))
            fence = mark[1] if mark and opens else ""
        at = end


def problems(text: str, wanted: Sequence[str]) -> list[str]:
    """One sentence for each fixed heading that is missing, doubled, indented or out of order."""
    found: list[str] = []
    indented: set[str] = set()
    for line in lines(text):
        if line.fenced:
            continue
        if line.text in wanted:
            found.append(line.text)
        elif line.text.strip() in wanted:
            indented.add(line.text.strip())
    told = []
    for heading in wanted:
        times = found.count(heading)
        if heading in indented:
            told.append(f"the heading `{heading}` is indented")
        elif not times:
            told.append(f"the heading `{heading}` is missing")
        if times > 1:
            told.append(f"the heading `{heading}` stands {times} times")
    order = list(dict.fromkeys(found))
    expected = [heading for heading in wanted if heading in order]
    told += [f"the heading `{a}` is out of order" for a, b in zip(order, expected, strict=True) if a != b]
    return told


def blocks(text: str, wanted: Sequence[str]) -> dict[str, tuple[int, int]]:
    """For each fixed heading found, the offsets of what stands below it, up to the next fixed heading."""
    starts: list[tuple[str, int, int]] = []
    for line in lines(text):
        if not line.fenced and line.text in wanted and line.text not in {name for name, _, _ in starts}:
            starts.append((line.text, line.start, line.end))
    ends = [*(start for _, start, _ in starts[1:]), len(text)]
    return {name: (begin, end) for (name, _, begin), end in zip(starts, ends, strict=False)}
