"""The page of settings is the table of settings."""

from pathlib import Path

from curator.config import table

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "settings.md"


def test_every_setting_stands_on_the_page_with_its_default_and_meaning() -> None:
    """Name, default and meaning of each setting are the row of the page, in the table's order, and nothing else is."""
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]

    def default(value: object) -> str:
        if value == "":
            return '`""`'
        return f"`{str(value).lower() if isinstance(value, bool) else value}`"

    assert rows == [f"| `{name}` | {default(value)} | {meaning} |" for name, value, meaning in table()]
