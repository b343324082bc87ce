"""Lines of several files as one, and when a file may not be written over.

Owns what makes two lines the same record. Reads and refuses; writes nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from curator.errors import Conflict, CuratorError
from curator.interchange.beads import kept, records
from curator.interchange.beads.kept import Kept
from curator.interchange.lines import parsed
from curator.store.engine import Store


def united(sets: Sequence[Sequence[Kept]]) -> list[Kept]:
    """The lines of several files, numbered anew: the first file's, then of each other those with records still new."""
    lines: list[Kept] = []
    seen: set[tuple[str, str]] = set()
    for each in sets:
        own = [(line, key) for line in each if (key := _key(line.whole, line.number)) not in seen or not seen]
        if lines:  # of a further file only its records
            own = [(line, key) for line, key in own if key is not None]
        seen |= {key for _, key in own if key is not None}
        if lines and own and not lines[-1].whole.endswith(b"\n"):
            lines[-1] = replace(lines[-1], whole=lines[-1].whole + b"\n")
        lines += [line for line, _ in own]
    return [replace(line, number=number) for number, line in enumerate(lines, 1)]


def _key(whole: bytes, number: int) -> tuple[str, str] | None:
    line = parsed(number, whole)
    return records.key_of(line.value) if line and line.value is not None else None


def guard(store: Store, target: Path, there: Sequence[tuple[int, bytes]], new: Sequence[bytes]) -> None:
    """Refuse to lose what the file holds: records that we do not have, and changes made to it since it was read."""
    with store.read() as session:
        base = _by_key((line.number, line.whole) for line in kept.lines_of(session, store, kept.name_of(store, target)))
    old, ours = _by_key(there), _by_key(enumerate(new, 1))
    if lost := [key for key in old if key not in ours]:
        some = ", ".join(name or "a line that is no record" for _, name in lost[:5]) + (", …" if len(lost) > 5 else "")
        raise CuratorError(
            f"{target} holds {len(old)} records, and {len(lost)} of them would be lost ({some}): "
            f"`curator import beads` it first, or write all the same with --force"
        )
    moved = [name for key, text in old.items() if text not in (ours[key], base.get(key)) for name in key[1:]]
    if moved:
        raise Conflict(
            f"{target} changed since it was read, in {', '.join(moved[:5])}{', …' if len(moved) > 5 else ''}: "
            f"`curator import beads` it first, or write all the same with --force"
        )


def _by_key(lines: Iterable[tuple[int, bytes]]) -> dict[tuple[str, ...], bytes]:
    """The last line of each record; a line that is none, but not blank, stands for itself."""
    found: dict[tuple[str, ...], bytes] = {}
    for number, whole in lines:
        if bare := whole.strip():
            found[_key(whole, number) or (bare.decode("latin-1"), "")] = bare
    return found
