"""All revisions of one entry and how they follow each other. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from curator.sync.records import Gone, Rev


@dataclass(frozen=True)
class Strand:
    """One entry: its revisions by name, what each store counts, and whether it was taken back or erased.

    `faults` are lines of a file that could not be a revision, with the reason. Where the strand comes from a store,
    `rows` gives the number of a revision in the store's own history, and `own` names the one that the entry is.
    """

    entry: str
    revs: Mapping[str, Rev] = field(default_factory=dict)
    sightings: int = 0
    gone: Gone | None = None
    purged: bool = False
    faults: tuple[tuple[int, str], ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    own: str = ""

    @property
    def heads(self) -> tuple[str, ...]:
        """The revisions that no other follows, oldest first: more than one where two changes wait to be settled."""
        followed = {parent for each in self.revs.values() for parent in each.parents}
        return by_age(self.revs[name] for name in self.revs if name not in followed)

    @property
    def head(self) -> Rev | None:
        """What the entry is in a file; of several heads the oldest, so that no clock that is ahead wins."""
        heads = self.heads
        return self.revs[heads[0]] if heads else None

    def known(self, name: str) -> set[str]:
        """The revision and all that it follows, as far as they are here."""
        found: set[str] = set()
        wanted = [name]
        while wanted:
            each = wanted.pop()
            if each not in found and each in self.revs:
                found.add(each)
                wanted += self.revs[each].parents
        return found

    def in_order(self, names: Iterable[str]) -> list[Rev]:
        """These revisions, each after those that it follows; else by time."""
        left = sorted((self.revs[name] for name in names), key=_age)
        out: list[Rev] = []
        missing = {each.id for each in left}
        while left:
            ready = next((each for each in left if not missing & set(each.parents)), left[0])
            left.remove(ready)
            missing.discard(ready.id)
            out.append(ready)
        return out


def by_age(revs: Iterable[Rev]) -> tuple[str, ...]:
    """The names, oldest first."""
    return tuple(each.id for each in sorted(revs, key=_age))


def _age(each: Rev) -> tuple[str, str]:
    return each.at, each.id


def put_in_words(each: Rev, revs: Mapping[str, Rev]) -> bool:
    """Is the revision a text that neither of its two sides had?"""
    sides = [revs[name] for name in each.parents if name in revs]
    return not each.decision and len(each.parents) == 2 and all(seen(each) != seen(side) for side in sides)


_SEEN = (
    "title",
    "body",
    "kind",
    "route",
    "state",
    "labels",
    "refs",
    "pinned",
    "importance",
    "superseded_by",
    "expires_at",
)


def seen(each: Rev) -> str:
    """What a person sees of a revision: equal where there is nothing to choose between."""
    return json.dumps([each.value.get(name) for name in _SEEN], ensure_ascii=False)
