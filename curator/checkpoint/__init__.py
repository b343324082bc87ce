"""Mind, memo, now: the engine. Pure; it neither reads files nor the store.

A checkpoint's turn is `opened`, answered by someone, `judged`, and `finished`; without a model it is `built` and
`finished`. The stored form is `Checkpoint.document()`, read back with `loaded(id, document)`. Whoever shows less than
the whole takes `parts(checkpoint)`: a `Parts` with the plain texts `mission`, `agreements`, `current_step`,
`next_steps`, `waiting_on`, `pitfalls` (empty = nothing), the person's messages `request` (the latest), `running` and
`words` (as `Word(seq, text)`, ascending), `left_out` numbers, `modified` paths, `through`, `mind_age`, `model_free`.
"""

from curator.checkpoint.assembly import Sources
from curator.checkpoint.finish import bloated, finished, may_try, productive
from curator.checkpoint.free import built
from curator.checkpoint.limits import Window
from curator.checkpoint.parts import Parts, parts
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
    "Parts",
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
    "parts",
    "productive",
]
