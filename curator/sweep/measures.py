"""A pair of texts as named numbers: what the shipped judges of relations were trained on.

Owns the feature table only; what two texts have in common and where they differ is found by `compare`.
"""

import math
import re
from collections import Counter
from functools import lru_cache

from curator.store.words import stem
from curator.sweep import align
from curator.sweep.compare import NAMED, TURN, VALUES, Change, Pair, content, frequencies, weigh
from curator.sweep.slots import NEGATIONS, STOP, Slot, Token, negations, tokens

Numbers = dict[str, float]

_ADDING = re.compile(
    r"\b(?:also|too|as well|for example|such as|including|unless|except|otherwise|because|so that|see|note|plus|and|"
    r"if|when|before|after|with|at least|at most)\b|另外|例如|除非|否则|因为|并且|以及|同时",
    re.IGNORECASE,
)
_RECORD = re.compile(
    r"^\W*(?:adr|rfc|decision|proposal)?[\s#:-]*\d{1,5}[.:\s—-]+[^\n]{8,100}?(?:\s[—–-]\s|\n|\. |$)", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\s+[-•*]\s+(?=\S)|\n+|\s+(?=\d\.\s)")
_CLAUSE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+|[()（）—–]|\s-\s")
_GONE = re.compile(
    r"\b(?:not|no longer|any ?more|retired?|deprecated|removed?|gone|dropped?|dead|replac\w+|supersed\w+|used to|"
    r"legacy|was|were|obsolete|formerly|previously|old|breaking)\b|不再|已下线|废弃|弃用|取代|移除|删除",
    re.IGNORECASE,
)
_SMALL = (Slot.POLARITY, Slot.QUANTIFIER)
_HAN = re.compile(r"[\u4e00-\u9fff]")


def measures(pair: Pair) -> Numbers:
    """Every measurement by name, each about -2..4; most stand for near pairs and far pairs apart; 0 is left out."""
    back, forth, shared = pair.overlap
    near = max(0.0, min(1.0, (max(shared, 0.8 * max(back, forth)) - 0.15) / 0.35))
    values = {"bias": 1.0, **_steps("shared", shared), **_steps("most", max(back, forth))}
    values |= _languages(pair) | _sentences(pair)
    if all(_RECORD.match(text) for text in (pair.older, pair.newer)):
        values["decision records"] = 1.0
    for name, value in (_common(pair) | _edits(pair) | _slots(pair)).items():
        values[f"near {name}"] = near * value
        values[f"far {name}"] = (1 - near) * value
    return {name: round(value, 4) for name, value in values.items() if value}


def _common(pair: Pair) -> Numbers:
    one, two = pair.sides
    back, forth, shared = pair.overlap
    shared_words = pair.contents[0] & pair.contents[1]
    rare = sum(frequencies().get(word, 1.0) >= 0.6 for word in shared_words)
    return {
        "pair": 1.0,
        "rare": min(2.0, rare / 3),
        "rare none": float(not rare),
        "rare dense": min(2.0, 8 * rare / (min(len(one), len(two)) + 8)),
        "back": back,
        "forth": forth,
        "shared": shared,
        "ratio": align.ratio(pair.older[:600].lower(), pair.newer[:600].lower()),
        "growth": max(-1.5, min(1.5, math.log((len(two) + 3) / (len(one) + 3)))),
        "longer": float(len(two) > len(one) * 1.2),
        "shorter": float(len(two) < len(one) * 0.85),
        "same start": float([t.norm for t in one[:3]] == [t.norm for t in two[:3]]),
        "length": min(2.0, math.log(1 + min(len(one), len(two))) / 2.5),
    }


def _edits(pair: Pair) -> Numbers:
    replaced = [c for c in pair.changes if c.old and c.new]
    inserted = sum(_weight(c.new) for c in pair.changes if not c.old)
    deleted = sum(_weight(c.old) for c in pair.changes if not c.new)
    old, new = sum(_weight(c.old) for c in replaced), sum(_weight(c.new) for c in replaced)
    return {
        "deleted": min(2.0, deleted / 8),
        "only inserted": float(inserted > 1 and not deleted and old <= 1),
        "replaced old": min(2.0, old / 8),
        "replaced new": min(2.0, new / 8),
        "replaced none": float(not old),
        "even swap": float(bool(old) and new <= 2 * old + 2 and inserted <= 2 and deleted <= 2),
        "word swaps": min(2.0, sum(_word_swap(c) for c in replaced) / 2),
        "hunks": min(2.0, len(replaced) / 4),
        "one change": float(len([c for c in pair.changes if _weight(c.old) + _weight(c.new) > 0]) == 1),
    }


def _slots(pair: Pair) -> Numbers:
    one, two = pair.sides
    lost, gained = pair.hard_lost, pair.hard_gained
    put = " ".join(t.text for c in pair.changes for t in c.new)
    return {
        "swapped": min(2.0, len(pair.swapped) / 2),
        "values swapped": float(any(_swap(c, VALUES) for c in pair.changes)),
        "names swapped": min(2.0, sum(_swap(c, NAMED) for c in pair.changes) / 2),
        "turned": float(pair.turned),
        "negations": float((negations(one) - negations(two)) % 2),
        "lost": min(2.0, len(lost) / 3),
        "lost any": float(bool(lost)),
        "lost and gained": float(bool(lost) and bool(gained)),
        "lost only": float(bool(lost) and not gained),
        "gained only": float(bool(gained) and not lost),
        "neither": float(not lost and not gained),
        "soft lost": min(1.0, (len(pair.lost) - len(lost)) / 3),
        "soft gained": min(1.0, (len(pair.gained) - len(gained)) / 3),
        "turn words": float(bool(TURN.search(pair.newer)) and not TURN.search(pair.older)),
        "turn words put in": min(2.0, float(len(TURN.findall(put)))),
        "adding words": min(2.0, len(_ADDING.findall(put)) / 3),
        "told gone": min(2.0, len(_told_gone(pair)) / 2),
        "common none": float(not _shared_hard(pair)),
    }


def _told_gone(pair: Pair) -> set[str]:
    """Specifics of the older text that the newer one holds only to say that they are gone: removed, legacy, not."""
    known = {token.norm for token in pair.sides[0] if token.specific}
    return (_gone(pair.newer) & known) - _gone(pair.older)


def _gone(text: str) -> set[str]:
    clauses = (tokens(clause) for clause in _CLAUSE.split(text[:2000]) if _GONE.search(clause))
    return {t.norm for found in clauses for t in found if t.specific and t.slot not in _SMALL}


def _languages(pair: Pair) -> Numbers:
    """Are both in Chinese, and which specifics do texts in two languages share?"""
    han = sorted(len(_HAN.findall(text)) / max(1, len(text)) for text in (pair.older, pair.newer))
    return {
        "two languages": min(3.0, float(_shared_hard(pair))) if han[0] < 0.05 and han[1] > 0.15 else 0.0,
        "Chinese": float(han[0] > 0.15),
    }


def _sentences(pair: Pair) -> Numbers:
    """How far each sentence of either text is held by the other text."""
    one, two = pair.contents
    kept, held = _held(pair.older, two), _held(pair.newer, one)
    return {
        "a sentence kept least": min(kept),
        "a sentence kept most": max(kept),
        "a sentence held least": min(held),
        "a sentence held most": max(held),
    }


def _held(text: str, other: Counter[str]) -> list[float]:
    return [weigh(words & other) / max(0.5, weigh(words)) for words in _sentence_contents(text)] or [0.0]


@lru_cache(maxsize=128)
def _sentence_contents(text: str) -> list[Counter[str]]:
    """The content of each sentence that has any: a note is measured against several entries."""
    sentences = (content(tokens(part)) for part in _SENTENCE.split(text[:2000]) if part.strip())
    return [words for words in sentences if words]


def _steps(name: str, value: float) -> Numbers:
    """A number as steps, so that a linear judge can bend."""
    return {f"{name} over {edge}": 1.0 for edge in (0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9) if value > edge}


def _weight(side: tuple[Token, ...]) -> float:
    return sum(2.0 if token.specific else 0.0 if token.norm in STOP else 1.0 for token in side)


def _is_hard(token: Token) -> bool:
    return token.slot in VALUES or token.slot in NAMED


def _shared_hard(pair: Pair) -> int:
    one, two = ({token.norm for token in side if _is_hard(token)} for side in pair.sides)
    return len(one & two)


def _swap(change: Change, slots: tuple[Slot, ...]) -> bool:
    old, new = ({t.norm for t in side if t.slot in slots} for side in (change.old, change.new))
    return bool(old - new) and bool(new - old)


def _word_swap(change: Change) -> bool:
    """Do one or two words stand for one or two of another stem?"""
    old, new = ([stem(t.norm) for t in s if t.norm not in STOP | NEGATIONS] for s in (change.old, change.new))
    return 0 < len(old) <= 2 and 0 < len(new) <= 2 and not {w[:4] for w in old} & {w[:4] for w in new}
