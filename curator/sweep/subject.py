"""Do two parallel sentences speak of two things? Another value then contradicts nothing.

Owns one rule: where a value differs and, before it, the thing it is said of differs too, both may be true
("the billing service listens on 8443", "the search service listens on 8444"); and so where that thing alone
differs. A tool that is chosen is no subject: "use Redis 6" and "use Valkey 8" contradict each other.
"""

from itertools import takewhile

from curator.store.words import stem
from curator.sweep.compare import TURN, Change, Pair
from curator.sweep.slots import ENVIRONMENTS, NEGATIONS, QUANTIFIERS, SIDES, STOP, Slot, Token

_VALUES = (Slot.NUMBER, Slot.VERSION, Slot.DATE)
_STATES = frozenset(("is", "are", "was", "were", "has", "have", "had", "must", "should", "can", "may", "=", "是", "有"))
"""Small words that may follow a subject; any other one (on, for, to) follows a verb or an object."""
_IS = frozenset(("is", "are", "was", "were", "是", "为"))
_ONE = frozenset(("our", "the", "my", "your", "its", "their", "我", "本", "该", "默", "唯", "主"))
"""Before the name of a part that there is once: another word in that part is another value, not another thing."""
_CHOOSES = frozenset(("use", "using", "uses", "prefer", "choose", "pick", "adopt", "via", "with", "用", "选"))


def another_subject(pair: Pair) -> Change | None:
    """The change of subject that two sentences with different values have; None where they speak of one thing."""
    if TURN.search(pair.newer):
        return None
    if (change := _only(pair)) is not None:
        return change
    values = [change for change in pair.changes if _has_value(change.old) and _has_value(change.new)]
    if not values or pair.overlap[2] < 0.15:
        return None
    for change in pair.changes[: pair.changes.index(values[0]) + 1]:
        if change.old and change.new and _names(pair, change):
            return change
    return None


def _only(pair: Pair) -> Change | None:
    """The one word that differs, where it names what the rest is said of: web and docs in "web builds use pnpm"."""
    if len(pair.changes) != 1 or not _names(pair, pair.changes[0]):
        return None
    change, (older, newer) = pair.changes[0], pair.sides
    pairs = ((older, change.old), (newer, change.new))
    if any(len(side) != 1 or _has_value(side) or not _begins(whole, side[0]) for whole, side in pairs):
        return None
    if plays_a_part(pair, change):
        return None
    return change


def plays_a_part(pair: Pair, change: Change) -> bool:
    """Does the word say who or what plays a part that there is once, as in "Kestrel is our mail provider"?"""
    whole = pair.sides[0]
    at = whole.index(change.old[0]) + len(change.old)
    words = [token.norm for token in whole[at : at + 2]]
    return len(words) == 2 and words[0] in _IS and words[1] in _ONE


def _begins(whole: tuple[Token, ...], word: Token) -> bool:
    """Does the word stand before everything else that is said, and a verb or noun after it?"""
    at = whole.index(word)
    after = [token.norm for token in whole[at + 1 : at + 2]]
    return all(token.norm in STOP for token in whole[:at]) and any(n not in STOP or n in _STATES for n in after)


def _names(pair: Pair, change: Change) -> bool:
    """Is a thing named on both sides, each by words that the other text has nowhere, and something said of it?"""
    sides = [_told(side) for side in (change.old, change.new)]
    if not all(1 <= len(side) <= 2 for side in sides):
        return False
    there = [{stem(token.norm) for token in side} for side in pair.sides]
    if any(stem(token.norm) in there[1] for token in sides[0]) or any(stem(t.norm) in there[0] for t in sides[1]):
        return False
    return all(_is_subject(whole, told) for whole, told in zip(pair.sides, sides, strict=True))


def _told(side: tuple[Token, ...]) -> list[Token]:
    """The words of a change that could name a thing: those before its first value, since what follows is counted."""
    return [
        token
        for token in takewhile(lambda token: token.slot not in _VALUES, side)
        if (token.norm not in STOP or letter(token))
        and token.norm not in NEGATIONS
        and token.norm not in QUANTIFIERS
        and (token.norm not in SIDES or token.norm in ENVIRONMENTS)
    ]


def letter(token: Token) -> bool:
    """Is it the letter of one thing among several, such as the A of node A?"""
    return len(token.text) == 1 and token.text.isupper()


def _is_subject(whole: tuple[Token, ...], told: list[Token]) -> bool:
    """Does what stands around the words allow that something is said of them?"""
    first, after = whole.index(told[0]), whole.index(told[-1]) + 1
    before = [token.norm for token in whole[:first] if token.norm not in STOP]
    if before and (before[-1] in _CHOOSES or whole[first - 1].norm in _CHOOSES):
        return False
    if after >= len(whole):
        return True
    if whole[after].slot in _VALUES:  # "postgres 14" is one name; "the webhook 3 times" is counted
        return after + 1 < len(whole) and whole[after + 1].norm not in STOP
    return whole[after].norm in _STATES or whole[after].norm not in STOP


def _has_value(side: tuple[Token, ...]) -> bool:
    return any(token.slot in _VALUES for token in side)
