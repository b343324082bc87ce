"""What an entry says, and how it is named."""

import pytest

from curator.draft import content_hash, draft, from_document, title_of
from curator.errors import CuratorError
from curator.vocab import Kind, Route


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("No, stop. We never use npm here, it is pnpm. Really.", "No, stop. We never use npm here, it is pnpm"),
        ("retry the upload\nwith details", "retry the upload"),
        ("- use version 1.2.3 of the tool. Always.", "use version 1.2.3 of the tool"),
        ("邮件一律用“您”，不要用“你”。模板也要检查。", "邮件一律用“您”，不要用“你”"),
        ("🚀", "🚀"),
    ],
)
def test_a_title_is_the_opening_that_says_something(body: str, title: str) -> None:
    """An interjection alone is no title; numbers with dots are not cut; other scripts have sentence ends too."""
    assert title_of(body) == title


def test_a_long_title_is_cut_at_a_word_and_marked() -> None:
    """At most 80 characters, ending in the mark; the text then does not repeat its opening."""
    body = "word " * 60
    made = draft("", body, Kind.LESSON)
    assert len(made.title) <= 80 and made.title.endswith("…")
    assert made.text == body.strip()


def test_the_deferred_label_follows_the_route() -> None:
    """`kb` stands on every deferred entry; labels are sorted and stand once."""
    assert draft("t", "b", "design").labels == ("kb",)
    assert draft("t", "b", "design", Route.INJECTED, ["web", "ci", "web"]).labels == ("ci", "web")


def test_a_draft_survives_its_document() -> None:
    """What a proposal keeps gives the same draft back, with the same hash."""
    made = draft("t", "b", "root-cause", None, ["b", "a"], ["src/x.py:3"], "m-1")
    assert from_document(made.document()) == made
    assert made.content_hash == content_hash("t", "b", "root-cause", "injected", ["a", "b"])


def test_an_entry_needs_a_text_and_a_known_kind() -> None:
    """Empty bodies and unknown kinds are refused in one line."""
    with pytest.raises(CuratorError, match="needs a text"):
        draft("t", " \n", "lesson")
    with pytest.raises(CuratorError, match="'gossip' is not a valid Kind"):
        draft("t", "b", "gossip")
