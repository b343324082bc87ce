"""Memory files into the store: every candidate through the one door, then a sweep, so that an import ends in proposals.

Owns the order and the report. What is known, refused or retired is told by the door; nothing here writes an entry.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from curator.cycle import sweeping
from curator.door import fingerprint, redact
from curator.harvest.memory.candidate import Candidate, Left, Reading
from curator.harvest.memory.files import MemoryFile, NotRead
from curator.harvest.memory.reading import read
from curator.harvest.noting import Heard, Outcome, note
from curator.plain import clean
from curator.store.engine import Store
from curator.sweep.run import Report
from curator.vocab import Origin

AT_ONCE = 1_000
"""New notes of one import; the next one goes on from there."""

_PART = 100
"""Candidates of one transaction, so that other writers get their turn."""


@dataclass
class FileRead:
    """A file and what it held; `trouble` is the reason why it was not read."""

    file: MemoryFile
    reading: Reading = field(default_factory=Reading)
    encoding: str = ""
    trouble: str = ""


@dataclass
class Brought:
    """What became of one file's candidates, by outcome of the door; `blocked` by line, with the reason."""

    read: FileRead
    outcomes: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    blocked: list[tuple[int, str]] = field(default_factory=list)
    redacted: list[int] = field(default_factory=list)


@dataclass
class Import:
    """One import: its files, the sweep's report, and how many candidates were left for the next one."""

    files: list[Brought]
    report: Report
    left: int = 0

    @property
    def proposals(self) -> list[str]:
        """The proposals made."""
        return [str(row["proposal_id"]) for row in self.report.proposals]


def opened(files: Sequence[MemoryFile], form: str) -> list[FileRead]:
    """Every file read; one that cannot be says why."""
    found = []
    for file in files:
        try:
            reading, encoding = read(file, form)
            found.append(FileRead(file, reading, encoding))
        except NotRead as error:
            found.append(FileRead(file, trouble=str(error)))
    return found


def bring(store: Store, files: Sequence[FileRead], step: Callable[[int, int], None] | None = None) -> Import:
    """Note the candidates of the files, then sweep without a cap. Raises `CannotLook`."""
    room = AT_ONCE
    brought = []
    left = 0
    for each in files:
        made = Brought(each)
        brought.append(made)
        candidates = each.reading.candidates
        for start in range(0, len(candidates), _PART):
            if not room:
                left += len(candidates) - start
                break
            taken = _note_part(store, made, candidates[start : start + _PART], room)
            room -= taken[0]
            left += taken[1]
    standing = frozenset(fingerprint(c.text) for each in files for c in each.reading.candidates)
    return Import(brought, sweeping.run(store, limit=0, step=step, standing=standing), left)


def _note_part(store: Store, made: Brought, candidates: Sequence[Candidate], room: int) -> tuple[int, int]:
    """Numbers of new notes, and of candidates for which there was no room."""
    now, new = store.now(), 0
    with store.write() as session:
        for number, candidate in enumerate(candidates):
            if new >= room:
                return new, len(candidates) - number
            at = now + timedelta(microseconds=number)  # in the order of the file
            noted = note(session, store.project_id, heard(candidate, made.read.file), store.settings.note_bytes, at)
            made.outcomes[noted.outcome.value] += 1
            if noted.outcome is Outcome.NEW:
                new += 1
                made.notes.append(noted.note_id)
            if noted.outcome is Outcome.BLOCKED:
                made.blocked.append((candidate.line, noted.reason))
            if noted.redacted:
                made.redacted.append(candidate.line)
    return new, 0


def heard(candidate: Candidate, file: MemoryFile) -> Heard:
    """A candidate as the door hears it: an import, whatever it says of itself."""
    source = {
        "part": "import",
        "file": f"{file.name}:{candidate.line}" if candidate.line else file.name,
        "heading": redact(clean(candidate.heading)).text,
        "why": redact(clean(candidate.why)).text,
        "whole": candidate.whole,
    }
    return Heard(
        candidate.text,
        Origin.IMPORT,
        kind=candidate.kind,
        marked=candidate.marked,
        title=clean(candidate.title),
        labels=[clean(label) for label in candidate.labels],
        refs=candidate.refs,
        source=source,
        said_at=candidate.at,
    )


def left_in(files: Sequence[FileRead]) -> dict[str, int]:
    """How much of each thing was left where it stands."""
    total: Counter[str] = Counter()
    for each in files:
        total.update(each.reading.counts)
    return dict(total.most_common())


def faults_in(files: Sequence[FileRead]) -> list[tuple[str, Left]]:
    """Records that could not be read, with the file's name."""
    return [(each.file.name, fault) for each in files for fault in each.reading.faults]
