"""One text says the opposite of another only where a negation or a side of an opposite turns the same statement."""

import pytest

from curator.sweep.compare import Pair
from curator.sweep.relate import relate
from curator.vocab import Relation


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploy on Fridays.", "Never deploy on Fridays."),
        ("Do not cache the token.", "Cache the token."),
        ("The build needs Docker.", "The build does not need Docker."),
        ("Use tabs in the templates.", "Avoid tabs in the templates."),
        ("Use tabs instead of spaces.", "Use spaces instead of tabs."),
        ("Use pnpm, never npm.", "Use npm, never pnpm."),
        ("提交前要跑测试。", "提交前不要跑测试。"),
    ],
)
def test_the_same_said_the_other_way_round_replaces(one: str, other: str) -> None:
    """In both directions, and the reason says so."""
    for older, newer in ((one, other), (other, one)):
        verdict = relate(older, newer)
        assert verdict.relation is Relation.REPLACES and "opposite" in verdict.reason, verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No, stop. We never commit to main.", "And again, never commit to main."),
        ("No. Never commit to main.", "Never commit to main."),
        ("不，不要直接提交到主分支。", "不要直接提交到主分支。"),
        ("Use pnpm.", "Use pnpm instead of npm."),
        ("Use pnpm.", "Use pnpm, not npm."),
        ("Tests must not use the network. Record the answers once.", "No network in tests: record the answers once."),
        (
            "Show a skeleton so that pages don't flicker on fast networks.",
            "To avoid flicker on fast networks, pages show a skeleton.",
        ),
        (
            "Before a release run the smoke tests, after it the audit.",
            "Run the smoke tests before a release and the audit after it.",
        ),
    ],
)
def test_a_negation_that_turns_nothing_round_is_no_opposite(one: str, other: str) -> None:
    """A `no` to what went before, a contrast put in, or the same denied in other words."""
    for older, newer in ((one, other), (other, one)):
        assert not Pair(older, newer).turned
        assert "opposite" not in relate(older, newer).reason


def test_a_merge_never_loses_a_negation() -> None:
    """A warning that is left out is a change that a person sees, whatever the likeness."""
    verdict = relate("npm run build # production build - NEVER RUN", "npm run build # production build")
    assert verdict.relation is Relation.REPLACES


def test_specifics_that_change_places_do_not_stand_for_each_other() -> None:
    """Names that both texts hold, put in another order of the sentence, are no changed specific."""
    older = "# Naming\nPython modules: snake_case. Classes: PascalCase. Constants: UPPER_SNAKE."
    newer = "Names in Python: `snake_case` for modules, `PascalCase` for classes, `UPPER_SNAKE` for constants."
    assert not Pair(older, newer).swapped


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Write tests first, then code.", "Write code first, then tests."),
        ("Prefer composition over inheritance.", "Prefer inheritance over composition."),
        ("Restart the workers after the migration.", "Run the migration after the workers restart."),
        ("先写测试再写代码。", "先写代码再写测试。"),
        ("The first Monday of a month is a release day.", "The second Monday of a month is a release day."),
        ("发布只能在每周二进行。", "发布只能在每周四进行。"),
        ("备份在星期一运行。", "备份在星期五运行。"),
        ("每月一号备份。", "每月十五号备份。"),
        ("The order service depends on the stock service.", "The stock service depends on the order service."),
        ("Move data from the cache to the disk.", "Move data from the disk to the cache."),
        ("订单服务依赖库存服务。", "库存服务依赖订单服务。"),
        ("数据从缓存写到磁盘。", "数据从磁盘写到缓存。"),
        ("The field may be null.", "The field must not be null."),
        ("至少两人评审。", "至多两人评审。"),
        ("只有管理员可以删除。", "只有所有者可以删除。"),
        ("用旧密钥签名。", "用新密钥签名。"),
    ],
)
def test_another_order_day_or_thing_is_never_joined(older: str, newer: str) -> None:
    """What comes before what, which goes to which, which day, place or thing: specifics in words and in Chinese too."""
    assert relate(older, newer).relation in {Relation.REPLACES, Relation.RELATED}
    assert relate(newer, older).relation in {Relation.REPLACES, Relation.RELATED}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Run the linter before each commit.", "Before every commit, run the linter."),
        ("Close the cursor after reading.", "After reading, close the cursor."),
        ("提交之前先跑测试。", "先跑测试再提交。"),
        ("Use red for errors and green for hints.", "Use green for hints and red for errors."),
        ("The linter and the formatter run in CI.", "The formatter and the linter run in CI."),
    ],
)
def test_the_same_order_in_other_words_is_no_other_order(older: str, newer: str) -> None:
    """A clause that changes its place keeps its order."""
    assert relate(older, newer).relation is Relation.RESTATES
