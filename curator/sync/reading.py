"""`memory.jsonl` read: once over it for what stands in it, then entry by entry. Pure but for the file.

A file that has marks of a merge conflict or comes from a newer program gives nothing. A damaged line costs only
itself and is told by number. Memory holds one entry at a time, and every decision and refusal.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from curator.errors import CannotLook, Conflict
from curator.interchange.lines import Line, read
from curator.sync.records import FIELDS, SCHEMA, VERSION, Gone, Made, Refused, Rev, Sum, rev, shaped
from curator.sync.strand import Strand

_OF_ENTRY = frozenset({"entry", "revision", "gone", "purged"})
_REV = frozenset({"_type", "entry", "rev", "at", "reviewer", "decision", "parents", "sightings"})
_MADE = frozenset({"_type", "id", "at", "verb", "reviewer", "via", "reason", "comment", "nth", "undoes", "changes"})
_REFUSED = frozenset({"_type", "fingerprint", "at", "decision", "reason", "text", "slots"})
_GONE = frozenset({"_type", "entry", "at", "decision"})


@dataclass
class Survey:
    """What a file holds, apart from its entries.

    `sums` are the changes of each decision as the lines show them; `more` the unknown fields of revisions, by name.
    """

    path: Path
    made: dict[str, Made] = field(default_factory=dict)
    refused: dict[str, Refused] = field(default_factory=dict)
    unknown: list[bytes] = field(default_factory=list)
    sums: dict[str, Sum] = field(default_factory=dict)
    bad: list[tuple[int, str]] = field(default_factory=list)
    more: dict[str, dict[str, Any]] = field(default_factory=dict)
    sorted: bool = True
    entries: int = 0

    def whole(self, decision: str) -> bool:
        """Do the lines show no other changes than the decision says it made? Some may be missing: a damaged line."""
        made, shown = self.made.get(decision), self.sums.get(decision)
        if made is None or shown is None:
            return made is not None
        claimed, _, _ = made.changes.partition("-")
        return made.changes == str(shown) or (claimed.isdecimal() and int(claimed) > shown.count)


def survey(path: Path) -> Survey:
    """Everything but the entries. Raises `Conflict` for conflict marks, `CannotLook` for a newer program's file."""
    found = Survey(path)
    marks: list[int] = []
    counted: set[str] = set()
    last = ""
    for each in read(path):
        if each.mark:
            marks.append(each.number)
        elif each.value is None:
            found.bad.append((each.number, each.reason))
        elif "_schema" in each.value:
            _check_version(path, each.value)
        elif (entry := _entry_of(each.value)) is not None:
            found.entries += entry != last
            found.sorted, last = found.sorted and entry >= last, entry
            _count(found, each.value, counted)
        else:
            _other(found, each)
    if marks:
        raise Conflict(
            f"{path} has marks of a merge conflict in {_lines(marks)}; nothing was taken. `curator sync on` and then "
            f"`git checkout --merge {path.name}` there merges it entry by entry"
        )
    return found


def strands(found: Survey) -> Iterator[Strand]:
    """The file's entries by id, with what is wrong about a line kept beside them."""
    lines: Iterable[tuple[Line, str]] = _of_entries(found.path)
    if not found.sorted:
        lines = sorted(lines, key=lambda pair: pair[1])
    part: list[Line] = []
    last = ""
    for each, entry in lines:
        if part and entry != last:
            yield _strand(last, part)
            part = []
        part.append(each)
        last = entry
    if part:
        yield _strand(last, part)


def _of_entries(path: Path) -> Iterator[tuple[Line, str]]:
    return ((each, entry) for each in read(path) if (entry := _entry_of(each.value)) is not None)


def _entry_of(value: Mapping[str, Any] | None) -> str | None:
    if value is None or value.get("_type") not in _OF_ENTRY:
        return None
    entry = value.get("entry")
    return entry if isinstance(entry, str) and entry else None


