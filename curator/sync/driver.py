"""git's merge driver for the file: two branches' memories become one, entry by entry. Needs no database.

git's contract: read the two versions, write the result over ours, say by the exit code whether it is done.
"""

from pathlib import Path

from curator.interchange.outgoing import write_whole
from curator.sync.exporting import side_of
from curator.sync.reading import Survey, survey
from curator.sync.writing import NOTHING, Joining, Side, lines


def merge(ours: Path, theirs: Path) -> Joining:
    """Write both together over `ours`. The common ancestor is not asked: every version carries what it follows.

    Raises `Conflict` for conflict marks in a version, `CannotLook` for a newer program's; `ours` is then as it was.
    """
    told = Joining()
    one, other = _side(ours, told), _side(theirs, told)
    write_whole(ours, lines(one, other, told))
    return told


def _side(path: Path, told: Joining) -> Side:
    """One version; a branch without the file has an empty one."""
    if not path.stat().st_size:
        return NOTHING
    found: Survey = survey(path)
    told.left_out += found.bad
    return side_of(found)
