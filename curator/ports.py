"""The few things from outside that have more than one real form. Types only; no behaviour.

A real edge and the test's fake satisfy the same alias; nothing else in the product is abstract.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

Now = Callable[[], datetime]
"""The present instant, timezone-aware, UTC."""

Count = Callable[[str], int]
"""Raw tokens of a text in one encoding; never raises, whatever the text."""


@dataclass(frozen=True)
class Tokens:
    """A token counter and what its numbers mean.

    `margin` turns a raw count into the client's model family's tokens (1.65 for cl100k on Claude, measured);
    `estimate` is true when no vocabulary was available and the run-length estimator stands in.
    """

    count: Count
    encoding: str
    margin: float = 1.0
    estimate: bool = False


class Embed(Protocol):
    """Texts to unit vectors of one model. Vectors of different `name` are never compared."""

    @property
    def name(self) -> str: ...

    def vectors(self, texts: Sequence[str]) -> list[list[float]]: ...

    def unknown_share(self, text: str) -> float:
        """Share of a text's tokens that the model does not know, 0..1; above the limit its vector is not used."""
        ...


class Ask(Protocol):
    """A prompt to an answer, by a program or a provider; raises `CuratorError` when none came."""

    @property
    def name(self) -> str: ...

    def __call__(self, prompt: str) -> str: ...
