"""`curator review` for typer: its help, and calls that the quick way does not read."""

from typing import Annotated

import typer

from curator.cli.reviewing import in_browser
from curator.cli.reviewing import review as open_review
from curator.errors import BadUsage

app = typer.Typer()


@app.command("review")
def review(
    ctx: typer.Context,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, for screen readers; chosen by itself with TERM=dumb.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="In a browser of this machine; prints an address that opens it once.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port for --web; 0 takes a free one.")] = 0,
) -> None:
    """The approval screen. Without a terminal the queue is printed read-only."""
    if web and plain:
        raise BadUsage("--plain and --web are two forms of the review: choose one")
    if port and not web:
        raise BadUsage("--port goes with --web")
    raise typer.Exit(in_browser(ctx.obj, port) if web else open_review(ctx.obj, plain=plain))
