"""The reference page of the command line, made from the real help; `make docs` writes it."""

import sys
from collections.abc import Iterator
from typing import Any

from typer.testing import CliRunner

from curator.cli.app import CommandTable, load, root
from curator.cli.table import Row

_HEAD = """# Command line

Made from the program's own help by `make docs`; do not edit. Exit codes: 0 done, 1 refused, failed or not found,
2 wrong usage, 3 conflict or only partly done. A hook always exits 0. Data is on stdout, narration on stderr.
"""


def page() -> str:
    """The whole page as Markdown."""
    rows = list(CommandTable(name="curator").rows.values())
    parts = [_HEAD, _block(())]
    for section in dict.fromkeys(row.section for row in rows):
        parts.append(f"## {section}\n")
        for row in (row for row in rows if row.section == section):
            parts += [f"### curator {' '.join(words)}\n\n{_block(words)}" for words in _calls(row)]
    return "\n".join(parts)


def _calls(row: Row) -> Iterator[tuple[str, ...]]:
    """A command and the commands in it."""
    yield (row.name,)
    inner: dict[str, Any] = getattr(load(row), "commands", {})
    for name in inner:
        yield row.name, name


def _block(words: tuple[str, ...]) -> str:
    done = CliRunner().invoke(root, [*words, "--help"], prog_name="curator", env={"COLUMNS": "100"})
    return f"```text\n{done.output.rstrip()}\n```\n"


if __name__ == "__main__":
    sys.stdout.write(page())
