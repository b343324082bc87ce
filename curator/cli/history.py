"""`undo` and `log`: decisions taken back, and every one that was made."""

from typing import Annotated

import typer

from curator.cli.common import out, out_json, say
from curator.cli.desks import deciding, looking
from curator.cli.options import Json
from curator.cli.outcomes import report
from curator.cli.telling import log_line
from curator.cli.told_json import log_json
from curator.errors import BadUsage, CuratorError

app = typer.Typer()


@app.command("undo")
def undo(
    ctx: typer.Context,
    which: Annotated[
        str, typer.Argument(metavar="N|DECISION", help="How many to take back, or one by name (D-0012).")
    ] = "1",
    as_json: Json = False,
) -> None:
    """Take back the last decision, the last N, or a named one. The undo is a decision too and can be undone."""
    named = which.strip().upper()
    if named.startswith("D-") and named[2:].isdigit():
        report(deciding(ctx.obj).undo(int(named[2:])), as_json)
        return
    if not named.isdigit() or int(named) < 1:
        raise BadUsage(f"{which!r} is neither a number of decisions nor a decision such as D-0012")
    desk = deciding(ctx.obj)
    for number in range(int(named)):
        try:
            report(desk.undo(), as_json)
        except CuratorError as error:
            if not number:
                raise
            say(f"{number} taken back; {error}")
            raise typer.Exit(3) from error


@app.command("log")
def log(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most this many; 0 = all.")] = 20,
    as_json: Json = False,
) -> None:
    """Every decision, newest first: who, when, how, what, and whether it was taken back."""
    desk = looking(ctx.obj)
    lines = desk.log(limit) if desk else ()
    if as_json:
        out_json({"decisions": [log_json(line) for line in lines]})
    elif not lines:
        out("No decision has been made yet.")
    for line in () if as_json else lines:
        out(log_line(line))
