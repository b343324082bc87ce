"""The words of the product: kinds, routes, origins, operations, states.

Owns the names that stand in the store, on screen, in files and on the command line, so that one word means one
thing everywhere. Imports nothing; holds no behaviour beyond what a word itself says.
"""

from enum import StrEnum


class Route(StrEnum):
    """Which of the two stores an entry belongs to."""

    INJECTED = "injected"
    DEFERRED = "deferred"


class Kind(StrEnum):
    """What an entry is."""

    LESSON = "lesson"
    PATTERN = "pattern"
    ROOT_CAUSE = "root-cause"
    CORRECTION = "correction"
    RESEARCH = "research"
    DESIGN = "design"
    DECISION = "decision"

    @property
    def route(self) -> Route:
        """The store this kind goes to unless a reviewer says otherwise."""
        return Route.DEFERRED if self in DEFERRED_KINDS else Route.INJECTED


DEFERRED_KINDS = frozenset({Kind.RESEARCH, Kind.DESIGN, Kind.DECISION})

DEFERRED_LABEL = "kb"
"""Every deferred entry carries this label, so that beads users find it by the name they know."""


class Origin(StrEnum):
    """Where a text came from, most trusted first. A merge has the lowest origin of its parts."""

    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"
    FILE = "file"
    WEB = "web"
    SUBAGENT = "sub-agent"
    IMPORT = "import"
    UNVERIFIED = "unverified"
    ECHO = "echo"

    @property
    def trust(self) -> int:
        """Larger is more trusted; only the order means anything. `tool` and `file` are equals."""
        return _TRUST[self]


_TRUST = {
    Origin.HUMAN: 7,
    Origin.AGENT: 6,
    Origin.TOOL: 5,
    Origin.FILE: 5,
    Origin.WEB: 4,
    Origin.SUBAGENT: 3,
    Origin.IMPORT: 2,
    Origin.UNVERIFIED: 1,
    Origin.ECHO: 0,
}


def lowest(*origins: Origin) -> Origin:
    """The origin of something made from several parts."""
    return min(origins, key=lambda origin: origin.trust)


class Op(StrEnum):
    """What a proposal would do."""

    ADD = "add"
    UPDATE = "update"
    MERGE = "merge"
    TOMBSTONE = "tombstone"
    SPLIT = "split"
    REROUTE = "reroute"
    RELABEL = "relabel"


OP_SIGNS = {
    Op.ADD: "+",
    Op.UPDATE: "~",
    Op.MERGE: "&",
    Op.TOMBSTONE: "x",
    Op.SPLIT: "/",
    Op.REROUTE: ">",
    Op.RELABEL: "#",
}


class EntryState(StrEnum):
    """The life of an entry; nothing but `purge` removes one."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    TOMBSTONED = "tombstoned"


class NoteState(StrEnum):
    """What became of a raw note."""

    WAITING = "waiting"
    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    BLOCKED = "blocked"
    SEEN = "seen"
    SKIPPED = "skipped"
    DROPPED = "dropped"


class ProposalState(StrEnum):
    """Where a proposal stands; `snoozed` comes back with the next sweep."""

    OPEN = "open"
    SNOOZED = "snoozed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Relation(StrEnum):
    """How a newer text stands to an older one."""

    SAME = "same"
    RESTATES = "restates"
    REFINES = "refines"
    REPLACES = "replaces"
    RELATED = "related"
    DISTINCT = "distinct"


class Verb(StrEnum):
    """What a person did, as the ledger names it."""

    ACCEPT = "accept"
    REJECT = "reject"
    SNOOZE = "snooze"
    REVISE = "revise"
    SPLIT = "split"
    EDIT = "edit"
    PIN = "pin"
    UNPIN = "unpin"
    TOMBSTONE = "tombstone"
    RESTORE = "restore"
    PROMOTE = "promote"
    UNDO = "undo"
    PURGE = "purge"
    CONFIRM = "confirm"
    SYNC = "sync"


class Client(StrEnum):
    """The agents that the product plugs into."""

    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    COPILOT = "copilot"
    CURSOR = "cursor"


class Row(StrEnum):
    """The kinds of row in a session's record."""

    INPUT = "input"
    RESPONSE = "response"
    TOOL_RESULT = "tool_result"
    CHECKPOINT = "checkpoint"


class Typed(StrEnum):
    """How sure it is that the person typed an input."""

    TYPED = "typed"
    OLDER_RULES = "typed, by older rules"
    CONFIRMED = "confirmed"
    UNVERIFIED = "unverified"
    MACHINE = "machine"

    @property
    def by_person(self) -> bool:
        """May this become a memo item and carry human origin?"""
        return self in (Typed.TYPED, Typed.OLDER_RULES, Typed.CONFIRMED)


FRAME = "curator-memory"
"""Tag name of the injected block; stored text can neither open nor close it."""

MARKERS = tuple(f"{kind.value}:" for kind in Kind)
"""A note that begins with one of these names its own kind."""
