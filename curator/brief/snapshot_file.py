"""The snapshot file: all that a hook knows of the store, in one JSON file that is replaced as a whole.

Owns the format, reading with validation, and the words for "could not look". Writing a value to disk is
`curator.snapshot`'s; what the parts mean in the injected text is `brief.compose`'s.
"""

# ruff: noqa: RUF012 - defaults of named tuples, never changed

import os

from curator.light import Any, Mapping, NamedTuple, parsed, written
from curator.salience.item import Item

NAME = "snapshot.json"
FORMAT = 2


class Checkpoint(NamedTuple):
    """A stored checkpoint's named parts, ready to be excerpted.

    `day` is a proleptic ordinal, `through` the last record number it covers. `parts` has any of `request`, `step`,
    `mission`, `words`, `agreements`, `next`, `waiting`; `words` are the person's, one `#number text` a block.
    `stale` says why its mind is older than its now ("" = it is not).
    """

    id: str
    session: str
    worktree: str
    branch: str
    day: int
    through: int
    parts: Mapping[str, str]
    words: tuple[tuple[int, str], ...] = ()
    stale: str = ""


class Snapshot(NamedTuple):
    """What was known when the file was written.

    `relevance` is that of the items by worktree. `counts` are active injectable entries by kind (more than `items`
    holds, where only those that can win are kept); `settings` and `sources` let a hook skip the configuration files.
    """

    items: tuple[Item, ...] = ()
    relevance: Mapping[str, Mapping[str, float]] = {}
    counts: Mapping[str, int] = {}
    waiting: int = 0
    oldest: str = ""
    labels: Mapping[str, int] = {}
    newest: tuple[tuple[str, str], ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    warnings: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}
    sources: Mapping[str, int] = {}


class Reading(NamedTuple):
    """A snapshot, or in one sentence why there is none to be had."""

    snapshot: Snapshot
    problem: str = ""


def read(folder: str) -> Reading:
    """The snapshot in a store's folder. Never raises: what could not be read is said in `problem`."""
    path = os.path.join(folder, NAME)
    try:
        with open(path, "rb") as file:
            value = parsed(file.read())
    except FileNotFoundError:
        return _failed("its snapshot is missing")
    except OSError as error:
        return _failed(f"its snapshot could not be read ({error.strerror})")
    except (ValueError, RecursionError):
        return _failed("its snapshot is damaged")
    if not isinstance(value, dict) or not isinstance(found := value.get("format"), int):
        return _failed("its snapshot is damaged")
    if found != FORMAT:
        return _failed(f"its snapshot has format {found}, this program reads format {FORMAT}")
    try:
        return Reading(decode(value))
    except (KeyError, TypeError, ValueError, AttributeError):
        return _failed("its snapshot is damaged")


def decode(value: Mapping[str, Any]) -> Snapshot:
    """A parsed document as a value; raises `KeyError`, `TypeError` or `ValueError` where it does not fit."""
    return Snapshot(
        items=_items(value["items"]),
        relevance={str(tree): {str(k): float(v) for k, v in row.items()} for tree, row in value["relevance"].items()},
        counts={str(kind): int(n) for kind, n in value["counts"].items()},
        waiting=int(value["waiting"]),
        oldest=str(value["oldest"]),
        labels={str(label): int(n) for label, n in value["labels"].items()},
        newest=tuple((str(id_), str(title)) for id_, title in value["newest"]),
        checkpoints=tuple(_checkpoint(row) for row in value["checkpoints"]),
        warnings=tuple(str(text) for text in value["warnings"]),
        skills=tuple(str(name) for name in value["skills"]),
        settings=dict(value["settings"]),
        sources={str(path): int(stamp) for path, stamp in value["sources"].items()},
    )


def encode(snapshot: Snapshot) -> bytes:
    """The document's bytes; the same value gives the same bytes."""
    value = {"format": FORMAT, **snapshot._asdict()}
    return written(value, ascii_only=False).encode("utf-8", "replace") + b"\n"


def _items(rows: Any) -> tuple[Item, ...]:
    """All the items, checked column by column: row by row would cost a start more than anything else it does."""
    if any(len(row) != len(Item._fields) for row in rows):
        raise ValueError("a row of another length")
    columns = dict(zip(Item._fields, zip(*rows, strict=True), strict=True)) if rows else {}
    for names, kinds in _KINDS:
        for name in names if columns else ():
            if not set(map(type, columns[name])) <= kinds:
                raise TypeError(name)
    return tuple(map(Item._make, rows))


_KINDS = (
    (("id", "kind", "title", "body"), {str}),
    (("tokens", "size", "verified", "rev"), {int}),
    (("importance", "relevance"), {int, float}),
    (("near",), {list, tuple}),
    (("pinned", "human", "stale", "own", "in_bd"), {bool}),
)


def _checkpoint(row: Any) -> Checkpoint:
    made = Checkpoint._make(row)
    words = tuple((int(seq), str(text)) for seq, text in made.words)
    return made._replace(
        day=int(made.day), through=int(made.through), parts={str(k): str(v) for k, v in made.parts.items()}, words=words
    )


def _failed(problem: str) -> Reading:
    return Reading(Snapshot(), problem)
