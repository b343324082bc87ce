"""`curator export beads [FILE]`: the lines that were read, changed only where a record changed, then what is new.

Owns what an export's text is and when it may not be written. A file that holds records which would be lost, or that
changed since it was read, is left as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlmodel import Session

from curator.door import redact
from curator.errors import CannotLook
from curator.interchange.beads import kept, records
from curator.interchange.beads.changes import (
    Reader,
    Standing,
    differs,
    is_knowledge,
    is_memory,
    new_issue,
    new_memory,
    revived,
    rewritten,
)
from curator.interchange.beads.dialect import Dialect, dialect, edited
from curator.interchange.beads.incoming import read_records, row_reader
from curator.interchange.beads.kept import Kept
from curator.interchange.beads.pointer import KEY, line_of, pointer
from curator.interchange.beads.records import Names, What
from curator.interchange.beads.standing import Here, here
from curator.interchange.beads.union import guard, united
from curator.interchange.formats import Asked, Wrote
from curator.interchange.incoming import Read
from curator.interchange.lines import parsed, wholes
from curator.interchange.outgoing import write_whole
from curator.store.engine import Store
from curator.vocab import EntryState, Route

_BOM = b"\xef\xbb\xbf"


@dataclass
class Composed:
    """An export's lines with their ends, and what became of the records, by entry id."""

    lines: list[bytes]
    changed: dict[str, int] = field(default_factory=dict)
    """The place of each record that changed."""
    issues: list[str] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    revived: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    secret: list[str] = field(default_factory=list)
    hidden: int = 0
    told: dict[str, str] = field(default_factory=dict)
    """Content hash by entry id, of the memories that the file now holds."""


def export_beads(store: Store, target: Path | None, asked: Asked) -> Wrote:
    """Exporter of format `beads`. Raises `CuratorError` where the file's own records would be lost, `OSError`."""
    made = compose(store, target, asked)
    if target is None:
        return Wrote(lines=made.lines, notes=notes(made), complete=not made.secret)
    there = list(wholes(target)) if target.is_file() else []
    if there and not asked.force:
        guard(store, target, there, made.lines)
    if not target.exists() or [text for _, text in there] != made.lines:
        write_whole(target, iter(made.lines))
    problem = _remember(store, target, made)
    said = f"wrote {len(made.lines)} lines to {target}: {len(made.changed)} changed, {len(made.issues)} new issues"
    said += f", {len(made.memories)} new memories" if asked.memories else ""
    return Wrote(said, notes=(*notes(made), problem), complete=not made.secret)


def compose(store: Store, target: Path | None, asked: Asked) -> Composed:
    """What the file would hold: its own lines where they are kept, else those of every file, then what is new."""
    with store.read() as session:
        own = kept.name_of(store, target) if target else ""
        names = kept.files(session, store.project_id)
        chosen = [own] if own in names else names
        beside = [target] if target else []
        base = united([kept.lines_of(session, store, name, beside) for name in chosen])
        elsewhere = [kept.lines_of(session, store, name) for name in names if name not in chosen]
        found = Found.of(session, store, base)
        now = here(session, store, found.keys)
        known = {
            *found.read.offers,
            *(key for each in elsewhere for key in Found.of(session, store, each).read.offers),
        }
    made = changed(base, found, now, row_reader(store.now(), found.names))
    new = [text for _, text in added(made, found, now, frozenset(known), asked)]
    if asked.memories and (value := pointer(store.place)):
        new += _pointed(made, base, found, value)
    _append(made, new)
    return made


@dataclass(frozen=True)
class Found:
    """What lines say: the rows they hold, by entry id, and how the file writes."""

    values: Mapping[int, dict[str, Any]]
    names: Names
    read: Read
    how: Dialect

    @classmethod
    def of(cls, session: Session, store: Store, base: Sequence[Kept]) -> "Found":
        lines = [line for each in base if (line := parsed(each.number, each.whole))]
        names = kept.names(session, store, lines)
        values = {line.number: line.value for line in lines if line.value is not None}
        return cls(values, names, read_records(lines, store.now(), 1 << 30, names), dialect(line.raw for line in lines))

    @property
    def keys(self) -> dict[str, str]:
        """The key of a record by entry id."""
        found = {key: records.key_of(self.values[offer.line]) for key, offer in self.read.offers.items()}
        return {key: name[1] for key, name in found.items() if name}


