"""What a file's entry means for the entry here: what is taken, what is a person's choice, what is proposed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from curator.sync.checking import Against, decided, doubts
from curator.sync.merging import united
from curator.sync.records import Gone, Rev
from curator.sync.strand import Strand, put_in_words
from curator.vocab import Verb


@dataclass(frozen=True)
class Plan:
    """`new` are the revisions to take, in order, the last of which the entry becomes; empty where nothing changes.

    `gone` takes the entry away. `choose` are ends that change the same words as the entry's; `strand` holds both
    sides. `doubted` are ends that no fitting decision made, with the reason. `erased`: the file says that it was.
    """

    entry: str
    strand: Strand
    new: Sequence[Rev] = ()
    gone: Gone | None = None
    choose: Sequence[Rev] = ()
    doubted: Sequence[tuple[Rev, str]] = ()
    erased: bool = False
    faults: Sequence[tuple[int, str]] = field(default=())

    @property
    def by_words(self) -> bool:
        """Were two changes put together?"""
        return any(put_in_words(each, self.strand.revs) for each in self.new)


def planned(ours: Strand | None, theirs: Strand, against: Against) -> Plan:
    """The plan for one entry of the file; `ours` is None where nothing is known of it here."""
    live = ours if ours and ours.revs else None
    nothing = Plan(theirs.entry, ours or theirs, faults=theirs.faults)
    if ours and ours.purged:
        return nothing
    if theirs.purged:
        return replace(nothing, erased=live is not None)
    bad = doubts(theirs, ours, against)
    doubted = tuple((theirs.revs[name], bad[name]) for name in theirs.heads if name in bad)
    fit = replace(theirs, revs={name: each for name, each in theirs.revs.items() if name not in bad})
    if fit.gone and (decided(fit.gone.decision, against, Verb.UNDO) or not _in_time(fit.gone, against)):
        fit = replace(fit, gone=None)
    joined = united(ours, fit) if fit.revs or fit.gone else ours
    if joined is None:
        return replace(nothing, doubted=doubted)
    if joined.gone:
        return replace(nothing, doubted=doubted, gone=joined.gone if not ours or ours.gone != joined.gone else None)
    heads = [joined.revs[name] for name in joined.heads]
    here = live.revs[live.own] if live else None
    to = next((each for each in heads if here is None or here.id in joined.known(each.id)), here)
    if to is None:
        return replace(nothing, doubted=doubted)
    new = joined.in_order(joined.known(to.id) - set(live.revs if live else ()))
    choose = tuple(each for each in heads if each.id != to.id)
    joined = replace(joined, rows=live.rows if live else {}, own=here.id if here else "")
    return Plan(theirs.entry, joined, new, None, choose, doubted, False, theirs.faults)


def _in_time(gone: Gone, against: Against) -> bool:
    made = against.made(gone.decision)
    return made is not None and made.at == gone.at
