"""What two texts have in common and where they differ: the measurements that `relate` judges by.

Owns the alignment of two token lists, the specifics changed, lost and gained.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache
from importlib import resources

from curator.store.words import stem
from curator.sweep import align, polarity
from curator.sweep.slots import COMMON, NEGATIONS, STOP, Slot, Token, negations, tokens

MOST_TOKENS = 400
"""Only this many tokens of a text are aligned; longer texts are compared by their beginnings and their word sets."""

TURN = re.compile(
    r"\b(?:no longer|any ?more|retired?|deprecated|removed|gone|instead|replac\w+|supersed\w+|used to|now|legacy|"
    r"moved|renamed|switch\w*|was wrong|not needed|obsolete|formerly|previously)\b"
    r"|不再|改为|改用|已下线|废弃|弃用|取代|现在",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^\W*(?:(?:lesson|pattern|root-cause|correction|research|design|decision)\s*[:：]\s*)?", re.IGNORECASE
)
_PART = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")


@dataclass(frozen=True)
class Change:
    """One place where two texts differ: what stood in the older, what stands in the newer; either may be empty."""

    old: tuple[Token, ...]
    new: tuple[Token, ...]

    def words(self) -> str:
        """The change for a reader, such as `8443 -> 8444`."""
        old, new = (" ".join(t.text for t in side) for side in (self.old, self.new))
        return f"{old or '(nothing)'} -> {new or '(nothing)'}"


@dataclass(frozen=True)
class Pair:
    """An older and a newer text, measured."""

    older: str
    newer: str

    @cached_property
    def sides(self) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
        """The tokens of both texts, without a leading kind marker."""
        one, two = (tokens(_LEADING.sub("", text, count=1)) for text in (self.older, self.newer))
        return one, two

    @cached_property
    def contents(self) -> tuple[Counter[str], Counter[str]]:
        """The content of both sides."""
        one, two = (content_of(_LEADING.sub("", text, count=1)) for text in (self.older, self.newer))
        return one, two

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Every place where the aligned texts differ, in order."""
        one, two = (side[:MOST_TOKENS] for side in self.sides)
        differ = align.changes([t.norm for t in one], [t.norm for t in two])
        return tuple(Change(one[a:b], two[c:d]) for a, b, c, d in differ)

    @cached_property
    def swapped(self) -> tuple[Change, ...]:
        """The changes where one specific, or one side of an opposite, stands for another."""
        return tuple(change for change in self.changes if self._swaps(change))

    @cached_property
    def lost(self) -> tuple[Token, ...]:
        """Specifics of the older text that the newer one does not hold."""
        return missing(*self.sides)

    @cached_property
    def gained(self) -> tuple[Token, ...]:
        """Specifics of the newer text that the older one does not hold."""
        return missing(self.sides[1], self.sides[0])

    @property
    def hard_lost(self) -> tuple[Token, ...]:
        """Lost numbers, versions, dates, paths, flags and identifiers."""
        return tuple(token for token in self.lost if token.slot in HARD)

    @property
    def hard_gained(self) -> tuple[Token, ...]:
        """Gained numbers, versions, dates, paths, flags and identifiers."""
        return tuple(token for token in self.gained if token.slot in HARD)

    @cached_property
    def turned(self) -> bool:
        """Does one text deny what the other says, or is an opposite put for a word?"""
        return polarity.turned([(c.old, c.new) for c in self.changes], *self.sides, self.overlap[2])

    @cached_property
    def reordered(self) -> bool:
        """Do both hold the same values in another order, or only the same words with names in another order?"""
        same = Counter(t.norm for t in self.sides[0]) == Counter(t.norm for t in self.sides[1])
        one, two = ([t.norm for t in side if t.slot in (HARD if same else VALUES)] for side in self.sides)
        return one != two and Counter(one) == Counter(two)

    @cached_property
    def overlap(self) -> tuple[float, float, float]:
        """Share of the older's content found in the newer, of the newer's in the older, and shared over all."""
        one, two = self.contents
        both = weigh(one & two)
        return both / max(1.0, weigh(one)), both / max(1.0, weigh(two)), both / max(1.0, weigh(one | two))

    def _swaps(self, change: Change) -> bool:
        if polarity.opposed((change.old, change.new), *self.sides):
            return True
        old, new = ([t for t in side if t.specific and t.norm not in NEGATIONS] for side in (change.old, change.new))
        moved = self._elsewhere if len(change.old) != len(change.new) else frozenset[str]()
        return any(
            a.norm != b.norm
            and (a.slot is b.slot or (a.slot in NAMED and b.slot in NAMED))
            and not {a.norm, b.norm} <= moved
            for a in old
            for b in new
        ) or _twins(change)

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """What both texts hold: in a change of uneven length it may only have moved."""
        one, two = ({token.norm for token in side} for side in self.sides)
        return frozenset(one & two)


