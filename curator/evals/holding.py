"""What of a conversation a text still holds: the person's rules, messages, specifics, the files that were changed.

Owns the measure, the same for every text that is compared. It is literal: a rule counts as held word for word when it
stands in the text, and in other words when one line of the text has most of its content words. It cannot tell
whether a reader would act on it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from curator.checkpoint import Row
from curator.checkpoint.carry import Carries, carries
from curator.door import normal
from curator.harvest.sentences import prose, sentences
from curator.plain import one_line
from curator.ports import Count
from curator.sweep.compare import content
from curator.sweep.slots import Slot, specifics, tokens

HELD = 0.6
"""Share of a rule's content words that one line must have."""

_HEAD = 200  # characters of a message that must stand in a text
_FACTS = {Slot.DATE, Slot.VERSION, Slot.NUMBER, Slot.PATH, Slot.FLAG, Slot.IDENTIFIER, Slot.NAME}


@dataclass(frozen=True)
class Rule:
    """A sentence of the person that forbids, constrains, authorizes or prefers."""

    seq: int
    kind: str
    text: str


@dataclass(frozen=True)
class Known:
    """What there is to know at a point: rules, messages by number, the latest of them, specifics, changed files."""

    rules: tuple[Rule, ...]
    messages: dict[int, str]
    facts: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def latest(self) -> str:
        """The person's latest message."""
        return self.messages[max(self.messages)] if self.messages else ""


@dataclass(frozen=True)
class Held:
    """How much of it one text holds. `rules` counts those held in any words, `verbatim` those word for word."""

    tokens: int
    rules: int
    verbatim: int
    messages: int
    step: bool
    facts: int
    files: int

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def known(rows: Sequence[Row]) -> Known:
    """What the rows say."""
    messages = {row.seq: row.said for row in rows if row.by_person and row.said.strip()}
    files = dict.fromkeys(path for row in rows for path in row.files.get("written", ()))
    facts = dict.fromkeys(
        token.text.strip(".,;:()[]\"'`")
        for text in messages.values()
        for token in specifics(text[:4_000])
        if token.slot in _FACTS
    )
    return Known(
        tuple(rule for seq, text in messages.items() for rule in _rules(seq, text)),
        messages,
        tuple(fact for fact in facts if len(fact) > 1),
        tuple(files),
    )


def held(there: Known, text: str, count: Count) -> tuple[Held, tuple[Rule, ...]]:
    """How much a text holds, and the rules that it does not."""
    whole, lines = normal(text), _lines(text)
    verbatim = {rule for rule in there.rules if normal(rule.text) in whole}
    lost = tuple(rule for rule in there.rules if rule not in verbatim and not _in_words(rule.text, lines))
    lowered = text.casefold()
    return Held(
        tokens=count(text),
        rules=len(there.rules) - len(lost),
        verbatim=len(verbatim),
        messages=sum(_stands(message, whole) for message in there.messages.values()),
        step=bool(there.latest) and (_stands(there.latest, whole) or _in_words(there.latest[:_HEAD], lines)),
        facts=sum(fact.casefold() in lowered for fact in there.facts),
        files=sum(path.rpartition("/")[2].casefold() in lowered for path in there.files),
    ), lost


def _rules(seq: int, text: str) -> list[Rule]:
    found: dict[str, Rule] = {}
    for line in prose(text):
        for sentence in sentences(line.text):
            kind = carries(sentence)
            if kind is not Carries.ORDINARY and _words(sentence):
                found.setdefault(normal(sentence), Rule(seq, kind.name.lower(), one_line(sentence)))
    return list(found.values())


def _stands(message: str, whole: str) -> bool:
    """Does the message stand in a text, or its beginning where it is long?"""
    return normal(message)[:_HEAD] in whole


def _lines(text: str) -> list[frozenset[str]]:
    return [_words(line) for line in text.splitlines() if line.strip()]


def _in_words(text: str, lines: Sequence[frozenset[str]]) -> bool:
    wanted = _words(text)
    return bool(wanted) and any(len(wanted & line) >= HELD * len(wanted) for line in lines)


@lru_cache(maxsize=4_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(content(tokens(text)))
