"""Text to index words, the same for every script and both databases. Pure.

Latin text: lower-case words, identifiers whole and in parts (`snake_case`, `camelCase`), and a stem behind `~`.
Chinese, Japanese and Korean: every pair of neighbouring characters, and the last one alone, so that a prefix query
finds a single character anywhere. The index only nominates: callers verify literally what they promise literally.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_CJK = "\u2e80-\u2fdf\u3005-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUNS = re.compile(rf"[{_CJK}\U00020000-\U0003ffff]+|[^\W{_CJK}\U00020000-\U0003ffff]+")
_IS_CJK = re.compile(rf"[{_CJK}\U00020000-\U0003ffff]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LATIN = re.compile(r"[a-z]{4,}")


def index_words(text: str) -> list[str]:
    """Every word under which a text can be found, in order, repeats kept (they count for ranking)."""
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text)):
        if _IS_CJK.match(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)] + [run[-1]]
        else:
            found += _identifier(run)
    return found


def query_words(text: str) -> list[tuple[str, ...]]:
    """What must be matched for a query: one tuple of alternatives for each part; `x*` stands for a prefix."""
    parts: list[tuple[str, ...]] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text)):
        if _IS_CJK.match(run):
            parts += [(run[i : i + 2],) for i in range(len(run) - 1)] or [(run + "*",)]
        else:
            parts += [(word,) for word in _query_parts(run)]
    return list(dict.fromkeys(parts))


def with_forms(parts: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The parts of a query with every English form of their words: `provider` also finds `providers`."""
    return [
        tuple(dict.fromkeys((*part, *(form for word in part for form in (stem(word), f"~{stem(word)}")))))
        for part in parts
    ]


def folded(text: str) -> str:
    """The form in which texts are compared literally: compatibility forms and letter case do not differ."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


Form = tuple[str, ...]
"""A word as the index may hold it: as it is or by its stem, `build` and `~build`; each finds what the other misses."""


def forms(text: str) -> list[Form]:
    """The words of a text, each once, as the index words that hold it in any English form."""
    words = (word for word in index_words(text) if word[0] != "~")
    return list(
        dict.fromkeys(
            (stem(word), f"~{stem(word)}") if word.isascii() and word.isalpha() else (word,) for word in words
        )
    )


def loose_words(text: str) -> list[str]:
    """Words for a search by likeness: literal ones and stems, each once."""
    return list(dict.fromkeys(index_words(text)))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The English stem of a lower-case Latin word; other words as they are."""
    return str(_stemmer().stemWord(word)) if _LATIN.fullmatch(word) else word


@lru_cache(maxsize=50_000)
def _identifier(run: str) -> tuple[str, ...]:
    whole = run.casefold()
    parts = [part.casefold() for piece in run.split("_") for part in _CAMEL.split(piece) if part]
    words = [whole, *(part for part in parts if part != whole)] if parts else []
    return (*words, *(f"~{stem(word)}" for word in words if stem(word) != word))


def _query_parts(run: str) -> list[str]:
    whole = run.casefold().strip("_")
    return [part for part in (whole,) if part] if "_" not in whole else [part for part in whole.split("_") if part]


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")
