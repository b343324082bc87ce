"""Does one text deny what another says? By negations put in or taken out, by opposites, and by an exchange of sides.

Owns these readings of two token lists and their differences; `compare` aligns the texts, `relate` judges.
"""

from collections.abc import Sequence

from curator.store.words import stem
from curator.sweep.slots import NEGATIONS, QUANTIFIERS, STOP, Token, negations, opposite

Side = tuple[Token, ...]
Difference = tuple[Side, Side]
"""What stood in the older text and what stands in the newer in its place."""


_ORDER = ("before", "after", "then", "over", "until")
"""Words that put one thing ahead of another, which the next word names."""


_ASKING = frozenset({"do", "must", "should", "shall", "need"})
"""Verbs that go with a negation: may, and must not."""

_DIRECTIONS = frozenset({"from", "to", "into", "over", "than", "从", "到", "由"})


def turned(differences: Sequence[Difference], older: Side, newer: Side, shared: float) -> bool:
    """Does one text deny what the other says, or is an opposite put for a word? `shared`: share of words, 0..1."""
    if any(opposed(one, older, newer) for one in differences) or _exchanged(older, newer):
        return True
    if any(_reversed(word, older, newer) for word in _ORDER) or _crossed(older, newer):
        return True
    return shared >= 0.4 and sum(_denies(old, new) for old, new in differences) % 2 == 1


def opposed(difference: Difference, older: Side, newer: Side) -> bool:
    """Does one side of an opposite stand for the other: by itself, or so that neither text says both?"""
    old, new = difference
    if len(old) == len(new) == 1:
        return opposite(old[0].norm, new[0].norm)
    before, after = ({token.norm for token in side} for side in (older, newer))
    return any(opposite(a.norm, b.norm) and a.norm not in after and b.norm not in before for a in old for b in new)


def _denies(old: Side, new: Side) -> bool:
    """Is a negation put in or taken out by itself, or put for a single word, not with a statement of its own?"""
    if (negations(old) - negations(new)) % 2 == 0 or any(" " in token.text for token in old + new):
        return False  # "instead of" puts in a statement of its own
    one, two = (_said(side) for side in ((old, new) if negations(old) % 2 else (new, old)))
    few = 2 if two and two[0] > "\u2e80" else 1
    return one == two or (not one and len(two) <= few)


def _said(side: Side) -> list[str]:
    return [stem(t.norm) for t in side if t.norm not in STOP and t.norm not in NEGATIONS | _ASKING]


def _exchanged(older: Side, newer: Side) -> bool:
    """Does each text say what the other denies: tabs instead of spaces, and spaces instead of tabs?"""
    one, two = _denied(older), _denied(newer)
    return bool((one - two) & _words(newer)) and bool((two - one) & _words(older))


def _crossed(older: Side, newer: Side) -> bool:
    """Do two things change places round what stays, as caller and called? A list or a clause may change its order."""
    one, two = ([t.norm for t in side if t.norm not in STOP or t.norm in _DIRECTIONS] for side in (older, newer))
    if len(one) != len(two) or one == two or sorted(one) != sorted(two):
        return False
    while one[0] == two[0]:
        one, two = one[1:], two[1:]
    while one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    first = next((n for n in range(1, len(one)) if one[:n] == two[-n:]), 0)
    last = next((n for n in range(1, len(one)) if one[-n:] == two[:n]), 0)
    return 0 < first < len(one) - last and last > 0 and one[first:-last] == two[last:-first]


def _reversed(word: str, older: Side, newer: Side) -> bool:
    """Does each text put after this word what the other puts ahead of it: tests then code, and code then tests?"""
    one, two = _following(word, older), _following(word, newer)
    return bool(one and two) and one != two and one in _said(newer) and two in _said(older)


def _following(word: str, side: Side) -> str:
    """The first word that is said after the only place of this word; empty where there is none."""
    places = [n for n, token in enumerate(side) if token.norm == word]
    if len(places) != 1:
        return ""
    named = tuple(token for token in side[places[0] + 1 :] if token.norm not in QUANTIFIERS)
    return next(iter(_said(named)), "")


def _denied(side: Side) -> set[str]:
    """The word that follows each negation."""
    found = set()
    for n, token in enumerate(side):
        if token.norm in NEGATIONS:
            found |= set(_said(side[n + 1 :])[:1])
    return found


def _words(side: Side) -> set[str]:
    return {word for word in _said(side) if word < "\u2e80"}
