"""`docs/conformance.md` is what the suite shows."""

from tests.conformance import LATER, ROOT, STATEMENTS, numbered, page


def test_every_statement_of_this_contract_has_a_test() -> None:
    """All 75 but those that come with a loop of one's own."""
    assert set(STATEMENTS) == set(range(1, 76))
    assert not set(STATEMENTS) - set(numbered()) - LATER


def test_the_page_is_up_to_date() -> None:
    """Made anew by `python -m tests.conformance > docs/conformance.md`."""
    assert (ROOT / "docs/conformance.md").read_text(encoding="utf-8") == page()
