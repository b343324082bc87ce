"""A text in which one fact was changed is never merged with what it was before, nor taken for an expansion of it."""

import json
import re
from collections.abc import Callable
from importlib import resources

import pytest

from curator.sweep.relate import relate
from curator.vocab import Relation

JOINING = (Relation.SAME, Relation.RESTATES, Relation.REFINES)
LEAST = 2
"""Every change must find at least so many texts that it applies to."""


def _texts() -> list[str]:
    text = resources.files("curator.sweep").joinpath("seeds", "more_pairs.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return list(dict.fromkeys(part for _, *both in rows for part in both if len(part) < 300))[::7]


def _put(pattern: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, new, text, count=1)


def _exchanged(text: str) -> str:
    """The first two names in code, each in the other's place; only where neither is a part of the other."""
    names = list(dict.fromkeys(re.findall(r"`([\w./]+)`", text)))[:2]
    if len(names) < 2 or names[0] in names[1] or names[1] in names[0]:
        return text
    one, two = names
    return text.replace(f"`{one}`", "\0").replace(f"`{two}`", f"`{one}`").replace("\0", f"`{two}`")


CHANGES: dict[str, Callable[[str], str]] = {
    "another number": _put(r"(?<![\w.-])\d+(?![\w.-])", "137"),
    "another name in code": _put(r"`[^`]+`", "`zanzi_bar`"),
    "two names exchanged": _exchanged,
    "a negation put in": _put(r"\b(must|should|is|are)\b(?! not)", r"\1 not"),
    "a negation taken out": _put(r"\bnever |\bdo not |\bnot |不要", ""),
    "before for after": _put(r"\bbefore\b", "after"),
    "after for before": _put(r"后(?!端|台)", "前"),
    "only taken out": _put(r"\bonly ", ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_one_changed_fact_is_never_merged(change: str) -> None:
    """The changed text gets a relation that shows the change, however alike the two are."""
    changed = [(text, new) for text in _texts() if (new := CHANGES[change](text)) != text]
    assert len(changed) >= LEAST
    joined = [(text, new) for text, new in changed if relate(text, new).relation in JOINING]
    assert joined == []
