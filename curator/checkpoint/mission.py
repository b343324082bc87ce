"""Mission entries: the same entry from checkpoint to checkpoint, whatever a model does to its line.

Owns ids, statuses and sources of the list under `## Mission`, and what may change in it: a status may, the text only
with a new message of the person as its source. An entry is never deleted. Prose counts as one entry.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from curator.checkpoint import headings, mind

_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+(?=\S)")
_ID = re.compile(r"M(\d+)\b[:.]?\s*")
_STATUS = re.compile(r"\[\s*([^\]#]*?)\s*\]\s*")
_KNOWN = re.compile(r"open|done|withdrawn|replaced by M(\d+)", re.IGNORECASE)
_SOURCES = re.compile(r"\s*\[\s*(#\d+(?:[\s,]+#\d+)*)\s*\]\s*$")


@dataclass(frozen=True)
class Entry:
    """One entry: `number` is the 3 of M3 (0 = none given), `status` as written, `text` without id, status, sources."""

    number: int
    status: str
    text: str
    sources: frozenset[int] = frozenset()
    start: int = 0
    end: int = 0
    prose: bool = False

    @property
    def key(self) -> str:
        """What makes two texts the same: white space and letter case do not matter."""
        return " ".join(self.text.split()).casefold()

    def line(self, text: str | None = None) -> str:
        """The entry in its full form."""
        sources = " [" + " ".join(f"#{n}" for n in sorted(self.sources)) + "]" if self.sources else ""
        body = self.text if text is None else text
        return f"- M{self.number} [{self.status}] {body}{sources}"


def entries(text: str) -> list[Entry]:
    """The entries under the Mission heading of a mind; offsets are those of the mind."""
    begin, end = headings.blocks(text, mind.HEADINGS).get(mind.MISSION, (0, 0))
    block = text[begin:end]
    if mind.empty(block):
        return []
    return [_parsed(text[a:b], begin_, is_prose) for a, b, is_prose in _spans(block, begin) for begin_ in (a,)]


def reconciled(before: str, after: str, typed: Callable[[int], bool]) -> tuple[str, list[str]]:
    """The new mind with ids and statuses put where they are due, and what is wrong with its Mission.

    `typed` says whether a record number is a message that the person typed.
    """
    old, new = entries(before), entries(after)
    named = _named(old, new)
    told = _problems(old, named, typed)
    out = after
    for was, entry in reversed(list(zip(new, named, strict=True))):
        if was.prose or (was.number, was.status) != (entry.number, entry.status):
            raw = after[was.start : was.end]
            tail = raw[len(raw.rstrip()) :]
            out = out[: was.start] + entry.line() + tail + out[was.end :]
    return out, told


def _numbered(old: Sequence[Entry]) -> list[Entry]:
    """Earlier entries, each with an id: a mind that was never committed may hold some without."""
    taken, out = {entry.number for entry in old}, []
    for entry in old:
        number = entry.number or next(n for n in range(1, len(taken) + 2) if n not in taken)
        taken.add(number)
        out.append(replace(entry, number=number, status=entry.status or "open"))
    return out


def _named(old: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """The new entries with an id and a status each: their own, their earlier one where the text matches, or fresh."""
    earlier = _numbered(old)
    known = {entry.number for entry in earlier}
    claimed = {entry.number for entry in new if entry.number in known}
    by_text = {entry.key: entry for entry in reversed(earlier) if entry.number not in claimed}
    by_number = {entry.number: entry for entry in earlier}
    following = max(known, default=0) + 1
    out = []
    for entry in new:
        number, status = entry.number, entry.status
        if number not in known:
            match = None if number else by_text.pop(entry.key, None)
            number = match.number if match else following
            following += 0 if match else 1
        if not status:
            same = by_number.get(number)
            status = same.status if same and same.key == entry.key else "open"
        out.append(replace(entry, number=number, status=status))
    return out


def _problems(old: Sequence[Entry], named: Sequence[Entry], typed: Callable[[int], bool]) -> list[str]:
    told = []
    earlier = _numbered(old)
    if len(named) < len(earlier):
        told.append(f"the Mission has {len(named)} entries, it had {len(earlier)}: mark an entry, never delete it")
    numbers = [entry.number for entry in named]
    told += [f"Mission entry M{n} stands twice" for n in sorted({n for n in numbers if numbers.count(n) > 1})]
    now = {entry.number: entry for entry in named}
    for entry in earlier:
        same = now.get(entry.number)
        if same is None:
            told.append(f"Mission entry M{entry.number} is gone: {entry.text[:60]!r}")
        elif same.key != entry.key and not any(typed(n) for n in same.sources - entry.sources):
            told.append(
                f"the text of Mission entry M{entry.number} changed without a message of the person as its source: "
                f"add its number, such as [#12], or bring the text back: {entry.text[:60]!r}"
            )
    for entry in named:
        status = _KNOWN.fullmatch(entry.status)
        if not status:
            told.append(
                f"Mission entry M{entry.number} has the status {entry.status!r}: "
                "use open, done, withdrawn or replaced by M3"
            )
        elif status[1] and (int(status[1]) not in now or int(status[1]) == entry.number):
            told.append(f"Mission entry M{entry.number} is replaced by M{status[1]}, which is no other entry")
    return told


def _spans(block: str, base: int) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is prose, for each entry of the block, without the blank lines around it."""
    start, prose, last = -1, False, -1
    for line in headings.lines(block):
        item = not line.fenced and bool(_ITEM.match(line.text))
        if item and start >= 0:
            yield base + start, base + last, prose
            start = -1
        if start < 0 and line.text.strip():
            start, prose = line.start, not item
        if line.text.strip():
            last = line.end
    if start >= 0:
        yield base + start, base + last, prose


def _parsed(raw: str, start: int, prose: bool) -> Entry:
    body = raw.strip()
    body = body if prose else body[_ITEM.match(body).end() :] if _ITEM.match(body) else body  # type: ignore[union-attr]
    number = 0
    if found := _ID.match(body):
        number, body = int(found[1]), body[found.end() :]
    status = ""
    if (found := _STATUS.match(body)) and (number or _KNOWN.fullmatch(found[1])):
        status, body = found[1], body[found.end() :]
    sources: frozenset[int] = frozenset()
    if found := _SOURCES.search(body):
        sources = frozenset(int(n) for n in re.findall(r"\d+", found[1]))
        body = body[: found.start()]
    return Entry(number, status, body.strip(), sources, start, start + len(raw), prose)
