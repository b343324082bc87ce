"""The values a composition starts from and ends with."""

# ruff: noqa: RUF012 - defaults of named tuples, never changed

from curator.brief.layers import Layers
from curator.brief.parts import Built
from curator.brief.snapshot_file import Reading
from curator.light import Mapping, NamedTuple
from curator.salience.pick import Pick

CONTINUED = frozenset({"resume", "fork"})
"""Sources whose session already holds what was injected before: only what changed is said."""


class Asked(NamedTuple):
    """Everything the text depends on, and nothing else.

    `known` maps ids of entries that the replayed transcript already holds to their revision, `known_checkpoint`
    names the checkpoint it holds; both matter on resume and fork only. `notices` are sentences about delivery and
    state that matter now. `earlier` is true where a compaction's own checkpoint is not there yet. `only` is
    `memories` or `checkpoint` for one part alone. `today` is a proleptic ordinal.
    """

    source: str
    today: int
    project: Reading
    own: Reading
    layers: Layers = Layers()
    session: str = ""
    worktree: str = ""
    branch: str = ""
    tokens: int = 2_000
    size: int = 9_500
    margin: float = 1.0
    pin_share: float = 0.25
    checkpoint_days: int = 14
    known: Mapping[str, int] = {}
    known_checkpoint: str = ""
    notices: tuple[str, ...] = ()
    earlier: bool = False
    leave_to_bd: bool = False
    only: str = ""


class Brief(NamedTuple):
    """The text ("" = nothing to say) and how it came about; `checkpoint` is the id of the one that was shown."""

    text: str
    digest: str
    parts: tuple[Built, ...]
    pick: Pick
    checkpoint: str
    omitted: str
