"""An architecture decision record: one file, one decision, kept whole. Pure.

Owns which parts of a record count and which records are no decision (any more). Knows the forms of Nygard, MADR and
the plain ones: a title, a status in its own section, a field or a line, and sections for context and decision.
"""

import re

from curator.harvest.memory.candidate import Candidate, Left, Reading
from curator.harvest.memory.prose import read as read_prose
from curator.harvest.memory.sections import Cut, Section, cut
from curator.vocab import Kind

LONGEST = 4_000
"""Characters of a record that is kept whole; of a longer one the decision with its first context."""

_NUMBER = re.compile(r"^\W*(?:adr[-\s:#]*)?\d{0,5}\s*[-–—.:：)]?\s*", re.IGNORECASE)
_STATUS_LINE = re.compile(r"^\W*(?:\*\*)?(?:status|状态)(?:\*\*)?\s*[:：]\W*(.+)$", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(r"^\W*(?:status|状态)\W*$", re.IGNORECASE)
_DECISION = re.compile(r"\bdecisions?\b|\bchosen\b|\bresolution\b|\bwe will\b|决定|决策|结论", re.IGNORECASE)
_DRIVERS = re.compile(r"\bdrivers?\b|\bdecision[- ]makers?\b|\bdeciders?\b", re.IGNORECASE)
_CONTEXT = re.compile(r"\bcontext\b|\bproblem\b|\bbackground\b|\bmotivation\b|背景|问题|上下文", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:links?|references?|related|more information|metadata|changelog|history|notes?|date|deciders?|tags?)\b"
    r"|参考|相关",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:superseded|deprecated|rejected|obsolete|withdrawn|replaced)\b|已废弃|已取代|已拒绝|作废", re.I
)
_OPEN = re.compile(r"\b(?:proposed|draft|pending|wip|in (?:discussion|review))\b|提议|草案|讨论中", re.IGNORECASE)
_INDEX = re.compile(r"^(?:readme|index|template|adr-template|0*-?template|_.*)$", re.IGNORECASE)


def read(text: str, name: str) -> Reading:
    """The decision of a record; `name` is the file's name without suffix. Nothing where the record is not in force."""
    if _INDEX.match(name):
        return Reading(left=(Left(1, "index or template"),))
    found = cut(text)
    title = _title(found, name)
    status = _status(found, text)
    if _ENDED.search(status):
        return Reading(left=(Left(1, f"decision {_word(_ENDED, status)}"),))
    if _OPEN.search(status):
        return Reading(left=(Left(1, f"decision only {_word(_OPEN, status)}"),))
    decision = [s for s in found.sections if _DECISION.search(s.heading) and not _DRIVERS.search(s.heading)]
    if not decision:
        return read_prose(text, Kind.DECISION)
    kept = [s for s in found.sections if len(s.path) > 1 and not _STATUS.match(s.heading) and not _aside(s)]
    body = _body(kept)
    if len(body) > LONGEST:
        body = _body([*[s for s in kept if _CONTEXT.search(s.heading)][:1], *decision])
    if len(body) > LONGEST:
        body = _body(decision)[:LONGEST].rsplit("\n", 1)[0]
    line = decision[0].line
    made = Candidate(body, line, "", Kind.DECISION, title=title, whole=True, why="an architecture decision record")
    return Reading((made,)) if body else Reading(left=(Left(line, "prose"),))


def _title(found: Cut, name: str) -> str:
    top = next((s.path[0] for s in found.sections if s.path), "") or found.fields.get("title", "")
    return _NUMBER.sub("", top).strip() or name.replace("-", " ").strip("0123456789 ")


def _status(found: Cut, text: str) -> str:
    if status := found.fields.get("status", ""):
        return status
    if section := next((s for s in found.sections if _STATUS.match(s.heading)), None):
        lines = [line for line in section.text.split("\n") if line.strip()]
        return " ".join(lines[-1:] if any(_ENDED.search(line) for line in lines[-1:]) else lines[:1])
    line = _STATUS_LINE.search(text[:2_000])
    return line[1] if line else ""


def _word(pattern: re.Pattern[str], status: str) -> str:
    match = pattern.search(status)
    return match[0].lower() if match else status


def _aside(section: Section) -> bool:
    return bool(_ASIDE.search(section.heading)) and not _DECISION.search(section.heading)


def _body(sections: list[Section]) -> str:
    """Sections one below the other, each with its heading as a label."""
    parts = [f"{s.heading}: {text}" for s in sections if (text := s.text.strip())]
    return "\n\n".join(re.sub(r"\n{3,}", "\n\n", part) for part in parts)
