"""What other programs start. `hook` is here for its help only: `curator.__main__` answers it before typer is loaded."""

from typing import Annotated

import typer

from curator.errors import BadUsage

app = typer.Typer()


@app.command("hook")
def hook(
    event: Annotated[
        str,
        typer.Argument(
            help="session-start, prompt, pre-tool, post-tool, stop, pre-compact, post-compact or session-end."
        ),
    ],
    client: Annotated[
        str, typer.Option("--client", help="Whose event it is; told from the payload when left out.")
    ] = "",
) -> None:
    """Answer one event of an agent; its payload is on stdin. Exits 0, whatever happens."""
    raise BadUsage(f"write it as: curator [-C DIR] hook {event} --client {client or 'CLIENT'}")
