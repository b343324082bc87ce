"""Word diff and merge: nothing is lost on either side, and two changes meet only where words meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.worddiff import diff, marked, merge, words

TEXTS = st.text(alphabet=st.sampled_from("ab \n.-/约束é"), max_size=40)


@given(TEXTS, TEXTS)
def test_a_diff_holds_both_texts_whole(old: str, new: str) -> None:
    """Kept and gone segments give the old text, kept and new ones the new."""
    segments = diff(old, new)
    assert "".join(s.text for s in segments if s.sign != "+") == old
    assert "".join(s.text for s in segments if s.sign != "-") == new
    assert "".join(words(old)) == old


@given(TEXTS, TEXTS)
def test_merging_with_no_other_change_gives_the_change(base: str, changed: str) -> None:
    """Either side alone, or both the same, is taken as it is."""
    assert merge(base, changed, base).text == changed
    assert merge(base, base, changed).text == changed
    assert merge(base, changed, changed).text == changed


@given(TEXTS, TEXTS, TEXTS)
def test_a_merge_is_even_handed(base: str, ours: str, theirs: str) -> None:
    """Which side is called ours matters to nothing but the order inside a conflict."""
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert one.clean == other.clean
    if one.clean:
        assert one.text == other.text


def test_the_marks_read_without_colour() -> None:
    """The wireframe's form, exactly."""
    old = "The staging config file is in the repo root; load it."
    new = "The staging config file is config/staging.yaml, not the repo root; load it."
    shown = marked(diff(old, new))
    assert shown == "The staging config file is [-in-] {+config/staging.yaml, not+} the repo root; load it."


def test_cjk_is_compared_by_character() -> None:
    """One changed character is one changed word."""
    assert marked(diff("上限是十个", "上限是九个")) == "上限是[-十-] {+九+}个"


def test_changes_in_different_words_merge_and_in_the_same_word_conflict() -> None:
    """A clean merge has both; a conflict shows both and settles nothing."""
    base = "Deploy on Friday with two reviewers."
    good = merge(base, "Deploy on Monday with two reviewers.", "Deploy on Friday with three reviewers.")
    assert good.clean and good.text == "Deploy on Monday with three reviewers."
    bad = merge(base, "Deploy on Monday with two reviewers.", "Deploy on Sunday with two reviewers.")
    assert not bad.clean and "[<Monday|Sunday>]" in bad.text


@pytest.mark.parametrize("count", [500, 3_000])
def test_long_texts_are_compared_line_by_line(count: int) -> None:
    """A changed word in a long text is found without touching its neighbours."""
    old = "".join(f"line {number} says something\n" for number in range(count))
    new = old.replace("line 7 says", "line 7 told")
    assert [s.text for s in diff(old, new) if s.sign != "="] == ["says", "told"]
