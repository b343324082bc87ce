"""What changed between two texts, word by word, and two changes of one text put together. Pure.

A word is a run of letters, digits and what joins them (`config/staging.yaml`, `--flag`), a CJK character, a run of
white space or a single other character; joined again, words give the text exactly. Long texts are compared by line
first, because comparing n words takes about n squared steps.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

LONG = 400
"""Words above which lines are compared first."""

_CJK = (
    "\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])[\w]|[-/.:'@](?=\w)(?![{_CJK}]))+|\s+|.", re.DOTALL)


@dataclass(frozen=True)
class Segment:
    """A run of one kind: `=` kept, `-` gone, `+` new."""

    sign: str
    text: str


@dataclass(frozen=True)
class Part:
    """A stretch of a merge: `ours` is taken; where both sides changed the same words, `theirs` differs from it."""

    ours: str
    theirs: str
    base: str

    @property
    def conflict(self) -> bool:
        """Did both sides change these words, each in its own way?"""
        return self.ours != self.theirs


@dataclass(frozen=True)
class Merge:
    """Two changes of one text together."""

    parts: tuple[Part, ...]

    @property
    def clean(self) -> bool:
        """Did the changes touch different words?"""
        return not any(part.conflict for part in self.parts)

    @property
    def text(self) -> str:
        """The merged text; a conflict stands in it as `[<now|proposed>]`, to be settled by a person."""
        return "".join(_both(part) if part.conflict else part.ours for part in self.parts)

    def unsettled(self, text: str) -> bool:
        """Does a text, made from this one, still hold a conflict as it was shown?"""
        return any(part.conflict and _both(part) in text for part in self.parts)


def _both(part: Part) -> str:
    return f"[<{part.ours}|{part.theirs}>]"


def words(text: str) -> list[str]:
    """The text's words; `"".join(words(text)) == text`."""
    return _WORD.findall(text)


def diff(old: str, new: str) -> tuple[Segment, ...]:
    """The way from `old` to `new`. Segments without `+` join to `old`, those without `-` to `new`."""
    a, b = words(old), words(new)
    out: list[Segment] = []
    for tag, a0, a1, b0, b1 in _steps(a, b):
        if tag == "equal":
            out.append(Segment("=", "".join(a[a0:a1])))
        else:
            out += [Segment(sign, text) for sign, text in (("-", "".join(a[a0:a1])), ("+", "".join(b[b0:b1]))) if text]
    return _readable(out)


def marked(segments: Sequence[Segment]) -> str:
    """The diff as one text, readable without colour: `[-gone-] {+new+}`."""
    out = []
    for number, (sign, text) in enumerate((s.sign, s.text) for s in segments):
        if sign == "=":
            out.append(text)
        elif sign == "-":
            follows = number + 1 < len(segments) and segments[number + 1].sign == "+"
            out.append(f"[-{text}-]" + (" " if follows else ""))
        else:
            out.append(f"{{+{text}+}}")
    return "".join(out)


def merge(base: str, ours: str, theirs: str) -> Merge:
    """Both changes of `base` together, word by word; changes that touch or overlap are one part for a person."""
    if theirs in {ours, base}:
        return Merge((Part(ours, ours, base),))
    if ours == base:
        return Merge((Part(theirs, theirs, base),))
    old, a, b = words(base), words(ours), words(theirs)
    mine, other = _edits(old, a), _edits(old, b)
    parts: list[Part] = []
    at = 0
    for start, end in _regions(mine, other):
        if start > at:
            same = "".join(old[at:start])
            parts.append(Part(same, same, same))
        parts.append(_part(old, (start, end), mine, other))
        at = end
    if at < len(old):
        same = "".join(old[at:])
        parts.append(Part(same, same, same))
    return Merge(tuple(parts))


@dataclass(frozen=True)
class _Edit:
    start: int
    end: int
    text: str


def _edits(old: list[str], new: list[str]) -> list[_Edit]:
    return [_Edit(a0, a1, "".join(new[b0:b1])) for tag, a0, a1, b0, b1 in _steps(old, new) if tag != "equal"]


def _regions(mine: list[_Edit], other: list[_Edit]) -> list[tuple[int, int]]:
    """Stretches of the base that an edit covers; edits that touch share one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted((edit.start, edit.end) for edit in (*mine, *other)):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return out


def _part(old: list[str], region: tuple[int, int], mine: list[_Edit], other: list[_Edit]) -> Part:
    start, end = region
    base = "".join(old[start:end])
    ours, theirs = _within(old, region, mine), _within(old, region, other)
    if ours == base:
        ours = theirs
    elif theirs == base:
        theirs = ours
    return Part(ours, theirs, base)


def _within(old: list[str], region: tuple[int, int], edits: list[_Edit]) -> str:
    start, end = region
    out, at = [], start
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            out += ["".join(old[at : edit.start]), edit.text]
            at = edit.end
    return "".join([*out, *old[at:end]])


def _steps(a: list[str], b: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """Opcodes between two lists of words; by line first where either is long."""
    if max(len(a), len(b)) <= LONG:
        return SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    lines_a, lines_b = _lines(a), _lines(b)
    starts_a, starts_b = _starts(lines_a), _starts(lines_b)
    out: list[tuple[str, int, int, int, int]] = []
    matcher = SequenceMatcher(None, [tuple(line) for line in lines_a], [tuple(line) for line in lines_b], False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        i0, i1, j0, j1 = starts_a[a0], starts_a[a1], starts_b[b0], starts_b[b1]
        if tag == "replace" and max(i1 - i0, j1 - j0) <= 4 * LONG:
            inner = SequenceMatcher(None, a[i0:i1], b[j0:j1], autojunk=False).get_opcodes()
            out += [(name, i0 + p, i0 + q, j0 + r, j0 + s) for name, p, q, r, s in inner]
        else:
            out.append((tag, i0, i1, j0, j1))
    return out


def _lines(tokens: list[str]) -> list[list[str]]:
    lines: list[list[str]] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if "\n" in token:
            lines.append([])
    return [line for line in lines if line]


def _starts(lines: list[list[str]]) -> list[int]:
    out = [0]
    for line in lines:
        out.append(out[-1] + len(line))
    return out


def _readable(segments: list[Segment]) -> tuple[Segment, ...]:
    """Join a change across a lone blank between two changes, so that a rewritten phrase reads as one."""
    out: list[Segment] = []
    gone, new = "", ""

    def close() -> None:
        nonlocal gone, new
        out.extend(Segment(sign, text) for sign, text in (("-", gone), ("+", new)) if text)
        gone = new = ""

    for number, segment in enumerate(segments):
        if segment.sign == "-":
            gone += segment.text
        elif segment.sign == "+":
            new += segment.text
        elif segment.text.isspace() and (gone or new) and number + 1 < len(segments):
            gone, new = gone + segment.text, new + segment.text
        else:
            close()
            out.append(segment)
    close()
    return tuple(out)
