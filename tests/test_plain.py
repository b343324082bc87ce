"""The one door for text from outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.plain import clean, counted, hides, one_line, plain

HOSTILE = [
    ("a\x1b[31mred\x1b[0m b", "ared b"),
    ("\x1b]0;title\x07x", "x"),
    ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
    ("zero\u200bwidth", "zerowidth"),
    ("\u202eright-to-left", "right-to-left"),
    ("half \ud83c emoji", "half \ufffd emoji"),
    ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
    ("nul\x00", "nul"),
    ("👨\u200d👩", "👨\u200d👩"),
]


@pytest.mark.parametrize(("text", "wanted"), HOSTILE)
def test_stored_text_has_no_steering_characters_and_keeps_its_meaning(text: str, wanted: str) -> None:
    """Escapes, controls and direction marks go; letters, emoji joiners and line breaks stay."""
    assert clean(text) == wanted


def test_shown_text_makes_hidden_characters_visible() -> None:
    """A reader sees every character that a terminal would obey or hide."""
    assert plain("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert hides("a\u200b") and not hides("plain 中文 👨\u200d👩")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_out_writable_and_harmless(text: str) -> None:
    """Whatever goes in, what comes out is UTF-8 and carries nothing that steers; cleaning twice changes nothing."""
    for out in (clean(text), plain(text), one_line(text, 40)):
        out.encode("utf-8")
        assert not hides(out)
    assert clean(clean(text)) == clean(text)


def test_numbers_have_their_noun() -> None:
    """One is one, everything else is many, thousands are separated."""
    assert [counted(n, "entry", "entries") for n in (0, 1, 2, 1_000)] == [
        "0 entries",
        "1 entry",
        "2 entries",
        "1,000 entries",
    ]
    assert counted(1, "note") + counted(3, "note") == "1 note3 notes"
