"""The formats that `curator import` and `curator export` know, by name: one row each, loaded when it is used.

Add a format: a row here, and a module with the function that the row names. An importer is called with
`(store, source, tokens)`, where `source` is the file or folder that was named, or the folder of the call where none
was; it makes proposals and returns a `Report`. An exporter is called with `(store, target, Ask)`, where `target` is
None without a path, and returns what it `Wrote`. Neither prints.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any

from curator.errors import BadUsage, CuratorError

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.interchange.entries import Report
    from curator.ports import Tokens
    from curator.store.engine import Store

    Importer = Callable[[Store, Path, Tokens], Report]
    Exporter = Callable[[Store, Path | None, "Asked"], "Wrote"]


@dataclass(frozen=True)
class Asked:
    """What else was asked of an export."""

    memories: bool = False
    """Injected entries too, where the format leaves them out."""
    force: bool = False
    """Write even where the target holds records that would be lost."""


@dataclass(frozen=True)
class Wrote:
    """What an export did: `said` in one line, `notes` on the way; `lines` are for stdout where no target was named."""

    said: str = ""
    lines: Iterable[bytes] = ()
    notes: tuple[str, ...] = ()
    complete: bool = True


@dataclass(frozen=True)
class Format:
    """One direction of a format: what it is, the function that does it, and whether it needs or takes a path."""

    about: str
    where: str
    """`module:function` within this package."""
    needs_path: bool = True
    takes_path: bool = True
    program: str = ""
    """The program that must be on the PATH."""

    def load(self) -> Any:
        """The function itself."""
        module, _, name = self.where.partition(":")
        return getattr(import_module(f"curator.interchange.{module}"), name)


IMPORTS = {
    "entries": Format("one JSON object a line, all that is stored", "entries:import_entries"),
    "beads": Format("issues and memories of bd or br, JSONL", "beads.incoming:import_beads"),
    "bd": Format("the program itself", "beads.live:import_bd", needs_path=False, takes_path=False, program="bd"),
}
EXPORTS = {
    "entries": Format("one JSON object a line, all that is stored", "outgoing:write_entries", needs_path=False),
    "markdown": Format(
        "one managed block in a file, or a file per entry into a folder", "markdown:write_markdown", needs_path=False
    ),
    "beads": Format("issues of bd or br, JSONL; unchanged lines stay", "beads.outgoing:export_beads", needs_path=False),
    "bd": Format("the program itself", "beads.live:export_bd", needs_path=False, takes_path=False, program="bd"),
}


def find(table: dict[str, Format], name: str, path: Path | None) -> Format:
    """The format of this name; raises `BadUsage` naming those that there are, or what the path should be.

    Raises `CuratorError` where the program that it needs is missing.
    """
    found = table.get(name)
    if found is None:
        raise BadUsage(f"there is no format {name!r}; there are {', '.join(table)}")
    if path is None and found.needs_path:
        raise BadUsage(f"format {name} needs a PATH")
    if path is not None and not found.takes_path:
        raise BadUsage(f"format {name} takes no PATH: it asks the program itself")
    if found.program and which(found.program) is None:
        raise CuratorError(f"there is no program `{found.program}` on the PATH")
    return found


def told(table: dict[str, Format]) -> str:
    """The table as help: names with what they are."""
    return "; ".join(f"{name} ({each.about})" for name, each in table.items()) + "."
