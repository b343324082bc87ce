"""The filter line: `op:add kind:lesson route:deferred label:web conf>=.8 conf<.5 is:conflict -is:edited words`.

Words that name no field match title and text. `parse` never guesses: what it cannot read it says.
"""

import shlex
from dataclasses import replace
from typing import TypeVar

from curator.desk.views import Filter
from curator.errors import BadUsage
from curator.vocab import Kind, Op, Route

MARKS = ("conflict", "edited", "snoozed", "warned")
_T = TypeVar("_T")
_ROUTES = {"inject": Route.INJECTED, "defer": Route.DEFERRED}


def parse(text: str) -> Filter:
    """The filter that a line says; raises `BadUsage` naming the word that cannot be."""
    wanted = Filter()
    for word in _words(text):
        wanted = _with(wanted, word)
    return wanted


def written(wanted: Filter) -> str:
    """The line that `parse` reads back as this filter."""
    parts = [f"{name}:{value}" for name in ("op", "kind", "route") if (value := getattr(wanted, name))]
    parts += [f"label:{shlex.quote(label)}" for label in wanted.labels]
    parts += [f"conf>={wanted.at_least:g}"] if wanted.at_least is not None else []
    parts += [f"conf<{wanted.below:g}"] if wanted.below is not None else []
    parts += [*(f"is:{mark}" for mark in wanted.marks), *(f"-is:{mark}" for mark in wanted.without)]
    return " ".join([*parts, *(shlex.quote(word) for word in wanted.words)])


def _with(wanted: Filter, word: str) -> Filter:
    name, colon, value = word.partition(":")
    if word.startswith("conf>="):
        return replace(wanted, at_least=_share(word, word[6:]))
    if word.startswith("conf<"):
        return replace(wanted, below=_share(word, word[5:]))
    if colon and name == "op":
        return replace(wanted, op=_one(word, value, {op.value: op for op in Op}))
    if colon and name == "kind":
        return replace(wanted, kind=_one(word, value, {kind.value: kind for kind in Kind}))
    if colon and name == "route":
        return replace(wanted, route=_one(word, value, _ROUTES | {route.value: route for route in Route}))
    if colon and name == "label" and value:
        return replace(wanted, labels=(*wanted.labels, value))
    if colon and name in {"is", "-is"}:
        mark = _one(word, value, {mark: mark for mark in MARKS})
        more = wanted.marks if name == "is" else wanted.without
        return replace(wanted, marks=(*more, mark)) if name == "is" else replace(wanted, without=(*more, mark))
    if word[1:] in MARKS and word.startswith("-"):
        return replace(wanted, without=(*wanted.without, word[1:]))
    return replace(wanted, words=(*wanted.words, word))


def _one(word: str, value: str, known: dict[str, _T]) -> _T:
    if value not in known:
        raise BadUsage(f"{word!r}: there are {', '.join(known)}")
    return known[value]


def _share(word: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise BadUsage(f"{word!r}: confidence is a number from 0 to 1")
    return value


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an open quote is a word like any other
        return text.split()
