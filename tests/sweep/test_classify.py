"""Kinds: a marker before the place, the place before the text, and chatter nowhere."""

import pytest

from curator.sweep.classify import classify
from curator.sweep.linear import Linear
from curator.vocab import Kind, Origin, Route


def test_a_marker_counts_before_everything() -> None:
    """The speaker's own word decides, whatever heading and text say."""
    found = classify("We chose SQLite over a server.", marker="root-cause", heading="Decisions", part="mind")
    assert found.kind is Kind.ROOT_CAUSE and found.confidence > 0.95 and "marked" in found.reason


@pytest.mark.parametrize(
    ("heading", "part", "kind"),
    [
        ("4. Lessons", "mind", Kind.LESSON),
        ("3. Key decisions", "mind", Kind.DECISION),
        ("Pitfalls", "now", Kind.ROOT_CAUSE),
        ("## Gotchas", "", Kind.LESSON),
        ("调研", "", Kind.RESEARCH),
        ("架构", "", Kind.DESIGN),
        ("Code style", "", Kind.PATTERN),
    ],
)
def test_a_heading_counts_before_the_text(heading: str, part: str, kind: Kind) -> None:
    """A checkpoint's or file's heading names the kind in English and Chinese."""
    found = classify("The mirror is read-only.", heading=heading, part=part)
    assert found.kind is kind and heading in found.reason


def test_a_typed_memo_item_is_a_correction() -> None:
    """What a person said in a memo corrects the agent; the same words of a machine are judged by their text."""
    assert classify("Use the small queue.", part="memo", origin=Origin.HUMAN).kind is Kind.CORRECTION
    assert "memo" not in classify("Use the small queue.", part="memo", origin=Origin.TOOL).reason


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "好的",
        "🚀🚀🚀",
        "Let me check the logs now.",
        "All 14 tests pass.",
        "Running the suite again",
        "Waiting for the build to finish.",
        "3 of 8 files converted so far.",
        "Will look at this tomorrow.",
        "Build succeeded in 42s.",
        "CI is green again.",
        "Exit code 0.",
        "The user has approved the plan, starting now.",
        "测试全部通过。",
        "已经提交，等待评审。",
        "明白了，马上改。",
        "再跑一次看看",
        "正在检查日志",
        "```\nx = 1\n```",
        "",
    ],
)
def test_progress_and_chatter_are_skipped(text: str) -> None:
    """What does not last is no memory, and the reason says so."""
    found = classify(text)
    assert found.skip and found.kind is None and found.reason


@pytest.mark.parametrize(
    "text",
    [
        "Tests pass on an empty database only because the fixture swallows the error.",
        "The user agreed that invoices are numbered per year; use the sequence of the year from now on in all modules.",
        "The user agreed to weekly releases.",
        "Tests failed since the fixture was stale.",
        "CI runs must never touch the staging bucket.",
        "先看链路追踪，再看日志，最后才登录机器，顺序不要反。",
    ],
)
def test_what_begins_like_a_status_and_lasts_is_kept(text: str) -> None:
    """A rule, a reason or a longer statement is no status line, however it begins."""
    assert not classify(text).skip


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Never run both importers at once: the second one silently drops rows.", Route.INJECTED),
        ("We decided to adopt SQLite instead of a server. Rationale: one writer, no operation.", Route.DEFERRED),
        ("修改配置后必须重启进程，否则不会生效。", Route.INJECTED),
        ("The system has three layers: store, service, interface. Each layer returns a result.", Route.DEFERRED),
    ],
)
def test_plain_text_is_judged_with_reasons(text: str, route: Route) -> None:
    """Text alone gives a route, a confidence below certainty, and the cues that spoke for it."""
    found = classify(text)
    assert found.route is route and 0.5 <= found.confidence < 0.98
    assert "by its text: " in found.reason


def test_it_abstains_where_the_text_says_little() -> None:
    """An uncertain route still has a best guess, and says that a person should choose."""
    knows_nothing = Linear(tuple(kind.value for kind in Kind), {})
    found = classify("The box is the plan and the key is the cat", judge=knows_nothing)
    assert found.abstains and found.kind and "uncertain" in found.reason


def test_an_abstention_names_both_kinds_and_what_speaks_for_each() -> None:
    """Between the stores it says which kind of either it may be, how likely, and the signs of both."""
    weights = {"a semicolon": (0.0,) * 7, "has a semicolon": tuple(0.1 * n for n in range(7))}
    judge = Linear(tuple(kind.value for kind in Kind), weights)
    found = classify("The box is here; the key is there", judge=judge)
    assert found.abstains and found.kind
    kinds = [kind for kind in Kind if f"{kind.value} (" in found.reason]
    assert len(kinds) == 2 and len({kind.route for kind in kinds}) == 2
    assert "%" in found.reason and "has a semicolon" in found.reason and f"for {found.kind.value}: " in found.reason
