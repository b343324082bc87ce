"""The now's block (statements 26, 27, 28, 30)."""

import pytest

from curator.checkpoint import now as nows
from tests.checkpoint.talk import now, words

GOOD = now()


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("<checkpoint>", "</checkpoint>"), ("<CheckPoint>", "</CHECKPOINT>"), ("< checkpoint >", "< / checkpoint >")],
)
def test_s26_one_block_is_accepted_in_any_case_and_with_inner_blanks(opening: str, closing: str) -> None:
    """Letter case and blanks inside the tags do not matter, and text around the block is ignored."""
    answer = "Here it is.\n" + GOOD.replace("<checkpoint>", opening).replace("</checkpoint>", closing) + "\nDone."
    block = nows.read(answer, 32, words)
    assert not block.problems
    assert block.text == GOOD.removeprefix("<checkpoint>\n").removesuffix("\n</checkpoint>")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("all is well", "there is no <checkpoint> block"),
        (GOOD + GOOD, "there are 2 <checkpoint> blocks; one is wanted"),
        (GOOD.removesuffix("</checkpoint>"), "the <checkpoint> block is not closed"),
        (f"<checkpoint>\n{GOOD}\n</checkpoint>", "a <checkpoint> block stands inside another"),
        (GOOD.replace("<checkpoint>", '<checkpoint id="1">'), "the <checkpoint> tag carries attributes; it takes none"),
        (GOOD.removeprefix("<checkpoint>"), "there is only a closing </checkpoint> tag"),
        (GOOD + "</checkpoint>", "there is a closing </checkpoint> tag too many"),
    ],
)
def test_s27_every_malformed_block_has_its_own_reason(answer: str, reason: str) -> None:
    """None, two, unclosed, nested, with attributes, only closing: each is refused and told apart."""
    assert nows.read(answer, 32, words) == nows.Block("", (reason,))


def test_s27_other_tags_are_no_block() -> None:
    """A tag whose name only begins like ours counts for nothing."""
    assert nows.read(f"<checkpoints> <checkpoint-x> {GOOD}", 32, words).problems == ()


def test_s28_a_short_block_is_refused_with_both_numbers() -> None:
    """The refusal names what was written and what is needed."""
    block = nows.read(now("step", 0), 100, words)
    assert block.problems == (f"the now has {words(block.text)} tokens, the least is 100",)


@pytest.mark.parametrize("heading", nows.HEADINGS)
def test_s30_every_heading_is_needed(heading: str) -> None:
    """A block that lacks any heading is refused and the heading is named."""
    answer = "\n".join(line for line in GOOD.splitlines() if line != heading)
    assert nows.read(answer, 10, words).problems == (f"the heading `{heading}` is missing",)


def test_s30_headings_stand_in_order() -> None:
    """Two headings that changed places are refused."""
    answer = GOOD.replace(nows.NEXT, "@@").replace(nows.WAITING, nows.NEXT).replace("@@", nows.WAITING)
    assert nows.read(answer, 10, words).problems == (
        f"the heading `{nows.NEXT}` is out of order",
        f"the heading `{nows.WAITING}` is out of order",
    )


def test_s30_headings_in_a_fence_are_text() -> None:
    """A whole block inside a fenced code block has no heading at all."""
    answer = GOOD.replace("<checkpoint>\n", "<checkpoint>\n```\n").replace("\n</checkpoint>", "\n```\n</checkpoint>")
    assert len(nows.read(answer, 10, words).problems) == len(nows.HEADINGS)


def test_the_template_has_the_form_that_is_asked_for() -> None:
    """What the request shows passes the check but for its length."""
    assert nows.read(nows.template(), 1, words).problems == ()
    assert nows.block(nows.template(), nows.NEXT) == ""
    assert nows.block(now(next_steps="- ship it"), nows.NEXT) == "- ship it"
