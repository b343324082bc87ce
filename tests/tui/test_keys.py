"""The action table is sound, and what is made from it is current."""

from pathlib import Path

from tui.keys import ACTIONS, BY_ID, footer, markdown, problems

ROOT = Path(__file__).parent.parent.parent


def test_the_table_gives_every_key_once() -> None:
    """No two actions of a screen share a key and no id stands twice."""
    assert problems({}) == ()
    assert len(BY_ID) == len(ACTIONS)


def test_docs_keys_is_made_from_the_table() -> None:
    """docs/keys.md is exactly what the table gives."""
    assert (ROOT / "docs/keys.md").read_text(encoding="utf-8") == markdown()


def test_a_remapped_key_that_clashes_is_named() -> None:
    """A `[keys]` table that gives one key to two actions, or names none, is reported with both names."""
    assert problems({"accept": "r"}) == ("[keys] gives 'r' to both 'accept' and 'reject'",)
    assert problems({"approve": "b"}) == ("[keys] names no action 'approve'",)
    assert problems({"accept": "b"}) == ()


def test_the_footer_keeps_help_and_the_persons_keys() -> None:
    """The footer has as many words as asked, Help among them, under the person's own keys."""
    shown = footer({"accept": "b"}, 8)
    assert len(shown) == 8
    assert shown[0][0] == "b"
    assert shown[-1][1].id == "help"
