"""What a memory file offers: candidates for notes, and what is left where it stands. Values only."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from curator.vocab import Kind


@dataclass(frozen=True)
class Candidate:
    """A text that may become a note. `line` counts from 1 (0 where the file has no lines of its own).

    `kind` is a hint from where it stood; `marked` says that the text itself named it. `whole` is a text that loses
    its sense in parts, such as the steps of a procedure. `why` is the reason for the kind, in words.
    """

    text: str
    line: int = 0
    heading: str = ""
    kind: Kind | None = None
    marked: bool = False
    title: str = ""
    labels: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    whole: bool = False
    why: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Left:
    """What is not taken from the file, and why, in a few words such as `table` or `status`."""

    line: int
    what: str


@dataclass(frozen=True)
class Reading:
    """Everything a file came to, in the order of the file."""

    candidates: tuple[Candidate, ...] = ()
    left: tuple[Left, ...] = ()
    faults: tuple[Left, ...] = field(default=())
    """Records that could not be read, with the reason."""

    @property
    def counts(self) -> dict[str, int]:
        """How much of each thing was left, the most frequent first."""
        return dict(Counter(each.what for each in self.left).most_common())


def collected(parts: Iterable[Candidate | Left]) -> Reading:
    """A reading from what was found, in the order of the lines."""
    found = sorted(parts, key=lambda each: each.line)
    return Reading(
        tuple(each for each in found if isinstance(each, Candidate)),
        tuple(each for each in found if isinstance(each, Left)),
    )
