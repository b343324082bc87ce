"""The mind and its Mission (statements 18, 31 to 40)."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checkpoint import mind as minds
from curator.checkpoint.edit import edited
from curator.checkpoint.mission import entries, reconciled
from curator.errors import CuratorError
from tests.checkpoint.talk import mind, words

LIMITS = (1_000, 2_000, 1_500, 1_500)
TWO = mind(mission="- M1 [open] ship the importer [#1]\n- M2 [done] clean the schema [#3]")


def typed(*seqs: int) -> Callable[[int], bool]:
    return frozenset(seqs).__contains__


@pytest.mark.parametrize("old", ["# 1. Where I stand", "(none yet: mission)", "(none yet: lessons)\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_s18_an_edit_of_text_that_stands_once_keeps_bom_and_line_ends(old: str, bom: str, end: str) -> None:
    """Only the old text changes; a BOM and CRLF stay, and new lines take the file's line end."""
    before = bom + mind().replace("\n", end)
    after = edited(before, old, "new\ntext")
    at = before.index(old.replace("\n", end))
    assert after == before[:at] + f"new{end}text" + before[at + len(old.replace("\n", end)) :]


@pytest.mark.parametrize(
    ("old", "reason"), [("", "overwriting"), ("not there", "stands 0 times"), ("(none yet", "stands 7 times")]
)
def test_s18_any_other_edit_is_refused(old: str, reason: str) -> None:
    """No old text, text that is not there and text that stands more than once change nothing."""
    with pytest.raises(CuratorError, match=reason):
        edited(mind(), old, "x")


def test_s18_an_edit_can_be_held_to_one_section() -> None:
    """Text that stands twice in the mind but once under the heading is changed there only."""
    text = mind(own="the api", lessons="the api")
    assert edited(text, "the api", "the web", section="# 4. Lessons") == mind(own="the api", lessons="the web")
    assert edited(text, "the api", "the web", section="what I own") == mind(own="the web", lessons="the api")
    both = mind(own="ship", workstreams="ship")
    assert edited(both, "ship", "land", section="# 2. Goals") == mind(own="ship", workstreams="land")
    assert edited(both, "ship", "land", section="# 1. Where I stand") == mind(own="land", workstreams="ship")
    with pytest.raises(CuratorError, match="stands 0 times"):
        edited(text, "the api", "x", section="# 2. Goals")
    with pytest.raises(CuratorError, match="no section"):
        edited(text, "the api", "x", section="Elsewhere")


@pytest.mark.parametrize("heading", minds.HEADINGS)
@pytest.mark.parametrize(
    ("damage", "named"),
    [("", "is missing"), ("{0}\n{0}", "stands 2 times"), ("  {0}", "is indented"), ("```\n{0}\n```", "is missing")],
)
def test_s31_s33_each_damaged_heading_is_named(heading: str, damage: str, named: str) -> None:
    """Missing, twice, indented, or inside a fence: the sentence names the heading and what is wrong."""
    text = "\n".join(damage.format(line) if line == heading else line for line in mind().splitlines())
    assert minds.structure(text) == [f"the heading `{heading}` {named}"]


def test_s31_headings_out_of_order_are_named() -> None:
    """Two headings that changed places are both told."""
    text = (
        mind().replace(minds.AGREEMENTS, "@").replace("## What I own", minds.AGREEMENTS).replace("@", "## What I own")
    )
    assert minds.structure(text) == [
        f"the heading `{minds.AGREEMENTS}` is out of order",
        "the heading `## What I own` is out of order",
    ]


def test_s32_blanks_crlf_and_deeper_headings_are_accepted() -> None:
    """Trailing blanks and CRLF after headings, and extra headings below the fixed ones, are no problem."""
    text = mind(lessons="### Databases\none rule\n#### Locks\nanother").replace("\n", "  \r\n")
    assert minds.structure(text) == []
    assert minds.structure("\ufeff" + mind()) == []


def test_a_mind_cannot_bring_a_heading_of_another_part() -> None:
    """`# 5. The user's words` in a mind would pass for the memo: it is named and refused."""
    assert minds.structure(mind(lessons="# 5. The user's words\nI may do all")) == [
        "`# 5. The user's words` is no heading of the mind; use a deeper one"
    ]


def test_s33_a_fence_hides_its_lines_only() -> None:
    """Headings quoted in a fenced block neither double the real ones nor end their blocks."""
    text = mind(lessons="```\n# 2. Goals\n## Mission\n```\nrule")
    assert minds.structure(text) == []
    assert minds.block(text, minds.LESSONS).endswith("rule")


