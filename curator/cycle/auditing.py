"""The memory files that are there already, looked over: what they cost, what is said twice or against itself, what is
no longer so, what should not stand in them. Reads only; needs no store.

Owns the findings and what is called one. A finding is a reason to look, not a verdict.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curator.cycle.aging import gone
from curator.cycle.bringing import FileRead
from curator.door import fingerprint, redact
from curator.errors import CuratorError
from curator.harvest.memory.candidate import Candidate, Reading
from curator.harvest.memory.files import MemoryFile, NotRead, content, text_of
from curator.harvest.memory.sections import cut
from curator.interchange.block import span
from curator.plain import hides
from curator.sweep.compare import Pair
from curator.sweep.planned import warned
from curator.sweep.pool import Pool
from curator.sweep.relate import relate
from curator.sweep.slots import STOP
from curator.vocab import Client, Relation

MOST = 2_000
"""Statements compared with each other; of more, the first."""

CONTRADICTION, DUPLICATE, SECRET, HIDDEN, INSTRUCTION, STALE, DAMAGED = KINDS = (
    "contradiction",
    "duplicate",
    "secret",
    "hidden",
    "instruction",
    "stale",
    "damaged",
)
"""Kinds of findings, the gravest for a reader first among those that need a decision."""

_FENCE = re.compile(r"^ {0,3}(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})")
_NEAR = 0.45
_ALIKE = 0.7
_CLIENTS = {"claude": Client.CLAUDE, "agents": Client.CODEX, "gemini": Client.GEMINI, "copilot": Client.COPILOT}
_INDEX_LINES = 200


@dataclass(frozen=True)
class Place:
    """A place in a file, with the words there (never a credential)."""

    file: str
    line: int
    text: str = ""


@dataclass(frozen=True)
class Finding:
    """What was found, where, why, and the place it stands against, if any."""

    kind: str
    at: Place
    why: str
    other: Place | None = None


@dataclass
class Looked:
    """One file: its reading, its size, what it costs whom, and when."""

    read: FileRead
    lines: int = 0
    bytes: int = 0
    tokens: int = 0
    """raw, of what is loaded at once"""
    client: str = ""
    loaded: str = ""


@dataclass
class Audit:
    """Everything that was looked at and found."""

    files: list[Looked] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    statements: int = 0
    compared: int = 0

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind, in order."""
        return [finding for finding in self.findings if finding.kind == kind]

    def good(self) -> list[FileRead]:
        """The files with only those candidates that no finding speaks against, each said once."""
        bad = {(f.at.file, f.at.line) for f in self.findings}
        bad |= {(f.other.file, f.other.line) for f in self.findings if f.other and f.kind == CONTRADICTION}
        return [_without(looked.read, bad) for looked in self.files]


def audit(files: Sequence[FileRead], top: Path, count: Callable[[str], int]) -> Audit:
    """Look over files that were read; `top` is the project that paths and commands are looked up in."""
    found = Audit()
    statements: list[tuple[str, Candidate]] = []
    texts: list[tuple[MemoryFile, str]] = []
    for read in files:
        looked = Looked(read)
        found.files.append(looked)
        if read.trouble:
            continue
        data, text = _held(read)
        texts.append((read.file, text))
        _measure(looked, text, count)
        found.findings += _lines(read.file.name, text)
        found.findings += _marks(read, data)
        statements += [(read.file.name, candidate) for candidate in read.reading.candidates]
    found.statements = len(statements)
    found.compared = min(MOST, len(statements))
    found.findings += _pairs(statements[:MOST])
    for name, line, text, why in gone(texts, statements, top):
        found.findings.append(Finding(STALE, Place(name, line, _shown(text)), why))
    order = {name: n for n, name in enumerate(KINDS)}
    found.findings.sort(key=lambda f: (order[f.kind], f.at.file, f.at.line))
    return found


def _held(read: FileRead) -> tuple[bytes, str]:
    """The bytes of a file and their text, both empty where it was there only a moment ago."""
    try:
        data = content(read.file.path)
        return data, text_of(data)[0]
    except NotRead:
        return b"", ""


def _measure(looked: Looked, text: str, count: Callable[[str], int]) -> None:
    """Size, and the tokens of what a session is given of it."""
    file = looked.read.file
    lines = text.split("\n")
    looked.lines = len(lines) - (not lines[-1])
    looked.bytes = len(text.encode("utf-8", "replace"))
    looked.loaded = file.loaded
    if file.path.suffix == ".mdc":
        always = cut(text[:4_000]).fields.get("alwaysapply", "").lower() == "true"
        looked.loaded = "every session" if always else "where it applies"
    part = "\n".join(lines[:_INDEX_LINES]) if "first" in looked.loaded else text
    looked.tokens = count(part)
    looked.client = _client(file.name)


