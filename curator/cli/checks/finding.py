"""One thing that doctor saw."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """`broken` keeps something from working, `note` is worth knowing, `ok` is as it should be."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True)
class Finding:
    """What was seen, in one sentence, and the command that mends it ("" = nothing to mend)."""

    level: Level
    subject: str
    text: str
    mend: str = ""


def ok(subject: str, text: str) -> Finding:
    """As it should be."""
    return Finding(Level.OK, subject, text)


def note(subject: str, text: str, mend: str = "") -> Finding:
    """Worth knowing."""
    return Finding(Level.NOTE, subject, text, mend)


def broken(subject: str, text: str, mend: str) -> Finding:
    """Keeps something from working."""
    return Finding(Level.BROKEN, subject, text, mend)
