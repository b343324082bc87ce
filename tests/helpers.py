"""What many tests need and no product code does."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.store.engine import Store


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]


def load_active(store: "Store", rows: Path | Iterable[Mapping[str, Any]]) -> list[str]:
    """Put the rows of a cases file (`id kind title body labels status …`) straight into the store as entries.

    Each keeps its id, state, times, pin and salience. Only `kind` and `body` (or `title`) are needed in a row.
    Returns the ids in order.
    """
    from curator.door.normal import fingerprint
    from curator.edge.tokens import tokens
    from curator.interchange.rows import row
    from curator.store.bulk import New, insert_many

    counter = tokens()
    new = []
    for value in rows_of(rows) if isinstance(rows, Path) else rows:
        made = row(value, store.now())
        counted = {"tokens": counter.count(made.draft.text), "encoding": counter.encoding}
        columns = {**made.columns, **counted, "fingerprint": fingerprint(made.draft.body)}
        new.append(New(made.draft, columns, made.history))
    with store.write() as session:
        return insert_many(session, store.project_id, new, store.now(), reviewer="test")
