"""A markdown text cut at its headings, without what is not the author's prose. Pure.

Owns what is put aside before any block is parsed: front matter, our own managed block and those of other tools,
comments, tags alone on a line. Every line keeps its number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from curator.harvest.memory.candidate import Left
from curator.vocab import FRAME

PART = 64_000
"""Characters from which a section is parsed in parts: the parser's memory grows with what it is given."""

_BREAKS = re.compile("\r\n?")
_ODD = re.compile("[\u2028\u2029\x85\x0b\x0c]")
_FENCE = re.compile(r"^ {0,3}(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-{3,})[ \t]*$")
_BEGIN = re.compile(
    r"^\s*<!--\s*(?P<name>[\w .:/@-]*?)(?P<word>\bbegin\b|\bstart\b)(?P<rest>[^>]*?)-->\s*$", re.IGNORECASE
)
_TAG = re.compile(r"^\s*</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>\s*$")
_OURS = (FRAME, "context-checkpoint")
_TAGGED = re.compile(rf"^<(?P<name>{'|'.join(_OURS)}|claude-mem-context|private)\b[^>]*>\s*$")
_BULLET = re.compile(r"^[-*+] |^\d{1,3}[.)] ")
_LISTED = re.compile(r"^(\s*)(?:\d{1,2}、|[（(]\d{1,2}[)）]|[①-⑳]|[•●·▪◦‣・])\s*(?=\S)")
_FIELD = re.compile(r"^([A-Za-z][\w-]*):[ \t]*(.*)$")


@dataclass(frozen=True)
class Section:
    """The lines under one heading. `path` is the headings above it, outermost first; `line` is its first line."""

    path: tuple[str, ...]
    line: int
    text: str

    @property
    def heading(self) -> str:
        """The heading right above."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True)
class Cut:
    """A text in sections, its front matter as plain fields, and what was put aside."""

    sections: tuple[Section, ...]
    fields: dict[str, str]
    left: tuple[Left, ...]


def cut(text: str) -> Cut:
    """The sections of a text; never raises."""
    lines = _ODD.sub(" ", _BREAKS.sub("\n", text.removeprefix("\ufeff"))).split("\n")
    fields, left = _front_matter(lines)
    left += _put_aside(lines)
    return Cut(tuple(_sections(lines)), fields, tuple(left))


def _front_matter(lines: list[str]) -> tuple[dict[str, str], list[Left]]:
    """The fields of a block between `---` lines at the top, blanked; lists become one line with commas."""
    if not lines or lines[0].rstrip() != "---":
        return {}, []
    end = next((n for n, line in enumerate(lines[1:200], 1) if line.rstrip() in {"---", "..."}), 0)
    if not end or not any(_FIELD.match(line) for line in lines[1:end]):
        return {}, []
    fields: dict[str, str] = {}
    name = ""
    for line in lines[1:end]:
        if found := _FIELD.match(line):
            name = found[1].lower()
            fields[name] = found[2].strip().strip("\"'[]")
        elif name and line.strip():
            item = line.strip().removeprefix("- ").strip("\"' ")
            fields[name] = f"{fields[name]}, {item}" if fields[name] not in {"", "|", ">"} else item
    lines[: end + 1] = [""] * (end + 1)
    return fields, [Left(1, "front matter")]


def _put_aside(lines: list[str]) -> list[Left]:
    """Blank what is not the author's prose; code blocks are left as they are, whatever they show."""
    left: list[Left] = []
    number, fence = 0, ""
    while number < len(lines):
        line = lines[number]
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (listed := _LISTED.match(line)):
            lines[number] = f"{listed[1]}- {line[listed.end() :]}"
        elif not fence and "<" in line:
            end, what = _aside(lines, number)
            if end is not None:
                if what:
                    left.append(Left(number + 1, what))
                lines[number:end] = [""] * (end - number)
                number = end
                continue
        number += 1
    return left


def _aside(lines: list[str], number: int) -> tuple[int | None, str]:
    """Where what is put aside ends (exclusive) and what it is; None where the line is prose."""
    line = lines[number]
    if begin := _BEGIN.match(line):
        end = _end_of(lines, number, begin["name"] + begin["rest"])
        ours = begin["name"].strip().lower().startswith("curator")
        if ours and not end:  # a damaged block of ours ends where its list does
            end = next((n for n in range(number, len(lines)) if not lines[n].strip()), len(lines))
        if end:
            return end, "our own block" if ours else "block of another tool"
    if tagged := _TAGGED.match(line):
        close = f"</{tagged['name']}>"
        end = next((n for n in range(number, len(lines)) if lines[n].strip() == close), -1)
        if end >= 0:
            return end + 1, "our own block" if tagged["name"] in _OURS else "block of another tool"
    if line.lstrip().startswith("<!--"):
        end = next((n for n in range(number, min(number + 400, len(lines))) if "-->" in lines[n]), -1)
        rest = lines[end].partition("-->")[2] if end >= 0 else ""
        return (end + 1, "comment") if end >= 0 and not rest.strip() else (None, "")
    return (number + 1, "") if _TAG.match(line) else (None, "")


def _end_of(lines: list[str], number: int, name: str) -> int:
    """The line after the end mark of a managed block; 0 where there is none."""
    words = [word for word in re.findall(r"\w+", name.lower()) if not word.isdigit()][:2]
    for n in range(number + 1, len(lines)):
        low = lines[n].strip().lower()
        if low.startswith("<!--") and re.search(r"\bend\b", low) and all(word in low for word in words[:1]):
            return n + 1
    return 0


def _sections(lines: list[str]) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    start, size, fence = 0, 0, ""

    def made(end: int) -> Iterator[Section]:
        text = "\n".join(lines[start:end])
        if text.strip():
            yield Section(tuple(name for _, name in path), start + 1, text)

    number = 0
    while number < len(lines):
        line = lines[number]
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        head = None if fence or mark else _heading(lines, number)
        if head:
            level, name, after = head
            yield from made(number)
            path = [each for each in path if each[0] < level] + [(level, name)]
            start, size, number = after, 0, after
            continue
        size += len(line) + 1
        if size > PART and not fence and _BULLET.match(line):
            yield from made(number)
            start, size = number, 0
        number += 1
    yield from made(len(lines))


def _heading(lines: list[str], number: int) -> tuple[int, str, int] | None:
    """Level, words and the line after, where a heading begins here."""
    line = lines[number]
    if found := _HEADING.match(line):
        return len(found[1]), _bare(found[2] or ""), number + 1
    below = lines[number + 1] if number + 1 < len(lines) else ""
    alone = number == 0 or not lines[number - 1].strip()
    if alone and line.strip() and not line.startswith((" ", "\t", "-", "*", ">", "|")) and _UNDERLINE.match(below):
        return (1 if "=" in below else 2), _bare(line), number + 2
    return None


def _bare(heading: str) -> str:
    """A heading's words, without markup and emoji at its ends."""
    return re.sub(r"[*_`]+", "", heading).strip().strip("#:： \U0001f300-\U0001faff").strip()
