"""What a window allows: the limits of `docs/reference/checkpoints.md`, as plain arithmetic on tokens.

Owns every number of the checkpoint that follows from the window. Counts nothing itself. Standard library only,
because the stop hook asks it.
"""

from dataclasses import dataclass
from math import ceil

UNKNOWN_WINDOW = 128_000
UNKNOWN_OUTPUT = 8_192
FULL_WINDOW = 192_000
MESSAGE = 300
"""Tokens of one message that are copied; not scaled with the window."""

FLOOR = 10
"""Tokens that a message keeps at least, where all fit."""

SECTIONS = (1_000, 2_000, 1_500, 1_500)
MEMO = 3_000


CLIENTS = {"claude": (200_000, 32_000), "codex": (272_000, 0)}
"""Window and output that a client works with unless told otherwise, where they are known."""


@dataclass(frozen=True)
class Window:
    """A model's window in its own tokens; 0 means unknown. `price_steps` are sizes from which a request costs more."""

    size: int = 0
    input_limit: int = 0
    max_output: int = 0
    price_steps: tuple[int, ...] = ()

    @property
    def tokens(self) -> int:
        return self.size or UNKNOWN_WINDOW

    @property
    def output(self) -> int:
        """Output asked for in an ordinary turn (O)."""
        return min(self.max_output or UNKNOWN_OUTPUT, self.tokens // 4)

    @property
    def checkpoint_output(self) -> int:
        """Output asked for in a checkpoint turn."""
        return min(64_000, self.output)

    @property
    def margin(self) -> int:
        """Safety margin (M)."""
        return min(max(8_000, ceil(0.03 * self.tokens)), self.tokens // 8)

    @property
    def threshold(self) -> int:
        """Tokens of a request from which a checkpoint is due (T)."""
        limit = self.input_limit or self.tokens
        threshold = min(limit - self.output - self.margin, 9 * self.tokens // 10)
        steps = [step for step in self.price_steps if 100_000 <= step < self.tokens]
        return min(threshold, 9 * min(steps) // 10) if steps else threshold

    @property
    def keep(self) -> int:
        """Tokens of newest messages kept verbatim."""
        return max(0, min(20_000, self.threshold // 4))

    @property
    def sections(self) -> tuple[int, ...]:
        """Limits of the mind's four sections."""
        return tuple(self.scaled(limit) for limit in SECTIONS)

    @property
    def mind(self) -> int:
        """Largest mind that is stored at all: twice the four limits."""
        return 2 * sum(self.sections)

    @property
    def memo(self) -> int:
        """Limit of the memo with its framing."""
        return self.scaled(MEMO)

    @property
    def least_now(self) -> int:
        """Shortest now that is accepted."""
        return min(128, max(32, self.tokens // 2_000))

    @property
    def skills(self) -> int:
        """Limit of all skills carried back."""
        return min(25_000, self.tokens // 10)

    def scaled(self, limit: int) -> int:
        """A limit of mind or memo, for this window."""
        return limit if self.tokens >= FULL_WINDOW else max(1, limit * self.tokens // FULL_WINDOW)


def window_of(client: str, size: int = 0) -> Window:
    """The window of a client's model; `size` is what the settings say (0 = the client's own)."""
    own, output = CLIENTS.get(client, (0, 0))
    return Window(size or own, max_output=output)
