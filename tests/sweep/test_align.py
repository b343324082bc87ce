"""The alignment is the standard library's, only faster."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from curator.sweep import align

LETTERS = st.text("abc é漢", max_size=40)
WORDS = st.lists(st.sampled_from(["a", "the", "port", "8443", "漢字", ""]), max_size=30)


@given(LETTERS, LETTERS)
def test_the_ratio_is_the_one_of_difflib(one: str, two: str) -> None:
    """Weights are trained on that ratio, so it may not differ in the last place."""
    assert align.ratio(one, two) == SequenceMatcher(None, one, two, autojunk=False).ratio()


@given(WORDS, WORDS)
def test_the_changes_are_those_of_difflib(one: list[str], two: list[str]) -> None:
    """What a reviewer sees as changed is what `difflib` tells, place by place."""
    opcodes = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    assert align.changes(one, two) == [tuple(places) for op, *places in opcodes if op != "equal"]