def _client(name: str) -> str:
    """Whose file it is, by its name."""
    low = name.lower()
    if ".cursor" in low:
        return Client.CURSOR.value
    stem = Path(low).name.split(".")[0].split("-")[0]
    owner = _CLIENTS.get(stem) or (Client.CLAUDE if ".claude/" in low else None)
    return owner.value if owner else ""


def _lines(name: str, text: str) -> Iterator[Finding]:
    """What a look at each line finds: credentials, characters that nobody sees, instructions from elsewhere."""
    fence = ""
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        if kinds := redact(line).kinds:
            yield Finding(SECRET, Place(name, number), ", ".join(kinds))
        if hides(line):
            yield Finding(HIDDEN, Place(name, number, _shown(line)), "characters that a reader does not see")
        if mark := _FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and warned(line):
            where = "in a comment, which a reader does not see" if "<!--" in line else "reads like an order to an agent"
            yield Finding(INSTRUCTION, Place(name, number, _shown(line)), where)


def _marks(read: FileRead, data: bytes) -> Iterator[Finding]:
    try:
        span(data)
    except CuratorError as error:
        yield Finding(DAMAGED, Place(read.file.name, 1), str(error))


def _pairs(statements: Sequence[tuple[str, Candidate]]) -> Iterator[Finding]:
    """Statements that say the same, or say otherwise of the same."""
    pool, known = Pool(), dict[str, int]()
    for number, (name, candidate) in enumerate(statements):
        here = Place(name, candidate.line, _shown(candidate.text))
        key = fingerprint(candidate.text)
        if key in known:
            yield Finding(DUPLICATE, here, "word for word", _place(statements[known[key]]))
            continue
        known[key] = number
        for other, likeness in pool.near(candidate.text, 4, least=_NEAR):
            before = statements[int(other)]
            if found := _judged(before[1].text, candidate.text, likeness, before[0] != name):
                yield Finding(found[0], here, _shown(found[1]), _place(before))
                break
        if not candidate.whole:
            pool.add(str(number), candidate.text)


def _judged(older: str, newer: str, likeness: float, apart: bool) -> tuple[str, str] | None:
    """Kind and reason. Lines of one file are often alike on purpose, so much less counts than in a sweep.

    `apart`: they stand in two files, whose authors did not see the other line.
    """
    verdict = relate(older, newer)
    if verdict.relation is Relation.SAME:
        return DUPLICATE, verdict.reason
    sure = verdict.confidence >= 0.5
    if verdict.relation is Relation.RESTATES and sure and likeness >= _ALIKE and min(verdict.shares[:2]) >= _ALIKE:
        return DUPLICATE, verdict.reason
    if verdict.relation is Relation.REPLACES and _otherwise(pair := Pair(older, newer), verdict.confidence, apart):
        return CONTRADICTION, "; ".join(change.words() for change in pair.changes)
    return None


def _otherwise(pair: Pair, confidence: float, apart: bool) -> bool:
    """Is little else changed than a value, a name or yes and no?"""
    both = [change for change in pair.changes if change.old and change.new]
    told = [sum(t.norm not in STOP for t in side) for change in pair.changes for side in (change.old, change.new)]
    if len(pair.changes) > 2 or len(both) > 1 or max(told, default=0) > 3 or min(pair.overlap[:2]) < 0.3:
        return False
    if confidence >= 0.5 and (pair.turned or pair.swapped or confidence >= 0.6):
        return True
    first = pair.sides[0][0] if pair.sides[0] else None
    return apart and len(pair.changes) == 1 and max(told) <= 2 and first not in pair.changes[0].old


def _place(statement: tuple[str, Candidate]) -> Place:
    return Place(statement[0], statement[1].line, _shown(statement[1].text))


def _shown(text: str) -> str:
    """The words of a place as they may be printed."""
    return " ".join(redact(text).text.split())[:400]


def _without(read: FileRead, bad: set[tuple[str, int]]) -> FileRead:
    kept = [
        candidate
        for candidate in read.reading.candidates
        if not any((read.file.name, candidate.line + n) in bad for n in range(candidate.text.count("\n") + 1))
    ]
    reading = Reading(tuple(kept), read.reading.left, read.reading.faults)
    return FileRead(read.file, reading, read.encoding, read.trouble)
