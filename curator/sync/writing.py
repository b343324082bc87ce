"""Two memories as the lines of one file: the store and the file that is there, or two branches' files.

Owns order and bytes: entries by id with their history, decisions by time, refusals, what only newer programs know.
Streams entry by entry.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from curator.sync.merging import united
from curator.sync.records import (
    HEADER,
    Made,
    Refused,
    Sum,
    gone_line,
    made_line,
    purged_line,
    refused_line,
    rev_line,
)
from curator.sync.strand import Strand, put_in_words
from curator.vocab import Verb


@dataclass(frozen=True)
class Side:
    """One memory: its entries by id, its decisions and refusals, and records that nothing here knows."""

    strands: Iterable[Strand]
    made: Mapping[str, Made]
    refused: Mapping[str, Refused]
    unknown: Iterable[bytes] = ()


NOTHING = Side((), {}, {})


@dataclass
class Joining:
    """What came of it: entries that were put together by words, and those where a person must choose."""

    entries: int = 0
    by_words: list[str] = field(default_factory=list)
    to_choose: list[str] = field(default_factory=list)
    left_out: list[tuple[int, str]] = field(default_factory=list)


def lines(ours: Side, theirs: Side, told: Joining) -> Iterator[bytes]:
    """The file's lines, whichever of the two is called ours; `told` is filled on the way."""
    sums: dict[str, Sum] = {}
    yield HEADER
    for one, other in paired(ours.strands, theirs.strands):
        told.left_out += [*(one.faults if one else ()), *(other.faults if other else ())]
        if one and other and one.revs and one.revs.keys() == other.revs.keys() and one.gone == other.gone:
            strand = replace(one, sightings=max(one.sightings, other.sightings))
        else:
            strand = united(one, other)
        told.entries += bool(strand.revs)
        before = {*(one.revs if one else ()), *(other.revs if other else ())}
        if any(put_in_words(each, strand.revs) for name, each in strand.revs.items() if name not in before):
            told.by_words.append(strand.entry)
        if len(strand.heads) > 1:
            told.to_choose.append(strand.entry)
        yield from _strand_lines(strand, sums)
    made = dict(theirs.made) | dict(ours.made)
    refused = standing(_joined(ours.refused, theirs.refused), made)
    for each in refused:
        sums.setdefault(each.decision, Sum()).add(each.fingerprint)
    for decision in sorted(made.values(), key=lambda one: one.order):
        yield made_line(decision, str(sums.get(decision.id, "")))
    yield from map(refused_line, refused)
    for raw in sorted({*ours.unknown, *theirs.unknown}):
        yield raw + b"\n"


def paired(ours: Iterable[Strand], theirs: Iterable[Strand]) -> Iterator[tuple[Strand | None, Strand | None]]:
    """The entries of both sides by id, side by side; both sides come sorted."""
    left, right = iter(ours), iter(theirs)
    one, other = next(left, None), next(right, None)
    while one or other:
        if other is None or (one is not None and one.entry < other.entry):
            yield one, None
            one = next(left, None)
        elif one is None or other.entry < one.entry:
            yield None, other
            other = next(right, None)
        else:
            yield one, other
            one, other = next(left, None), next(right, None)


def undone(made: Mapping[str, Made]) -> set[str]:
    """The decisions that were taken back, and not brought back since."""
    out: set[str] = set()
    for each in sorted(made.values(), key=lambda one: one.order):
        if each.verb == Verb.UNDO and each.undoes in made:
            out.add(each.undoes)
            out.discard(made[each.undoes].undoes)
    return out


def standing(refused: Mapping[str, Refused], made: Mapping[str, Made]) -> list[Refused]:
    """The refusals whose decision was not taken back, by fingerprint."""
    back = undone(made)
    return [refused[key] for key in sorted(refused) if refused[key].decision not in back]


def _joined(ours: Mapping[str, Refused], theirs: Mapping[str, Refused]) -> dict[str, Refused]:
    """Of two refusals of one text the first."""
    out = dict(theirs)
    for key, each in ours.items():
        out[key] = min(each, out.get(key, each), key=lambda one: (one.at, one.decision))
    return out


def _strand_lines(strand: Strand, sums: dict[str, Sum]) -> Iterator[bytes]:
    if strand.purged:
        yield purged_line(strand.entry)
        return
    if strand.gone:
        sums.setdefault(strand.gone.decision, Sum()).add(strand.entry)
        yield gone_line(strand.gone)
        return
    head = strand.head
    if head is None:
        return
    yield rev_line(head, now=True, sightings=strand.sightings)
    for each in strand.in_order(name for name in strand.revs if name != head.id):
        yield rev_line(each, now=False)
    for each in strand.revs.values():
        if each.decision:
            sums.setdefault(each.decision, Sum()).add(each.id)
