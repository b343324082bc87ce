"""Relations are told by specifics, with the reason in words."""

import json
from pathlib import Path

import pytest

from curator.sweep.compare import Pair, content
from curator.sweep.relate import no_loss, relate
from curator.sweep.slots import tokens
from curator.vocab import Relation

CASES = Path(__file__).parent.parent / "cases"
JOINING = (Relation.SAME, Relation.RESTATES, Relation.REFINES)


def _pairs(number: int) -> list[tuple[str, str]]:
    rows = (json.loads(line) for line in (CASES / str(number) / "pairs.jsonl").read_text("utf-8").splitlines())
    return [(row["a"], row["b"]) for row in rows]


@pytest.mark.parametrize(("a", "b"), _pairs(57))
def test_case_57_texts_that_differ_by_one_digit_or_letter_are_never_joined(a: str, b: str) -> None:
    """Neither order of the two gives a relation that leads to a merge or an update."""
    assert relate(a, b).relation not in JOINING
    assert relate(b, a).relation not in JOINING


@pytest.mark.parametrize(("a", "b"), _pairs(58))
def test_case_58_a_contradiction_replaces(a: str, b: str) -> None:
    """The newer of two opposite statements replaces the older, and the reason says that they are opposite."""
    verdict = relate(a, b)
    assert verdict.relation is Relation.REPLACES
    assert "opposite" in verdict.reason


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("lesson: Close the **cursor**.", "close the   cursor"),
        ("- Use `make lint`", "Use make lint."),
        ("提交前先跑测试。", "提交前先跑测试"),
    ],
)
def test_the_same_words_in_another_form_are_the_same(a: str, b: str) -> None:
    """Case, white space, markup, a marker and closing marks make no other statement."""
    assert relate(a, b).relation is Relation.SAME


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Exclude `*.tmp` files.", "Exclude `.tmp` files."),
        ("Wait 1.5 s", "Wait 15 s"),
        ("Use a-b", "Use a b"),
        ("Call f(x, y)", "Call f(x y)"),
        ("Keep it on", "Keep it on, off"),
    ],
)
def test_inner_punctuation_and_any_other_word_counts(a: str, b: str) -> None:
    """What differs in more than form is never taken for the same."""
    assert relate(a, b).relation is not Relation.SAME


def test_a_text_that_says_more_refines_and_one_in_other_words_restates() -> None:
    """Additions keep the old text true; a rewording without any changed specific is a merge."""
    more = relate("Integration tests need Docker.", "Integration tests need Docker and run with `make it`.")
    assert more.relation is Relation.REFINES and "make" in more.reason
    again = relate("Do not commit generated files.", "Never commit generated files.")
    assert again.relation is Relation.RESTATES


def test_strangers_are_distinct_and_nothing_raises() -> None:
    """Any text can be compared with any other."""
    assert relate("Use tabs in Makefiles.", "The moon orbits the earth.").relation is Relation.DISTINCT
    for text in ("", " ", "🚀🚀", "`", "a" * 20_000, "\x00", "提"):
        assert relate(text, "Use tabs.").relation
        assert relate(text, text).relation


def test_no_loss_lists_every_missing_specific_of_every_source() -> None:
    """Numbers, dates, paths, flags, identifiers, names and negations of the sources are looked for in the result."""
    sources = (
        "Never run `db_reset --hard` on staging before 2031-04-01; see docs/reset.md.",
        "Only Anna may raise the limit of 40 to 60.",
    )
    missing = no_loss(sources, "Ask before you run `db_reset` on staging.")
    for piece in ("Never", "--hard", "2031-04-01", "docs/reset.md", "Anna", "40", "60"):
        assert piece in missing
    assert "db_reset" not in missing and "staging" not in missing
    assert no_loss(sources, " ".join(sources)) == ()


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("Pinning of actions", "Pin every action", 2),
        ("`readConfig` is slow", "reading of configs", 2),
        ("the queries are built", "built a query", 2),
        ("run `worker_pool.py`", "the pools of workers", 2),
    ],
)
def test_forms_and_parts_of_a_word_are_shared_words(one: str, other: str, shared: int) -> None:
    """A word's forms and the parts of a name count as the same word."""
    assert (content(tokens(one)) & content(tokens(other))).total() == shared


def test_chinese_sides_are_words_unless_the_other_side_stands_for_them() -> None:
    """`成功` is no value that may be lost, but `启用` put for `禁用` turns the statement round."""
    assert not Pair("任务成功后通知", "任务完成后通知").hard_lost
    assert Pair("默认启用缓存", "默认禁用缓存").turned