def changed(base: Sequence[Kept], found: Found, now: Here, reader: Reader) -> Composed:
    """The lines with those records changed that changed here."""
    made = Composed([each.whole for each in base], hidden=sum(1 for each in base if each.hidden))
    at = {each.number: index for index, each in enumerate(base)}
    for key, offer in found.read.offers.items():
        standing = now.entries.get(key)
        if standing is None:
            continue
        if revived(offer.row, standing):
            made.revived.append(key)
        elif differs(offer.row, standing):
            value = found.values[offer.line]
            if standing.state is EntryState.SUPERSEDED and not is_knowledge(value):
                made.superseded.append(key)
                continue
            if key in now.held:
                made.held.append(key)
                continue
            if redact(standing.draft.text).kinds:
                made.secret.append(key)
                continue
            index = at[offer.line]
            made.lines[index] = _rewritten(made.lines[index], standing, reader, found)
            made.changed[key] = index
        if is_memory(offer.row) and standing.active:
            made.told[key] = standing.draft.content_hash
    return made


def _rewritten(whole: bytes, standing: Standing, reader: Reader, found: Found) -> bytes:
    return _edited(whole, found, lambda text, how: rewritten(text, standing, reader, found.names, how))


def _edited(whole: bytes, found: Found, change: Callable[[str, Dialect], str]) -> bytes:
    """A line with its text changed, its own way of writing, line end and byte order mark kept."""
    bare = whole.rstrip(b"\r\n")
    text = bare.removeprefix(_BOM)
    new = change(text.decode("utf-8"), dialect([text], found.how)).encode("utf-8")
    return bare[: len(bare) - len(text)] + new + whole[len(bare) :]


def _append(made: Composed, new: Sequence[str]) -> None:
    end = b"\r\n" if made.lines and made.lines[0].endswith(b"\r\n") else b"\n"
    for text in new:
        if made.lines and not made.lines[-1].endswith(b"\n"):
            made.lines[-1] += end
        made.lines.append(text.encode("utf-8") + end)


def _pointed(made: Composed, base: Sequence[Kept], found: Found, value: str) -> list[str]:
    """Point at the hand-off: in the line that does so already, else in a new one, which is returned."""
    number = line_of(found.values.items())
    if not number:
        return [found.how.text({"_type": What.MEMORY.value, "key": KEY, "value": value})]
    index = next(index for index, each in enumerate(base) if each.number == number)
    if found.values[number].get("value") != value:
        made.lines[index] = _edited(made.lines[index], found, lambda text, how: edited(text, {"value": value}, how))
    return []


def added(made: Composed, found: Found, now: Here, known: frozenset[str], asked: Asked) -> list[tuple[Standing, str]]:
    """The entries that no record is about, each with its line; those that hold a credential are named in `made`."""
    issues = [value for value in found.values.values() if records.what(value) is What.ISSUE]
    typed = not issues or any("_type" in value for value in issues)
    out: list[tuple[Standing, str]] = []
    for standing in now.new(known, memories=asked.memories):
        draft = standing.draft
        if redact(draft.text).kinds:
            made.secret.append(draft.entry_id)
        elif draft.route is Route.INJECTED:
            out.append((standing, new_memory(standing, found.how)))
            made.memories.append(draft.entry_id)
            made.told[draft.entry_id] = draft.content_hash
        else:
            out.append((standing, new_issue(standing, found.names, found.how, typed=typed)))
            made.issues.append(draft.entry_id)
    return out


def _remember(store: Store, target: Path, made: Composed) -> str:
    """Keep what was written; in beads' own folder the memories are in bd now. Returns why that was not possible."""
    name = kept.name_of(store, target)
    try:
        with store.write() as session:
            before = [line.whole for line in kept.lines_of(session, store, name, [target])]
            if before != made.lines or name not in kept.files(session, store.project_id):
                kept.keep(session, store, name, enumerate(made.lines, 1))
            if target.resolve().parent.name == ".beads":
                kept.mark(session, store, made.told)
    except CannotLook as error:
        return f"what was written could not be noted: {error}"
    return ""


def notes(made: Composed) -> tuple[str, ...]:
    """What an export should say of records that it left as they were."""
    said = (
        (made.held, "wait for a decision and were left as they are in the file"),
        (made.revived, "are retired in the file, which stays so, and active here"),
        (made.superseded, "are superseded here; as work of the project they stay as they are in the file"),
        (made.secret, "hold what looks like a credential and were left out"),
    )
    hidden = "lines held credentials and are written without them: the file they came from is gone"
    found = [
        f"{len(keys)} {what}: {', '.join(keys[:10])}{', …' if len(keys) > 10 else ''}" for keys, what in said if keys
    ]
    return (*found, *([f"{made.hidden} {hidden}"] if made.hidden else []))
