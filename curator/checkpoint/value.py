"""A checkpoint as a value, and as the document that the store keeps.

Owns its fields and the strictness with which a stored one is read: a malformed document fails at load, with its id,
and not later in the middle of something.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from curator.checkpoint.skills import Loaded
from curator.checkpoint.touched import Touched
from curator.checkpoint.words import Word
from curator.errors import CuratorError


class MadeBy(StrEnum):
    """Who wrote a checkpoint: an agent in its own client, a model that we ran, or a hook without any."""

    HOST = "host"
    MODEL = "model"
    HOOK = "hook"


@dataclass(frozen=True)
class Checkpoint:
    """What stands for a conversation up to record number `through`.

    `mind` is whole (empty = none yet), last revised at `mind_through`. `memo` are the numbers of the person's messages
    that are kept; messages up to `offered` were put to a model and decided. `words` are the messages as shown,
    `left_out` those without room. `kept` are numbers of the running turn's inputs that a cut left in place before the
    text; `running` are the running turn's messages of the person, quoted, where nothing was left in place. `request`
    is the person's latest message. `text` is the assembled whole, `tokens` its raw count.
    """

    through: int
    made_by: MadeBy = MadeBy.HOST
    mind: str = ""
    mind_through: int = 0
    memo: tuple[int, ...] = ()
    offered: int = 0
    words: tuple[Word, ...] = ()
    left_out: tuple[int, ...] = ()
    now: str = ""
    kept: tuple[int, ...] = ()
    running: tuple[Word, ...] = ()
    request: Word | None = None
    touched: Touched = field(default_factory=Touched)
    skills: tuple[Loaded, ...] = ()
    text: str = ""
    tokens: int = 0

    def document(self) -> dict[str, Any]:
        """The checkpoint as JSON takes it."""
        return asdict(self) | {"made_by": self.made_by.value}

    def with_text(self, text: str, tokens: int) -> "Checkpoint":
        """The same with its assembled text and that text's raw count."""
        return replace(self, text=text, tokens=tokens)


def loaded(ident: str, document: Mapping[str, Any]) -> Checkpoint:
    """A stored checkpoint; raises `CuratorError` naming its id where anything about it is not as written."""
    try:
        value = _read(document)
    except (KeyError, TypeError, ValueError) as error:
        raise CuratorError(f"the stored checkpoint {ident} is malformed: {error}") from error
    return value


def _read(document: Mapping[str, Any]) -> Checkpoint:
    missing = {field.name for field in fields(Checkpoint)} - set(document)
    if missing:
        raise KeyError(f"it lacks {', '.join(sorted(missing))}")
    touched, request = document["touched"], document["request"]
    value = Checkpoint(
        through=_number(document["through"]),
        made_by=MadeBy(document["made_by"]),
        mind=_text(document["mind"]),
        mind_through=_number(document["mind_through"]),
        memo=_numbers(document["memo"]),
        offered=_number(document["offered"]),
        words=_words(document["words"]),
        left_out=_numbers(document["left_out"]),
        now=_text(document["now"]),
        kept=_numbers(document["kept"]),
        running=_words(document["running"]),
        request=None if request is None else _words([request])[0],
        touched=Touched(
            tuple(_text(path) for path in touched["read"]),
            tuple(_text(path) for path in touched["modified"]),
            bool(touched["older_read"]),
            bool(touched["older_modified"]),
        ),
        skills=tuple(Loaded(_text(skill["name"]), _number(skill["seq"])) for skill in document["skills"]),
        text=_text(document["text"]),
        tokens=_number(document["tokens"]),
    )
    if value.offered > value.through or value.mind_through > value.through or not value.text:
        raise ValueError("its numbers contradict each other, or it has no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError(f"{value!r} is no number")
    return value


def _numbers(values: Any) -> tuple[int, ...]:
    if not isinstance(values, list | tuple):
        raise TypeError(f"{values!r} is no list of numbers")
    return tuple(_number(value) for value in values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _words(values: Any) -> tuple[Word, ...]:
    if not isinstance(values, list | tuple):
        raise TypeError(f"{values!r} is no list of messages")
    return tuple(Word(_number(value["seq"]), _text(value["text"])) for value in values)
