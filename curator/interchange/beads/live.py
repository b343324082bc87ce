"""`curator import bd` and `curator export bd`: the same records, from and to the program itself.

Owns what is sent: a record that changed in bd since it was last read is left alone, a tombstone is only told of.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from curator.edge.bd import Bd, find
from curator.errors import CuratorError
from curator.interchange.beads import kept, records
from curator.interchange.beads.changes import memory_text
from curator.interchange.beads.incoming import import_lines, row_reader
from curator.interchange.beads.kept import LIVE, Kept
from curator.interchange.beads.listed import listed
from curator.interchange.beads.outgoing import Found, added, changed, notes
from curator.interchange.beads.pointer import KEY, line_of, pointer
from curator.interchange.beads.records import What
from curator.interchange.beads.standing import here
from curator.interchange.entries import Report
from curator.interchange.formats import Asked, Wrote
from curator.interchange.lines import parsed, value_of
from curator.ports import Tokens
from curator.store.engine import Store


def import_bd(store: Store, folder: Path, tokens: Tokens) -> Report:
    """Importer of format `bd`. Raises `CuratorError` where the program is missing or fails."""
    return import_lines(store, _lines(find(folder)), LIVE, "bd", tokens)


def export_bd(store: Store, _: Path | None, asked: Asked) -> Wrote:
    """Exporter of format `bd`. Raises `CuratorError` where the program is missing or cannot say what it holds."""
    program = find(store.place.root)
    base = [Kept(number, whole) for number, whole in _lines(program)]
    with store.read() as session:
        found = Found.of(session, store, base)
        now = here(session, store, found.keys)
        sets = {name: kept.lines_of(session, store, name) for name in kept.files(session, store.project_id)}
        elsewhere = [Found.of(session, store, each) for name, each in sets.items() if name != LIVE]
    read = {line.whole.strip() for each in sets.values() for line in each}
    made = changed(base, found, now, row_reader(store.now(), found.names))
    sent = _Sent(program)
    for key, index in made.changed.items():
        if base[index].whole.strip() not in read:
            sent.moved.append(key)
            made.told.pop(key, None)
        elif not now.entries[key].active and records.what(found.values[base[index].number]) is What.ISSUE:
            sent.dead.append(key)
        else:
            sent.record(key, made.lines[index])
    known = frozenset(key for each in (found, *elsewhere) for key in each.read.offers)
    for standing, text in added(made, found, now, known, asked):
        sent.new(standing.draft.entry_id, text, memory_text(standing))
    value, number = pointer(store.place), line_of(found.values.items())
    if asked.memories and value and (not number or found.values[number].get("value") != value):
        sent.new(KEY, found.how.text({"_type": What.MEMORY.value, "key": KEY}), value)
    sent.issues_taken()
    with store.write() as session:
        kept.keep(session, store, LIVE, _lines(program))
        kept.mark(session, store, {key: digest for key, digest in made.told.items() if key not in sent.failed})
    done = f"bd: {sent.changed} changed, {sent.created} created, {sent.remembered} remembered"
    return Wrote(done, notes=(*notes(made), *sent.notes()), complete=not (made.secret or sent.failed or sent.moved))


@dataclass
class _Sent:
    """What was sent to bd, and what was not."""

    bd: Bd
    moved: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    changed: int = 0
    created: int = 0
    remembered: int = 0
    issues: dict[str, bytes] = field(default_factory=dict)

    def record(self, key: str, line: bytes) -> None:
        """Send a record that changed; issues go together at the end."""
        value = value_of(line.decode("utf-8"))
        if records.what(value) is What.ISSUE:
            self.issues[key] = line
            return
        self._try(key, lambda: self.bd.remember(str(value["key"]), str(value["value"])))
        self.changed += key not in self.failed

    def new(self, key: str, line: str, memory: str) -> None:
        """Send an entry that bd has no record of."""
        value = value_of(line)
        if records.what(value) is What.MEMORY:
            self._try(key, lambda: self.bd.remember(key, memory))
            self.remembered += key not in self.failed
            return
        self._try(key, lambda: _same(key, self.bd.create(value)))
        self.created += key not in self.failed

    def issues_taken(self) -> None:
        """Send the issues that changed, in one call."""
        if not self.issues:
            return
        first = next(iter(self.issues))
        self._try(first, lambda: self.bd.take(list(self.issues.values())))
        self.changed += 0 if first in self.failed else len(self.issues)

    def notes(self) -> tuple[str, ...]:
        """What a person should know of what was not sent."""
        said = [f"{key}: {why}" for key, why in self.failed.items()]
        if self.moved:
            said.append(f"changed in bd since it was read: {', '.join(self.moved[:10])}; `curator import bd` first")
        if self.dead:
            said.append(f"retired here, still in bd, which takes in no tombstones: {', '.join(self.dead[:10])}")
        return tuple(said)

    def _try(self, key: str, act: Callable[[], object]) -> None:
        try:
            act()
        except CuratorError as error:
            self.failed[key] = str(error)


def _same(key: str, made: str) -> None:
    if made != key:
        raise CuratorError(f"bd made the issue under another id, {made or 'which it did not say'}")


def _lines(program: Bd) -> list[tuple[int, bytes]]:
    """What bd holds, as lines of one file: its issues, then its memories where the export has none."""
    whole = [*enumerate(BytesIO(program.export()), 1)]
    values = (line.value for number, text in whole if (line := parsed(number, text)))
    if any(value is not None and records.what(value) is What.MEMORY for value in values):
        return whole
    memories = listed([(1, program.memories())]) or []
    if whole and memories and not whole[-1][1].endswith(b"\n"):
        whole[-1] = (whole[-1][0], whole[-1][1] + b"\n")
    return [*whole, *((len(whole) + number, text) for number, text in memories)]
