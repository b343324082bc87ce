"""One function by which two histories of an entry become one: for import, export and the merge driver. Pure.

Owns the rule. What is equal is one; what changed on one side is taken; what changed on both is put together by
words; where the same words changed both stay, as two heads, and a person chooses. A retired entry stays retired
against a change that was made without knowing it; a change made after it is a restore and stands.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from curator.draft import title_of
from curator.sync.records import FIELDS, Gone, Rev, rev
from curator.sync.strand import Strand, by_age, seen
from curator.vocab import EntryState, Origin, lowest
from curator.worddiff import merge

_TRIED = 6
"""Ends that are tried with each other; more than two come only from a file made to be slow."""

_RANK = {EntryState.SUPERSEDED.value: 1, EntryState.TOMBSTONED.value: 2}


def united(ours: Strand | None, theirs: Strand | None) -> Strand:
    """Both histories of one entry together, with the revisions added that put their ends together.

    The same for either order of the two. Several heads are left where a person must choose.
    """
    sides = [side for side in (ours, theirs) if side is not None]
    entry = sides[0].entry
    if any(side.purged for side in sides):
        return Strand(entry, purged=True)
    revs = {name: each for side in sides for name, each in side.revs.items()}
    strand = Strand(entry, revs, max(side.sightings for side in sides))
    gone = _newest([side.gone for side in sides if side.gone])
    if gone and all(strand.revs[name].at <= gone.at for name in strand.heads):
        return Strand(entry, gone=gone)
    return _joined(strand)


def _newest(gone: list[Gone]) -> Gone | None:
    return max(gone, key=lambda each: (each.at, each.decision)) if gone else None


def _joined(strand: Strand) -> Strand:
    """The strand with its heads put together, pair by pair, as far as that goes without choosing."""
    while len(heads := strand.heads) > 1:
        made = next((new for a, b in combinations(heads[:_TRIED], 2) if (new := put_together(strand, a, b))), None)
        if made is None:
            return strand
        strand = replace(strand, revs={**strand.revs, made.id: made})
    return strand


def put_together(strand: Strand, one: str, other: str) -> Rev | None:
    """The revision that holds both changes; None where a person must choose."""
    a, b = (strand.revs[name] for name in by_age((strand.revs[one], strand.revs[other])))
    value = _value(a, b, base_of(strand, a, b))
    if value is None:
        return None
    return rev(strand.entry, (a.id, b.id), max(a.at, b.at), "", "", value)


def base_of(strand: Strand, a: Rev, b: Rev) -> Rev | None:
    """The last revision that both follow; else the last that reads the same on both sides; None where there is none."""
    mine, other = strand.known(a.id), strand.known(b.id)
    common = mine & other
    if not common:
        read = {seen(strand.revs[name]) for name in other}
        common = {name for name in mine if seen(strand.revs[name]) in read}
    inner = {parent for name in common for parent in strand.revs[name].parents}
    last = by_age(strand.revs[name] for name in common - inner)
    return strand.revs[last[-1]] if last else None


def _value(a: Rev, b: Rev, base: Rev | None) -> dict[str, Any] | None:
    """What both together are; None where the same words changed. `a` is the older one."""
    if seen(a) == seen(b):
        return _common(b.value, a, b)
    if base and seen(a) == seen(base):
        return _common(b.value, a, b)
    if base and seen(b) == seen(base):
        return _common(a.value, a, b)
    if retired := _retired(a, b, base):
        return _common(retired.value, a, b)
    if base is None or a.state != EntryState.ACTIVE or b.state != EntryState.ACTIVE:
        return None
    value = _worded(a.value, b.value, base.value)
    return None if value is None else _common(value, a, b)


def _retired(a: Rev, b: Rev, base: Rev | None) -> Rev | None:
    """The side that retired the entry, unless the other brought it back knowing that it was retired."""
    if a.state == EntryState.ACTIVE == b.state:
        return None
    was = base.state if base else EntryState.ACTIVE.value
    if EntryState.ACTIVE not in (a.state, b.state):
        return max(b, a, key=lambda each: _RANK.get(each.state, 0))
    retired, active = (a, b) if b.state == EntryState.ACTIVE else (b, a)
    return active if retired.state == was else retired


def _worded(a: Mapping[str, Any], b: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any] | None:
    out: dict[str, Any] = {}
    body = merge(*(str(side.get("body", "")) for side in (base, a, b)))
    made = all(side.get("title") == title_of(str(side.get("body", ""))) for side in (base, a, b))
    title = merge(*(str(side.get("title", "")) for side in (base, a, b)))
    if not body.clean or not (title.clean or made):
        return None
    out["body"], out["title"] = body.text, title_of(body.text) if made else title.text
    for name in ("kind", "route", "state", "pinned", "importance", "superseded_by", "reason", "expires_at"):
        mine, other, was = a.get(name), b.get(name), base.get(name)
        if mine != other and was not in (mine, other):
            return None
        out[name] = other if mine == was else mine
    for name in ("labels", "refs"):
        mine, other, was = (list(side.get(name, ())) for side in (a, b, base))
        dropped = set(was) - (set(mine) & set(other))
        out[name] = [each for each in dict.fromkeys((*mine, *other)) if each not in dropped]
    out["labels"].sort()
    return out


def _common(value: Mapping[str, Any], a: Rev, b: Rev) -> dict[str, Any]:
    """The value with what follows from both sides: the lower origin, the first and the last times."""
    out = {name: value[name] for name in FIELDS if name in value}
    origins = [Origin(str(each.value["origin"])) for each in (a, b) if each.value.get("origin") in set(Origin)]
    if origins:
        out["origin"] = lowest(*origins).value
    for name in ("source", "extra"):
        if found := {**dict(b.value.get(name, {})), **dict(a.value.get(name, {}))}:
            out[name] = found
    for name, choose in (("created_at", min), ("updated_at", max), ("verified_at", max)):
        if times := [str(each.value[name]) for each in (a, b) if each.value.get(name)]:
            out[name] = choose(times)
    return out
