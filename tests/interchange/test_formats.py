"""The table of formats: a name that is not in it is wrong usage, every row in it can be loaded, help lists it."""

import pytest

from curator.__main__ import main
from curator.errors import BadUsage
from curator.interchange.formats import EXPORTS, IMPORTS, Format, find
from tests.cli.test_start import curator, imported


@pytest.mark.parametrize("command", ["import", "export"])
def test_an_unknown_format_is_wrong_usage(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2, and the one line names the formats that there are."""
    assert main([command, "stone-tablets"]) == 2
    said = capsys.readouterr().err
    assert "'stone-tablets'" in said
    assert "entries" in said


@pytest.mark.parametrize("table", [IMPORTS, EXPORTS])
def test_every_row_names_a_function(table: dict[str, Format]) -> None:
    """A format in the table can be loaded."""
    assert all(callable(form.load()) for form in table.values())


def test_a_path_is_asked_for() -> None:
    """A format that reads a file is wrong usage without one."""
    with pytest.raises(BadUsage, match="needs a PATH"):
        find(IMPORTS, "entries", None)


def test_help_lists_the_formats() -> None:
    """`--help` names each format, and costs no heavy import."""
    for command, table in (("import", IMPORTS), ("export", EXPORTS)):
        said = " ".join(curator(command, "--help").stdout.split())
        assert all(f"{name} (" in said for name in table)
    assert "sqlmodel" not in imported("import", "--help")
