"""Mind, memo, now: the engine. Pure; it neither reads files nor the store.

A checkpoint's turn is `opened`, answered by someone, `judged`, and `finished`; without a model it is `built` and
`finished`. The stored form is `Checkpoint.document()`, read back with `loaded(id, document)`. Whoever shows less than
the whole takes `parts(checkpoint)` of `curator.checkpoint.parts`: a `Parts` with the plain texts `mission`,
`agreements`, `current_step`, `next_steps`, `waiting_on`, `pitfalls` (empty = nothing), the person's messages `request`
(the latest), `running` and `words` (as `Word(seq, text)`, ascending), `left_out` numbers, `modified` paths, `through`,
`mind_age`, `model_free`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.checkpoint.assembly import Sources
    from curator.checkpoint.finish import bloated, finished, may_try, productive
    from curator.checkpoint.free import built
    from curator.checkpoint.limits import Window
    from curator.checkpoint.record import Cut, Row
    from curator.checkpoint.turn import Answer, Judged, Opened, Outcome, Stop, judged, opened
    from curator.checkpoint.value import Checkpoint, MadeBy, loaded
    from curator.checkpoint.words import Word

__all__ = [
    "Answer",
    "Checkpoint",
    "Cut",
    "Judged",
    "MadeBy",
    "Opened",
    "Outcome",
    "Row",
    "Sources",
    "Stop",
    "Window",
    "Word",
    "bloated",
    "built",
    "finished",
    "judged",
    "loaded",
    "may_try",
    "opened",
    "productive",
]

_HOMES = {
    "assembly": ("Sources",),
    "finish": ("bloated", "finished", "may_try", "productive"),
    "free": ("built",),
    "limits": ("Window",),
    "record": ("Cut", "Row"),
    "turn": ("Answer", "Judged", "Opened", "Outcome", "Stop", "judged", "opened"),
    "value": ("Checkpoint", "MadeBy", "loaded"),
    "words": ("Word",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a name from its module when it is first used: the stop hook needs `limits` alone (the whole costs 30 ms)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
