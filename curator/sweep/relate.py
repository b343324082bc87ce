"""How a newer text stands to an older one, judged by their specifics and said in words.

Owns the six outcomes, the rules no probability may overrule, and the no-loss check. Similarity plays no part here:
facts that differ in one digit are nearly alike in every measure of similarity.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from curator.store.words import stem
from curator.sweep.compare import HARD, Change, Pair, frequencies, missing
from curator.sweep.linear import Linear, load
from curator.sweep.measures import measures
from curator.sweep.slots import NEGATIONS, ORDINALS, STOP, Slot, Token, tokens
from curator.sweep.subject import another_subject, letter, plays_a_part
from curator.vocab import Relation

_MARKUP = re.compile(
    r"(?m)^\s{0,3}(?:#{1,6}\s+|[-*+•]\s+|>\s?)|`+|\*{2,3}|(?<![\w*])[*](?=\w)|(?<=[\w.!?])[*](?![\w*])"
)
_MARKER = re.compile(r"^(?:lesson|pattern|root-cause|correction|research|design|decision)\s*[:：]\s*")
_CLOSING = re.compile(r"[\s.。!！;；…]+$")
_SERIES = re.compile(
    r"\b(?:task|step|phase|part|item|fact|rule|lesson|chapter|section|ticket|issue|case|day|week|sprint|round|batch|note|"
    r"figure|table|test|option|stage|level|tier|milestone|group|team|room|line|row|column|question|adr)s?\s*[#:-]?\s*$"
    r"|第\s*$",
    re.IGNORECASE,
)
_LIMITS = frozenset(("only", "仅"))
_REFUSED = "a merge is never proposed across different specifics"


@dataclass(frozen=True)
class Verdict:
    """The relation of a newer text to an older one, why, how sure (0..1), and each change of a specific in words.

    `shares`: how much of the older's words the newer holds, of the newer's the older, and shared over all (0..1).
    `by`: the model that answered so; empty where the rules judged alone.
    """

    relation: Relation
    reason: str
    confidence: float
    changes: tuple[str, ...] = ()
    shares: tuple[float, float, float] = (1.0, 1.0, 1.0)
    by: str = ""


def canonical(text: str) -> str:
    """The text but for what `same` disregards: case, white space, markup, a leading kind marker, closing marks."""
    flat = " ".join(_MARKUP.sub("", text).lower().split())
    return _CLOSING.sub("", _MARKER.sub("", flat, count=1))


def relate(older: str, newer: str, judge: Linear | None = None) -> Verdict:
    """The relation of `newer` to `older`. Never raises; empty texts are distinct from everything.

    `judge` is the shipped one unless another is measured.
    """
    if canonical(older) == canonical(newer):
        if not canonical(older):
            return Verdict(Relation.DISTINCT, "there is no text to compare", 1.0)
        return Verdict(Relation.SAME, "word for word the same but for case, white space or markup", 1.0)
    pair = Pair(older, newer)
    if not pair.overlap[2]:
        return Verdict(Relation.DISTINCT, "they share no words", 0.95)
    odds = (judge or shipped()).probabilities(measures(pair))
    relation = Relation(max(odds, key=lambda label: odds[label]))
    kept, why = _checked(pair, relation)
    sure = max(0.6, odds[kept.value]) if why else odds[kept.value]
    return Verdict(kept, why or _said(pair, kept), round(sure, 3), _changes(pair), pair.overlap)


def checked(older: str, newer: str, guess: Relation, reason: str) -> Verdict:
    """Somebody else's guess under the same rules: where one speaks against it, the rule's relation and reason."""
    pair = Pair(older, newer)
    kept, why = _checked(pair, guess)
    return Verdict(kept, reason if kept is guess else why, 0.8 if kept is guess else 0.6, _changes(pair), pair.overlap)


def no_loss(sources: tuple[str, ...], result: str) -> tuple[str, ...]:
    """Every number, date, path, flag, negation, name and other specific of the sources missing from the result.

    As written in the source, each once. What a word swap changed is missing too, so that a reviewer sees it.
    """
    kept = tokens(result)
    gone: dict[str, None] = {}
    for source in sources:
        for token in missing(tokens(source), kept):
            gone.setdefault(token.text)
        for token in _turned_words(source, result):
            gone.setdefault(token.text)
    return tuple(gone)


@cache
def shipped() -> Linear:
    """The shipped judge of pairs."""
    return load("relations")


def _checked(pair: Pair, guess: Relation) -> tuple[Relation, str]:
    """The guess, or what the rules make of it; with the reason where a rule decided."""
    close = pair.overlap[2] >= 0.35 or max(pair.overlap[:2]) >= 0.6
    series = next((change for change in pair.changes if _in_series(pair, change)), None)
    if series and pair.overlap[2] >= 0.3:
        return Relation.RELATED, f"the same form about another one of a series ({series.words()})"
    if close and pair.turned:
        return Relation.REPLACES, f"one says the opposite of the other ({_opposite(pair)})"
    if close and pair.reordered and not pair.lost and not pair.gained:
        return Relation.REPLACES, "the same values stand in another order"
    if guess is not Relation.DISTINCT and not pair.turned and (subject := another_subject(pair)):
        return Relation.RELATED, f"the same form about something else ({subject.words()})"
    if guess is Relation.REFINES and (values := [change for change in pair.swapped if _fixed(change)]):
        return Relation.REPLACES, f"{values[0].words()}: {_REFUSED}"
    return _merged(pair) if guess is Relation.RESTATES else (guess, "")


def _merged(pair: Pair) -> tuple[Relation, str]:
    """Whether a merge may be proposed: no specific, name or unusual word may stand for another, or be lost."""
    if values := [change for change in pair.swapped if change.old and change.new]:
        return Relation.REPLACES, f"{values[0].words()}: {_REFUSED}"
    if other := next((change for change in pair.changes if _another(pair, change)), None):
        if _leads(pair, other) and not plays_a_part(pair, other):
            return Relation.RELATED, f"the same form about something else ({other.words()})"
        return Relation.REPLACES, f"{other.words()}: {_REFUSED}"
    lost = _guarded(pair, pair.lost, lambda change: change.old)
    gained = _guarded(pair, pair.gained, lambda change: change.new)
    if not lost and not gained:
        return Relation.RESTATES, ""
    named = ", ".join(t.text for t in (lost or gained)[:4])
    if lost and gained:
        return Relation.REPLACES, f"{named} is gone and other specifics stand instead: {_REFUSED}"
    if lost:
        return Relation.REPLACES, f"{named} is no longer said"
    return Relation.REFINES, f"it adds {named}"


def _guarded(pair: Pair, found: tuple[Token, ...], side: Callable[[Change], tuple[Token, ...]]) -> list[Token]:
    """The specifics that no merge may lose or add without a word: values, paths, names in code, negations.

    And a limit (only) that goes or comes by itself, not with a sentence of its own.
    """
    short = {t for change in pair.changes if len(side(change)) <= 3 for t in side(change)}
    return [t for t in found if t.slot in HARD or t.slot is Slot.POLARITY or (t.norm in _LIMITS and t in short)]


def _changes(pair: Pair) -> tuple[str, ...]:
    return tuple(change.words() for change in pair.swapped)


def _said(pair: Pair, relation: Relation) -> str:
    back, forth, _ = pair.overlap
    if relation is Relation.RESTATES:
        return "other words, and no specific differs"
    if relation is Relation.REFINES:
        named = ", ".join(token.text for token in pair.gained[:4])
        return f"it keeps what was said and adds {named}" if named else "it says more, and the older text stays true"
    if relation is Relation.REPLACES:
        change = next(iter(pair.swapped), None) or next((c for c in pair.changes if c.old and c.new), None)
        return f"the older text would now mislead: {change.words()}" if change else "the older text would now mislead"
    share = round(100 * max(back, forth))
    if relation is Relation.RELATED:
        return f"the same subject ({share} % of the words shared), but each says something of its own"
    return f"different subjects ({share} % of the words shared)"


def _opposite(pair: Pair) -> str:
    change = next(iter(pair.swapped), None) or next(iter(pair.changes), None)
    return change.words() if change else "negation"


def _fixed(change: Change) -> bool:
    """Does a number, version, date, path, flag or identifier stand for another one?"""
    return all(any(token.slot in HARD for token in side) for side in (change.old, change.new))


def _another(pair: Pair, change: Change) -> bool:
    """Does an unusual word stand for another one, so that the texts may speak of two things?

    Where all else is the same, one of the two need be unusual only. The letter of one thing among several is unusual.
    """
    if len(pair.changes) == 1 and _other_chinese(change):
        return True
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    tokens_ = (change.old[0], change.new[0])
    old, new = (token.norm for token in tokens_)
    if {old, new} & NEGATIONS or old[0] > "\u2e80" or new[0] > "\u2e80":
        return False
    if all(letter(token) for token in tokens_) or {old, new} <= ORDINALS:
        return True
    rare = [word not in STOP and frequencies().get(stem(word), 1.0) >= 0.75 for word in (old, new)]
    return (all(rare) or (any(rare) and len(pair.changes) == 1)) and old[:4] != new[:4]


def _other_chinese(change: Change) -> bool:
    """Does an unusual Chinese word stand for one that shares no character with it?"""
    old, new = ("".join(token.norm for token in side) for side in (change.old, change.new))
    if not old or not new or min(old + new) <= "\u2e80" or set(old) & set(new):
        return False
    words = [text[n : n + 2] for text in (old, new) for n in range(len(text) - 1)]
    return any(frequencies().get(word, 1.0) >= 0.75 for word in words)


def _leads(pair: Pair, change: Change) -> bool:
    """Does the change stand where a text names what it speaks of, or everywhere that this is named?"""
    return pair.sides[0].index(change.old[0]) < 3 or pair.changes.count(change) > 1


def _in_series(pair: Pair, change: Change) -> bool:
    """Is the change only the number or letter of one in a series, such as Task 5 and Task 6, or two tickets?"""
    if len(change.old) != 1 or len(change.new) != 1:
        return False
    old, new = change.old[0], change.new[0]
    if re.fullmatch(r"[a-z]{2,}-\d+", old.norm) and re.fullmatch(r"[a-z]{2,}-\d+", new.norm):
        return old.norm.split("-")[0] == new.norm.split("-")[0]
    at = pair.older.find(old.text)
    numbered = old.slot is new.slot is Slot.NUMBER or len(old.norm) == len(new.norm) == 1
    return numbered and at > 0 and bool(_SERIES.search(pair.older[:at]))


def _turned_words(source: str, result: str) -> tuple[Token, ...]:
    pair = Pair(source, result)
    return tuple(token for change in pair.swapped for token in change.old if token.norm not in _present(pair))


def _present(pair: Pair) -> set[str]:
    return {token.norm for token in pair.sides[1]}
