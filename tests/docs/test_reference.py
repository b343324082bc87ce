"""The reference page is what the program's help says."""

import pytest

from curator.cli.reference import page
from curator.cli.table import rows
from tests.conftest import REPOSITORY


@pytest.mark.slow
def test_the_command_line_page_is_made_from_the_real_help() -> None:
    """Every command and option stands in `docs/reference/cli.md`, word for word; `make docs` brings it up to date."""
    assert (REPOSITORY / "docs" / "reference" / "cli.md").read_text(encoding="utf-8") == page()


@pytest.mark.slow
def test_no_option_is_without_an_explanation() -> None:
    """In the help of every command each option has words beside it."""
    for line in page().splitlines():
        option = line.strip()
        if option.startswith("--") and "  " not in option and len(option) < 30:
            raise AssertionError(f"not explained: {option}")


def test_every_command_has_one_line_of_help() -> None:
    """The table says of each command, in one sentence, what it does."""
    for row in rows():
        assert row.help.endswith("."), row.name
        assert len(row.help) < 80, row.name
