"""The memo: which of the person's messages are kept. A model ticks boxes; the words come from the record.

Owns the candidates, their list, and what counts as having altered it. Knows nothing of how the words are shown.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from curator.plain import one_line

PREVIEW = 40

_LINE = re.compile(r"- \[([ xX])\] \(#(\d+)\) (.*)")


@dataclass(frozen=True)
class Candidate:
    """A message on the list: carried ones were kept before and stand ticked, new ones are not."""

    seq: int
    preview: str
    carried: bool = False

    @property
    def line(self) -> str:
        return f"- [{'x' if self.carried else ' '}] (#{self.seq}) {self.preview}"


def candidate(seq: int, text: str, carried: bool = False) -> Candidate:
    """A candidate with its preview: white space collapsed, the first 40 characters, then `…` where there is more."""
    flat = one_line(text.lstrip()[:2_000])
    return Candidate(seq, flat if len(flat) <= PREVIEW else flat[:PREVIEW] + "…", carried)


def listed(carried: Iterable[tuple[int, str]], new: Iterable[tuple[int, str]]) -> tuple[Candidate, ...]:
    """The candidates in ascending order; a message that is both is carried."""
    found = {seq: candidate(seq, text) for seq, text in new}
    found |= {seq: candidate(seq, text, True) for seq, text in carried}
    return tuple(found[seq] for seq in sorted(found))


def written(candidates: Sequence[Candidate]) -> str:
    """The file `memo.md`; empty without candidates."""
    return "".join(f"{item.line}\n" for item in candidates)


def ticking(candidates: Sequence[Candidate], keep: Collection[int]) -> tuple[Candidate, ...]:
    """The candidates with exactly these ticked."""
    return tuple(replace(item, carried=item.seq in keep) for item in candidates)


def ticked(text: str, candidates: Sequence[Candidate]) -> frozenset[int] | str:
    """The numbers ticked, or one sentence on how the list was altered beyond its boxes.

    Blank lines, CRLF, trailing blanks, a BOM and `[X]` are accepted.
    """
    found = [line.rstrip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    ticks = set()
    if len(found) != len(candidates):
        return f"the memo has {len(found)} lines, it had {len(candidates)}: only the boxes may change"
    for line, item in zip(found, candidates, strict=True):
        parts = _LINE.fullmatch(line)
        if not parts or int(parts[2]) != item.seq or parts[3].rstrip() != item.preview.rstrip():
            return f"the memo line of #{item.seq} was altered: {one_line(line, 60)!r}; only the boxes may change"
        if parts[1] != " ":
            ticks.add(item.seq)
    return frozenset(ticks)


def untouched(ticks: frozenset[int], candidates: Sequence[Candidate]) -> bool:
    """Do the boxes stand as they were handed out, although there is something new to decide?"""
    return any(not item.carried for item in candidates) and ticks == {i.seq for i in candidates if i.carried}