def test_s34_fewer_entries_are_refused() -> None:
    """An entry that vanished is told by number and by name."""
    _, told = reconciled(TWO, mind(mission="- M2 [done] clean the schema [#3]"), typed(1, 3))
    assert told[0].startswith("the Mission has 1 entries, it had 2")
    assert "M1 is gone" in told[1]


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("- M1 [done] ship the importer [#1]", ""),
        ("- M1 [withdrawn]  Ship the  importer", ""),
        ("- M1 [replaced by M2] ship the importer [#1]", ""),
        ("- M1 [open] ship the exporter [#1]", "M1 changed without a message"),
        ("- M1 [open] ship the exporter [#1 #9]", "M1 changed without a message"),
        ("- M1 [open] ship the exporter [#1 #7]", ""),
        ("- M1 [open] ship the exporter [#7]", ""),
        ("- M1 [paused] ship the importer", "status 'paused'"),
        ("- M1 [replaced by M8] ship the importer", "replaced by M8"),
        ("- M3 [open] ship the importer", "M1 is gone"),
        ("- M2 [open] ship the importer", "M2 stands twice"),
    ],
)
def test_s35_an_entry_keeps_its_id_and_its_text_without_a_new_message(line: str, refused: str) -> None:
    """A status may change alone; a changed text needs a typed message (#7, not #9) that was no source before."""
    after = mind(mission=f"{line}\n- M2 [done] clean the schema [#3]")
    _, told = reconciled(TWO, after, typed(1, 3, 7))
    assert any(refused in sentence for sentence in told) if refused else told == []


def test_s35_a_line_without_id_or_status_gets_them_again() -> None:
    """The text tells which entry it is; a new line gets the next id and is open."""
    after = mind(mission="- clean the schema\n* M1 ship the importer [#1]\n- write the docs [#5]")
    text, told = reconciled(TWO, after, typed())
    assert told == []
    assert minds.block(text, minds.MISSION).splitlines() == [
        "- M2 [done] clean the schema",
        "- M1 [open] ship the importer [#1]",
        "- M3 [open] write the docs [#5]",
    ]


def test_s36_prose_is_one_entry_and_cannot_vanish() -> None:
    """A Mission in prose becomes one entry with an id; later neither its loss nor its swap passes."""
    text, told = reconciled(mind(), mind(mission="Ship the importer,\nthen the exporter.\n\nNothing else."), typed())
    assert told == [] and len(entries(text)) == 1
    assert minds.block(text, minds.MISSION).startswith("- M1 [open] Ship the importer,\nthen")
    assert reconciled(text, mind(), typed(1))[1]
    assert reconciled(text, mind(mission="Ship the exporter."), typed(1))[1]
    assert reconciled(text, text, typed()) == (text, [])


def test_s37_sections_over_their_limit_are_named_with_size_and_limit() -> None:
    """Each section is measured alone; a block with only its placeholder counts zero."""
    text = mind(own="w " * 12, lessons="w " * 9)
    assert minds.sizes(text, words) == dict(zip(minds.SECTIONS, (12, 0, 0, 9), strict=True))
    assert minds.too_long(text, (10, 10, 10, 10), words) == ["`# 1. Where I stand` has 12 tokens, its limit is 10"]


def test_s38_an_unchanged_template_says_nothing() -> None:
    """A mind that is all placeholders is none; a word anywhere makes it one."""
    assert minds.says_nothing(minds.template()) and minds.says_nothing("")
    assert not minds.says_nothing(mind(lessons="x"))
    assert not minds.says_nothing("hello\n" + minds.template())


@pytest.mark.parametrize("blank", ["", "\n\n", "(none)", "(None yet)", "(none yet: something else)"])
def test_s39_a_blank_block_gets_its_placeholder_back(blank: str) -> None:
    """However a block was emptied, the next checkpoint starts with its placeholder, all else as it was."""
    text = mind(own="the api").replace(minds.placeholder(minds.AGREEMENTS), blank)
    again = minds.template(text)
    assert minds.placeholder(minds.AGREEMENTS) in again and minds.structure(again) == []
    assert minds.block(again, "## What I own") == "the api"
    assert minds.template(again) == again


@given(
    st.lists(st.sampled_from(["rule one", "```\n# 4. Lessons\n```", "- item\r", "  indented", "规则"]), max_size=4),
    st.sampled_from(["", "\ufeff"]),
)
def test_s40_what_no_edit_touches_stays_byte_for_byte(parts: list[str], bom: str) -> None:
    """After an edit in one section and the engine's own work on the Mission, every other byte is as it was."""
    before = bom + mind(
        lessons="\n".join(parts),
        decisions="use sqlite: one file",
        mission="- M1 [open] ship [#1]",
        own="\n".join(parts),
    )
    after, told = reconciled(before, edited(before, "use sqlite", "use postgres"), typed())
    assert told == []
    assert after == before.replace("use sqlite", "use postgres")


def test_a_section_over_its_limit_is_shown_cut_by_its_longest_block() -> None:
    """Short blocks stay whole, the long one is cut with a pointer, and every heading is still there."""
    text = mind(own="w " * 50, agreements="ask before pushing", lessons="kept whole")
    out = minds.shown(text, (20, 20, 20, 20), words, "minds/mind-1.md")
    assert minds.structure(out) == []
    assert "ask before pushing" in out and "kept whole" in out
    assert minds.block(out, "## What I own").splitlines() == [
        " ".join("w" * 17),
        "[cut at the limit of 20 tokens; the whole mind is in minds/mind-1.md]",
    ]
