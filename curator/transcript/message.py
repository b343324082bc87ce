"""What a client's file says, as frozen values: the same for every client.

Owns the shape that a host's reader makes and the harvest stores. Knows no client and no store, and holds no
judgement about worth: only who spoke, how that is known, and what was touched.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from curator.vocab import Origin, Row, Typed


class Mark(StrEnum):
    """What a row is besides words; `expired`: its words were kept for as long as the settings say."""

    NONE = ""
    BOUNDARY = "boundary"
    SUMMARY = "summary"
    INJECTED = "injected"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Call:
    """A tool call inside a response; `detail` is its command, path, query or skill, on one line."""

    id: str
    name: str
    detail: str = ""
    path: str = ""


@dataclass(frozen=True)
class Message:
    """One row of a conversation.

    `source` is the record's own id, the same in every copy of the file; `session` is the one it was first said
    in. `typed` counts for inputs only. `sender` says who, from delivery metadata alone (`user`, `assistant`,
    `agent a1f`, a tool's name). `group` joins the rows of one response. Tool results keep name, size and paths, never
    their output. `line` is the line in the file, from 1.
    """

    source: str
    session: str
    row: Row
    text: str
    sender: str
    origin: Origin
    typed: Typed = Typed.MACHINE
    at: datetime | None = None
    mark: Mark = Mark.NONE
    agent: str = ""
    group: str = ""
    calls: tuple[Call, ...] = ()
    call: str = ""
    tool: str = ""
    detail: str = ""
    size: int = 0
    failed: bool = False
    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    branch: str = ""
    cwd: str = ""
    line: int = 0

    @property
    def by_person(self) -> bool:
        """May this become a memo item and carry human origin?"""
        return self.row is Row.INPUT and self.typed.by_person


def instant(text: object) -> datetime | None:
    """A client's time stamp as an instant in UTC; None where it is none."""
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
