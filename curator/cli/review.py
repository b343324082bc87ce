"""`curator review` for typer: its help, and calls that the quick way does not read."""

from typing import Annotated

import typer

from curator.cli.reviewing import review as open_review

app = typer.Typer()


@app.command("review")
def review(
    ctx: typer.Context,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, for screen readers; chosen by itself with TERM=dumb.")
    ] = False,
) -> None:
    """The approval screen. Without a terminal the queue is printed read-only."""
    raise typer.Exit(open_review(ctx.obj, plain=plain))
