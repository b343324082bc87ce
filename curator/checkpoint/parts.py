"""A stored checkpoint as named parts of plain text, for whoever shows less than the whole.

Owns the one translation from the stored form to what a session start, a reminder or a screen shows. Nothing in the
parts can open or close a frame; nothing is cut here.
"""

from dataclasses import dataclass

from curator.checkpoint import mind, now
from curator.checkpoint.frame import as_typed, harmless
from curator.checkpoint.value import Checkpoint
from curator.checkpoint.words import Word


@dataclass(frozen=True)
class Parts:
    """Each text is empty where there is nothing. `words` are the person's messages in ascending order, as shown.

    `request` is the person's latest message, `running` those of the running turn. `through` is the last record number
    summarised, `mind_age` how many numbers passed since the mind was last revised, `model_free` whether no model
    wrote the now.
    """

    mission: str
    agreements: str
    current_step: str
    next_steps: str
    waiting_on: str
    pitfalls: str
    request: Word | None
    running: tuple[Word, ...]
    words: tuple[Word, ...]
    left_out: tuple[int, ...]
    modified: tuple[str, ...]
    through: int
    mind_age: int
    model_free: bool


def parts(value: Checkpoint) -> Parts:
    """The named parts of a checkpoint."""
    return Parts(
        mission=_plain(mind.block(value.mind, mind.MISSION)),
        agreements=_plain(mind.block(value.mind, mind.AGREEMENTS)),
        current_step=_plain(now.block(value.now, now.CURRENT)),
        next_steps=_plain(now.block(value.now, now.NEXT)),
        waiting_on=_plain(now.block(value.now, now.WAITING)),
        pitfalls=_plain(now.block(value.now, now.PITFALLS)),
        request=_word(value.request) if value.request else None,
        running=tuple(_word(word) for word in value.running),
        words=tuple(_word(word) for word in value.words),
        left_out=value.left_out,
        modified=value.touched.modified,
        through=value.through,
        mind_age=value.through - value.mind_through if value.mind else 0,
        model_free=value.made_by == "hook",
    )


def _plain(text: str) -> str:
    return harmless(text.replace("\r\n", "\n"))


def _word(word: Word) -> Word:
    return Word(word.seq, as_typed(harmless(word.text)))
