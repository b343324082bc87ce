"""`curator import beads FILE`: each record at most one proposal, each line kept as it is for the way back.

Owns the reading of records into offers; what a row means here is judged by the pipeline of format `entries`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curator.errors import CuratorError
from curator.interchange.beads import kept, records
from curator.interchange.beads.listed import listed
from curator.interchange.beads.records import Names, What
from curator.interchange.entries import Report, propose
from curator.interchange.incoming import Offer, Read, offer_of
from curator.interchange.lines import Line, parsed, wholes
from curator.interchange.rows import Row
from curator.interchange.times import ahead
from curator.ports import Tokens
from curator.store.engine import Store
from curator.vocab import EntryState

FORM = "beads"


def import_beads(store: Store, path: Path, tokens: Tokens) -> Report:
    """Importer of format `beads`. Raises `NotFound` for what is no file, `OSError` for what cannot be read."""
    whole = list(wholes(path))
    return import_lines(store, listed(whole) or whole, kept.name_of(store, path), path.name, tokens)


def import_lines(store: Store, whole: list[tuple[int, bytes]], name: str, source: str, tokens: Tokens) -> Report:
    """Propose what these lines hold and keep them under `name`, all in one transaction."""
    lines = [line for number, text in whole if (line := parsed(number, text))]
    with store.write() as session:
        read = read_records(lines, store.now(), store.settings.note_bytes, kept.names(session, store, lines))
        report = propose(session, store, read, FORM, source, tokens)
        dead = [key for key, offer in read.offers.items() if offer.row.state is not EntryState.ACTIVE]
        kept.keep(session, store, name, whole, dead)
        kept.mark_same(session, store, [read.offers[key] for key in report.outcomes["same"]])
    return report


def read_records(lines: Iterable[Line], now: datetime, limit: int, names: Names) -> Read:
    """The records as offers by entry id; of two with one key the last counts, but a tombstone stays one."""
    read = Read()
    for line in lines:
        if line.mark:
            read.marks.append(line.number)
        elif line.value is None:
            read.bad.append((line.number, line.reason))
        elif records.what(line.value) is What.UNKNOWN:
            read.unknown.append(line)
        elif records.what(line.value) is What.HEADER:
            read.aside.append((line.number, "header of the file"))
        else:
            read.rows += 1
            _one(read, line, line.value, now, limit, names)
    return read


def _one(read: Read, line: Line, value: dict[str, Any], now: datetime, limit: int, names: Names) -> None:
    try:
        found = records.row_of(value, names)
        if isinstance(found, str):
            read.aside.append((line.number, found))
            return
        offer, redacted = _marked(line.number, found, now, limit, memory=records.what(value) is What.MEMORY)
    except CuratorError as error:
        read.bad.append((line.number, str(error)))
        return
    read.redacted += redacted
    read.zoneless += [line.number] if offer.row.zoneless and offer.row.timed else []
    read.ahead += [line.number] if ahead(offer.row.updated_at, now) else []
    key = offer.row.draft.entry_id
    there = read.offers.get(key)
    if there is not None and there.row.state is not EntryState.ACTIVE and offer.row.state is EntryState.ACTIVE:
        read.repeated.append((line.number, key, f"but line {there.line} retires it, which stays"))
        return
    if there is not None:
        read.repeated.append((line.number, key, f"in place of line {there.line}"))
    read.offers[key] = offer


def _marked(number: int, value: Mapping[str, Any], now: datetime, limit: int, *, memory: bool) -> tuple[Offer, int]:
    """The offer, for a memory with the mark that `bd prime` hands this text over."""
    offer, redacted = offer_of(number, dict(value), now, limit)
    if memory:
        columns = {**offer.row.columns, "extra": {"bd": offer.row.draft.content_hash}}
        offer = replace(offer, row=replace(offer.row, columns=columns))
    return offer, redacted


def row_reader(now: datetime, names: Names) -> Callable[[dict[str, Any]], Row]:
    """How an export reads a line again: the object as a row, cleaned as on import."""

    def read(value: dict[str, Any]) -> Row:
        found = records.row_of(value, names)
        if isinstance(found, str):
            raise CuratorError(found)
        return _marked(0, found, now, 1 << 30, memory=records.what(value) is What.MEMORY)[0].row

    return read