def _check_version(path: Path, header: Mapping[str, Any]) -> None:
    if header["_schema"] != SCHEMA:
        raise CannotLook(f"{path} is no file of this kind: it says {str(header['_schema'])[:40]!r}")
    version = header.get("version")
    if type(version) is not int or version > VERSION:
        raise CannotLook(f"{path} has version {version!r}; this program reads up to {VERSION}: upgrade curator-memory")


def _count(found: Survey, value: Mapping[str, Any], counted: set[str]) -> None:
    """Add what a line shows to its decision's sum; a record that stands twice in the file counts once."""
    if value["_type"] in {"entry", "revision"} and (more := _more(value, _REV | set(FIELDS))):
        found.more[_text(value, "rev")] = more
    decision, name = _text(value, "decision"), _text(value, "entry" if value["_type"] == "gone" else "rev")
    if decision and value["_type"] != "purged" and name not in counted:
        counted.add(name)
        found.sums.setdefault(decision, Sum()).add(name)


def _other(found: Survey, each: Line) -> None:
    value = each.value or {}
    if value.get("_type") == "decision":
        made = Made(
            at=_text(value, "at"),
            verb=_text(value, "verb"),
            reviewer=_text(value, "reviewer"),
            via=_text(value, "via"),
            reason=_text(value, "reason"),
            comment=_text(value, "comment"),
            nth=value["nth"] if type(value.get("nth")) is int else 0,
            undoes=_text(value, "undoes"),
            changes=_text(value, "changes"),
            more=_more(value, _MADE),
        )
        if made.id != value.get("id"):
            found.bad.append((each.number, "the decision was changed: it does not fit its id"))
        else:
            found.made[made.id] = made
    elif value.get("_type") == "refusal" and _text(value, "fingerprint"):
        refused = Refused(
            fingerprint=_text(value, "fingerprint"),
            text=_text(value, "text"),
            slots=_text(value, "slots"),
            reason=_text(value, "reason"),
            decision=_text(value, "decision"),
            at=_text(value, "at"),
            more=_more(value, _REFUSED),
        )
        if refused.fingerprint not in found.refused:
            found.sums.setdefault(refused.decision, Sum()).add(refused.fingerprint)
        found.refused[refused.fingerprint] = refused
    else:
        found.unknown.append(each.raw)


def _strand(entry: str, part: list[Line]) -> Strand:
    revs: dict[str, Rev] = {}
    faults: list[tuple[int, str]] = []
    gone, purged, sightings = None, False, 0
    for each in part:
        value = each.value or {}
        if value["_type"] == "purged":
            purged = True
        elif value["_type"] == "gone":
            gone = Gone(entry, _text(value, "at"), _text(value, "decision"), _more(value, _GONE))
        else:
            made = rev_of(entry, value)
            if made is None or made.id != value.get("rev"):
                faults.append((each.number, f"{entry} was changed: the line does not fit its name"))
                continue
            revs[made.id] = made
            counted = value.get("sightings")
            sightings = max(sightings, counted if type(counted) is int else 0)
    return Strand(entry, revs, sightings, gone, purged, tuple(faults))


def rev_of(entry: str, value: Mapping[str, Any]) -> Rev | None:
    """A line's object as a revision; its name is made anew. None where it cannot be one."""
    parents = value.get("parents", [])
    if not isinstance(parents, list) or not all(isinstance(each, str) for each in parents):
        return None
    held = {name: item for name, item in value.items() if name not in _REV}
    if not shaped(held):
        return None
    made = rev(entry, tuple(parents), _text(value, "at"), _text(value, "reviewer"), _text(value, "decision"), held)
    more = {name: item for name, item in held.items() if name not in FIELDS}
    return replace(made, more=more)


def _more(value: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in known}


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name, "")
    return found if isinstance(found, str) else ""


def _lines(numbers: list[int]) -> str:
    told = ", ".join(map(str, numbers[:20])) + (f" and {len(numbers) - 20} more" if len(numbers) > 20 else "")
    return f"line{'s' if len(numbers) > 1 else ''} {told}"
