"""The store as `memory.jsonl`. What the file holds and the store does not have yet stays in it."""

from pathlib import Path

from curator.interchange.outgoing import write_whole
from curator.store.engine import Store
from curator.sync.reading import Survey, strands, survey
from curator.sync.stored import side
from curator.sync.writing import NOTHING, Joining, Side, lines


def export(store: Store, path: Path) -> Joining:
    """Write the file, whole or not at all, or leave it where not a byte would change.

    Raises `Conflict` for conflict marks in the file that is there, `CannotLook` for a newer program's file.
    """
    told = Joining()
    theirs = side_of(survey(path)) if path.exists() and path.stat().st_size else NOTHING
    with store.read() as session:
        ours, _ = side(session, store.project_id)
        write_whole(path, lines(ours, theirs, told))
    return told


def side_of(found: Survey) -> Side:
    """A file as one of two sides."""
    return Side(strands(found), found.made, found.refused, found.unknown)
