"""The queue as the screen holds it: rows that never jump, what was decided on them, marks and the cursor's next place.

Pure: knows no widget and no desk. A decided row keeps its place and shows its sign until the screen closes.
"""

from dataclasses import dataclass, field, replace

from curator.desk.views import Row, Shown
from curator.vocab import ProposalState, Verb

DECIDED = {Verb.ACCEPT: "v", Verb.REJECT: "r", Verb.SNOOZE: "z", Verb.SPLIT: "/", Verb.REVISE: "."}
_STATES = {
    ProposalState.OPEN: ".",
    ProposalState.SNOOZED: "z",
    ProposalState.ACCEPTED: "v",
    ProposalState.REJECTED: "r",
    ProposalState.EXPIRED: "-",
    ProposalState.WITHDRAWN: "-",
}


@dataclass
class Board:
    """`visible` are ids in the order on screen. `signs` holds what was done with a row, `busy` whose
    decision the desk has not answered yet.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    visible: list[str] = field(default_factory=list)
    signs: dict[str, str] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    anchor: str | None = None

    def take(self, rows: tuple[Row, ...], *, afresh: bool = False) -> tuple[list[str], list[str]]:
        """Take a new state of the queue; returns the ids that arrived and those that went without this screen.

        `afresh` forgets the order and what was decided (a new filter). A row that is open again loses its sign.
        """
        new = {row.proposal_id: row for row in rows}
        known = set(self.rows)
        arrived = [key for key in new if key not in known]
        if afresh:
            gone: list[str] = []
            self.visible = list(new)
            self.anchor = None
        else:
            gone = [key for key in self.visible if key not in new and key not in self.signs]
            self.visible += [key for key in new if key not in set(self.visible)]
        self.rows |= new
        for key, row in new.items():
            if key in self.busy:
                continue
            if row.state is ProposalState.OPEN:
                self.signs.pop(key, None)
            else:
                self.signs[key] = _STATES[row.state]
        for key in gone:
            self.signs[key] = "-"
        self.marks = {key for key in self.marks if key in new and key not in self.signs}
        return arrived, gone

    def __len__(self) -> int:
        return len(self.visible)

    def at(self, position: int) -> Row | None:
        """The row on that line, None outside."""
        return self.rows[self.visible[position]] if 0 <= position < len(self.visible) else None

    def position(self, key: str) -> int:
        """The line of a proposal, -1 when it is not shown."""
        return self.visible.index(key) if key in self.visible else -1

    def sign(self, row: Row) -> str:
        """State in one character: decided, in conflict, or waiting."""
        return self.signs.get(row.proposal_id) or ("!" if row.conflict else _STATES[row.state])

    def open(self, row: Row) -> bool:
        """May this row still be decided on?"""
        return row.proposal_id not in self.signs

    def decide(self, keys: list[str], verb: Verb) -> None:
        """Show at once what was decided; the desk's answer follows."""
        self.signs |= dict.fromkeys(keys, DECIDED[verb])
        self.busy |= set(keys)
        self.marks -= set(keys)

    def reopen(self, keys: list[str]) -> None:
        """The decision did not happen, or was taken back."""
        for key in keys:
            self.signs.pop(key, None)

    def conflicted(self, key: str) -> None:
        """The desk found a changed target: the row says so and waits."""
        self.signs.pop(key, None)
        if key in self.rows:
            self.rows[key] = replace(self.rows[key], conflict=True)

    def next_open(self, position: int) -> int:
        """The line of the next undecided row after this one, then before it, else this one."""
        count = len(self.visible)
        for step in range(1, count + 1):
            at = (position + step) % count
            row = self.at(at)
            if row is not None and self.open(row):
                return at
        return position

    def toggle(self, key: str) -> None:
        """Mark or unmark."""
        self.marks ^= {key}

    def mark_range(self, here: str) -> bool:
        """The first call sets the start, the second marks everything between; True when it marked."""
        if self.anchor is None or self.anchor not in self.visible:
            self.anchor = here
            return False
        first, last = sorted((self.position(self.anchor), self.position(here)))
        self.marks |= {key for key in self.visible[first : last + 1] if self.open(self.rows[key])}
        self.anchor = None
        return True

    def mark_shown(self) -> None:
        """Mark all that are shown and undecided; unmark them if they all are."""
        shown = {key for key in self.visible if self.open(self.rows[key])}
        self.marks = self.marks - shown if shown <= self.marks else self.marks | shown

    def marked(self) -> list[Row]:
        """The marked rows that are undecided, in the order on screen."""
        return [self.rows[key] for key in self.visible if key in self.marks and self.open(self.rows[key])]


def shown(row: Row) -> Shown:
    """What the person saw of a row."""
    return Shown(row.proposal_id, row.rev)
