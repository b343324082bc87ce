"""The pick: pins first under their own cap, then by score with near-equal entries thinned, whole entries only.

Owns the order and what is left out and why. Deterministic: ties by id, no clock but the day that is passed in.
"""

from curator.light import NamedTuple, Sequence
from curator.salience.item import Item
from curator.salience.score import Score, score

MMR = 0.7
"""Weight of the score against likeness to what is already taken (maximal marginal relevance)."""


class Budget(NamedTuple):
    """Room for memories: `tokens` of the client's family (raw counts are multiplied by `margin`) and UTF-8 bytes."""

    tokens: int
    size: int
    margin: float = 1.0
    pin_share: float = 0.25


class Taken(NamedTuple):
    """A chosen entry with the factors that chose it."""

    item: Item
    score: Score


class Left(NamedTuple):
    """An entry left out, and why: `stale`, `pin cap`, `larger than the budget` or `no room`."""

    item: Item
    score: Score
    reason: str


class Pick(NamedTuple):
    """What was chosen, in order, and what was not, best first; tokens with margin and bytes of the chosen."""

    taken: tuple[Taken, ...]
    left: tuple[Left, ...]
    tokens: int
    size: int


def pick(items: Sequence[Item], today: int, budget: Budget) -> Pick:
    """Choose within the budget; each entry's line break counts one byte."""
    scored = sorted(((score(item, today), item) for item in items), key=lambda pair: (-pair[0].total, pair[1].id))
    left = [Left(item, points, "stale") for points, item in scored if item.stale]
    room = _Room(budget)
    pinned = [pair for pair in scored if pair[1].pinned and not pair[1].stale]
    waiting = [pair for pair in scored if not pair[1].pinned and not pair[1].stale]
    for points, item in pinned:
        if not room.take(item, points, pin=True):
            left.append(Left(item, points, "pin cap"))
    left += room.fill(waiting)
    left.sort(key=lambda out: (-out.score.total, out.item.id))
    return Pick(tuple(room.taken), tuple(left), room.tokens, room.size)


class _Room:
    """The budget while it is being filled."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.taken: list[Taken] = []
        self.tokens = self.size = 0
        self.like: dict[str, float] = {}

    def take(self, item: Item, points: Score, *, pin: bool = False) -> bool:
        """Take the entry when it fits; a pin must also fit under the pins' own cap."""
        share = self.budget.pin_share if pin else 1.0
        tokens, size = with_margin(item.tokens, self.budget.margin), item.size + 1
        if self.tokens + tokens > self.budget.tokens * share or self.size + size > self.budget.size * share:
            return False
        self.tokens, self.size = self.tokens + tokens, self.size + size
        self.taken.append(Taken(item, points))
        for other, likeness in item.near:
            self.like[other] = max(likeness, self.like.get(other, 0.0))
        return True

    def fill(self, waiting: list[tuple[Score, Item]]) -> list[Left]:
        """Take by score less likeness until nothing fits any more; what did not fit, in the end."""
        left = []
        smallest = min((item.tokens for _, item in waiting), default=0)
        while waiting and with_margin(smallest, self.budget.margin) <= self.budget.tokens - self.tokens:
            at = self._best(waiting)
            points, item = waiting.pop(at)
            if not self.take(item, points):
                left.append(Left(item, points, self._reason(item)))
        return left + [Left(item, points, self._reason(item)) for points, item in waiting]

    def _best(self, waiting: list[tuple[Score, Item]]) -> int:
        """Index of the highest score less likeness; `waiting` is in order of score, so the search ends early."""
        best, found = -1.0, 0
        for at, (points, item) in enumerate(waiting):
            if MMR * points.total <= best:
                break
            value = MMR * points.total - (1 - MMR) * self.like.get(item.id, 0.0)
            if value > best:
                best, found = value, at
        return found

    def _reason(self, item: Item) -> str:
        whole = with_margin(item.tokens, self.budget.margin) > self.budget.tokens
        return "larger than the budget" if whole or item.size + 1 > self.budget.size else "no room"


def with_margin(tokens: int, margin: float) -> int:
    """Tokens to hold against a budget: raw count times margin, rounded up."""
    return -(-int(tokens * margin * 1000) // 1000)