VALUES = (Slot.NUMBER, Slot.VERSION, Slot.DATE)
HARD = (Slot.NUMBER, Slot.VERSION, Slot.DATE, Slot.PATH, Slot.FLAG, Slot.IDENTIFIER)
NAMED = (Slot.IDENTIFIER, Slot.PATH, Slot.NAME, Slot.FLAG)


def weigh(words: Counter[str]) -> float:
    """How much the words say, rare ones more."""
    common = frequencies()
    return sum(n * common.get(word, 1.0) for word, n in words.items())


@cache
def frequencies() -> dict[str, float]:
    """Weights below 1 of words that are frequent in notes about software; any other word weighs 1."""
    text = resources.files("curator.sweep").joinpath("weights", "words.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)
    return dict.fromkeys(COMMON, 0.4) | weights


def content(side: tuple[Token, ...]) -> Counter[str]:
    """The words that carry meaning: by stem, names also by their parts, Chinese in pairs of characters."""
    found: Counter[str] = Counter()
    before = ""
    for token in side:
        terms = _terms(token)
        if terms:
            before = ""
            for term in terms:
                found[term] = found.get(term, 0) + 1
        elif _one_character(token):
            if before:
                found[before + token.norm] = 1
            before = token.norm
        else:
            before = ""
    return found


@lru_cache(maxsize=256)
def content_of(text: str) -> Counter[str]:
    """The content of a text, not to be changed: a note's is asked for again and again."""
    return content(tokens(text))


def _one_character(token: Token) -> bool:
    """Is it a single character of Chinese, which says something only with its neighbour?"""
    return len(token.norm) == 1 and token.norm > "\u2e80"


@lru_cache(maxsize=50_000)
def _terms(token: Token) -> tuple[str, ...]:
    """What a token adds to the content of a text: its stem, and the parts of a name made of several words.

    Nothing for a stop word and a single character of Chinese. Parts are such as `read` and `file` in `readFile`.
    """
    if _one_character(token) or token.norm in STOP:
        return ()
    whole = stem(token.norm)
    if token.slot not in NAMED or token.slot is Slot.NAME:
        return (whole,)
    parts = {stem(part.lower()) for part in _PART.findall(token.text) if part.lower() not in STOP}
    return (whole, *sorted(parts - {whole}))


def missing(source: tuple[Token, ...], result: tuple[Token, ...]) -> tuple[Token, ...]:
    """The source's specifics that stand nowhere in the result; each once, in order."""
    kept = {token.norm for token in result} | {stem(token.norm) for token in result}
    denied = negations(result) > 0
    gone: dict[str, Token] = {}
    for token in source:
        if not token.specific or token.norm in kept or stem(token.norm) in kept:
            continue
        if token.norm in NEGATIONS and denied:
            continue
        gone.setdefault(token.norm, token)
    return tuple(gone.values())


def _twins(change: Change) -> bool:
    """Two unknown words that are nearly the same, such as a name and a longer name: not a form of one word."""
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    a, b = change.old[0].norm, change.new[0].norm
    close = SequenceMatcher(None, a, b).ratio() >= 0.75 and len(a) > 3 and a.isascii() and b.isascii()
    return close and stem(a) != stem(b) and not {a, b} & STOP
