"""One door: every step in order, our own words dropped, the same statement one fingerprint."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.door import (
    admit,
    fingerprint,
    ids_at_line_starts,
    kept,
    normal,
    repeats,
    without_frames,
    without_marker,
    without_own_lines,
)

BLOCK = "<curator-memory v=1>\n- [n-001] lesson: staging config is config/staging.yaml\n</curator-memory>"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (BLOCK, ""),
        (f"From memory:\n{BLOCK}\nIt is staging.", "From memory:\n\nIt is staging."),
        ("- [n-001] lesson: staging\n</curator-memory>\nmine", "mine"),
        ("mine\n<curator-memory v=1>\n- [n-001] lesson: cut off", "mine"),
        ("why is `<curator-memory>` in my prompt?", "why is `<curator-memory>` in my prompt?"),
        ("nothing of ours", "nothing of ours"),
    ],
)
def test_the_injected_block_is_dropped_whole_or_cut(text: str, left: str) -> None:
    """Whole, headless and endless blocks go; a quoted tag and everything else stays."""
    assert without_frames(text) == left


def test_lines_with_an_entrys_id_are_our_own() -> None:
    """Output of `search` and `show`, quoted or in JSON, is told by ids that the store knows; other lines stay."""
    text = "> - [m-ab12cd34] lesson: releases\nit is Thursday now\nm-ab12cd34 lesson: x\npre-commit is used\n"
    text += '{"id":"m-ab12cd34","body":"x"}'
    assert "m-ab12cd34" in ids_at_line_starts(text)
    assert without_own_lines(text, {"m-ab12cd34"}.__contains__).split("\n")[:2] == [
        "it is Thursday now",
        "pre-commit is used",
    ]


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("lesson: staging config is config/staging.yaml", True),
        ("As the memory says, the staging config is config/staging.yaml.", True),
        ("the staging config is not config/staging.yaml", False),
        ("staging config is config/staging.yml", False),
        ("lesson: the staging file is generated, do not edit", False),
        ("staging config is config/staging.yaml except on CI", False),
    ],
)
def test_a_memory_said_again_is_an_echo_and_a_new_fact_is_not(said: str, same: bool) -> None:
    """Only lead-ins may be added; a negation, another value or another fact makes a statement of its own."""
    assert repeats(said, "lesson: staging config is config/staging.yaml") is same


@pytest.mark.parametrize(
    "other",
    [
        "Lesson: Use  `pnpm`, never npm.",
        "**lesson:** use pnpm, never npm",
        "- use pnpm, never npm!",
        "use pnpm,\nnever npm。",
    ],
)
def test_form_does_not_make_another_statement(other: str) -> None:
    """Case, white space, markup, marker and closing punctuation do not count."""
    assert fingerprint(other) == fingerprint("use pnpm, never npm")


@pytest.mark.parametrize("other", ["use pnpm never npm", "use pnpm, never npx", "use pnpm 9, never npm", "x² = 4"])
def test_inner_punctuation_and_specifics_count(other: str) -> None:
    """A comma, a letter or a number makes another statement."""
    assert normal(other) != normal("use pnpm, never npm") and normal("x² = 4") != normal("x2 = 4")


def test_a_marker_names_the_kind_and_goes() -> None:
    """The seven markers are known in any case, bold or not; other words before a colon are text."""
    assert without_marker("**Root-cause:** the clock") == ("the clock", "root-cause")
    assert without_marker("决定: 用 pnpm") == ("决定: 用 pnpm", "")
    assert without_marker("note: lesson") == ("note: lesson", "")


def test_steps_run_in_order() -> None:
    """Control characters go before secrets are looked for, and the fingerprint is that of the safe text."""
    passed = admit("lesson:\x1b[31m the key is gl\x00pat-FAKEFAKEFAKE01234567\u202e", 10_000)
    assert passed.text == "lesson: the key is [redacted: GitLab token]"
    assert passed.redacted == ("GitLab token",)
    assert passed.fingerprint == fingerprint(passed.text)


def test_a_huge_text_is_capped() -> None:
    """A note of 50 MB comes out within the cap, marked as cut."""
    passed = admit("lesson: 大 " * 5_000_000, 65_536)
    assert passed.cut and len(passed.text.encode()) <= 65_536
    assert passed.text.endswith(" [cut; 60,000,000 bytes were said]")


@given(st.text(alphabet=st.characters(), max_size=80))
def test_no_text_breaks_the_door(text: str) -> None:
    """Whatever the text, both ways in answer with valid UTF-8, and the record keeps plain text verbatim."""
    admit(text, 50).text.encode("utf-8")
    kept(text).text.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "never push. </curator-memory> closes the frame, you know",
            "never push. </curator-memory> closes the frame, you know",
        ),
        ("what does <context-checkpoint> mean?", "what does <context-checkpoint> mean?"),
        ("<curator-memory id=1>\nlesson: x\n</curator-memory>\nship it", "ship it"),
        ("ship it\n- [m-1] lesson: x\n- [m-2] y\n</curator-memory>\nand then?", "ship it\n\nand then?"),
        ("ship it\n<curator-memory id=1>\nStored memory\n- [m-1] lesson: x", "ship it"),
        ("</context-checkpoint></curator-memory> you may push", "</context-checkpoint></curator-memory> you may push"),
    ],
)
def test_the_record_keeps_what_stands_around_a_lone_tag(text: str, left: str) -> None:
    """A person who names a tag of ours loses no word; blocks of ours go, also without head or tail."""
    assert kept(text).text == left
