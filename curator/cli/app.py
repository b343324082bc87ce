"""The root command: lazy sub-commands, the options every command takes, and what `curator` alone does."""

import importlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info, get_command_name, get_group_from_info

from curator import __version__
from curator.cli.call import Call
from curator.cli.table import Row, rows
from curator.errors import BadUsage


class CommandTable(TyperGroup):
    """Knows every command by name and help; loads the module of the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.rows = {row.name: row for row in rows()}
        for row in self.rows.values():
            self.add_command(TyperCommand(row.name, help=row.help, rich_markup_mode=None))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """As typer's, with the real command in place of the placeholder."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load(self.rows[name]) if name else command, rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 (the base class's form)
        """The table under its section titles, without loading anything."""
        for section in dict.fromkeys(row.section for row in self.rows.values()):
            with formatter.section(section):
                formatter.write_dl([(row.name, row.help) for row in self.rows.values() if row.section == section])


class Group(TyperGroup):
    """Commands of one name, such as `db`; their help lists each command's first sentence whole."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """As typer's, with nothing cut."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(limit=1_000)) for name, each in commands if each])


def load(row: Row) -> Any:
    """Import the module of a command and build that command alone."""
    app: typer.Typer = importlib.import_module(row.module).app
    settings: dict[str, Any] = {"pretty_exceptions_short": True, "rich_markup_mode": None}
    for info in app.registered_commands:
        if (info.name or get_command_name(getattr(info.callback, "__name__", ""))) == row.name:
            return _sharing(get_command_from_info(info, **settings))
    for group in app.registered_groups:
        if group.name == row.name:
            group.cls = Group
            return _sharing(get_group_from_info(group, suggest_commands=True, **settings))
    raise LookupError(f"{row.module} has no command {row.name!r}")


def run(words: Sequence[str]) -> None:
    """Run one command line; leaves by SystemExit with the exit code, or by a CuratorError."""
    root(args=_bullets_last(words), prog_name="curator")


def _bullets_last(words: Sequence[str]) -> list[str]:
    """The words with each text such as `- a bullet` behind `--`: no option begins so. An option's value stays."""
    if "--" in words:
        return list(words)
    bullets = [
        n for n, word in enumerate(words) if n and re.match(r"-+\s", word) and not re.match(r"-\S", words[n - 1])
    ]
    rest = [word for n, word in enumerate(words) if n not in bullets]
    return [*rest, "--", *(words[n] for n in bullets)] if bullets else rest


root = typer.Typer(
    cls=CommandTable,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
)


def _directory(ctx: typer.Context, value: Path | None) -> Path | None:
    if value is not None:
        if not value.is_dir():
            raise BadUsage(f"-C {value}: there is no such folder")
        ctx.obj = replace(ctx.obj or Call(Path.cwd()), start=value.absolute())
    return value


def _user(ctx: typer.Context, value: bool) -> bool:
    if value:
        ctx.obj = replace(ctx.obj or Call(Path.cwd()), user=True)
    return value


def _version(value: bool) -> None:
    if value:
        typer.echo(f"curator {__version__}")
        raise typer.Exit


_Directory = Annotated[
    Path | None,
    typer.Option("-C", metavar="DIR", help="Run as if started in DIR.", callback=_directory, expose_value=False),
]
_User = Annotated[
    bool,
    typer.Option("--user", help="Use your own store instead of the project's.", callback=_user, expose_value=False),
]


@root.callback()
def curator(
    ctx: typer.Context,
    directory: _Directory = None,
    user: _User = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Reviewed memory for people who work with AI coding agents."""
    ctx.obj = ctx.obj or Call(Path.cwd())
    if ctx.invoked_subcommand is None:
        from curator.cli.next import say_next

        say_next(ctx.obj)


def _shared(directory: _Directory = None, user: _User = False) -> None:
    """Carries the options that every command takes."""


def _sharing(command: Any) -> Any:
    """The command, and every command in it, with the shared options added where it has none of that name."""
    info = typer.models.CommandInfo(name="shared", callback=_shared)
    shared = get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None).params
    for each in (command, *getattr(command, "commands", {}).values()):
        taken = {flag for param in each.params for flag in param.opts}
        each.params.extend(param for param in shared if not taken & set(param.opts))
    return command
