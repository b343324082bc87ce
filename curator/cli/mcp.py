"""`curator mcp`: serve the memory to an agent."""

import importlib.util
import os
from typing import Annotated

import typer

from curator.cli.call import Call
from curator.errors import BadUsage, CuratorError

app = typer.Typer()


@app.command("mcp")
def mcp(
    ctx: typer.Context,
    http: Annotated[
        str, typer.Option("--http", metavar="HOST:PORT", help="Serve HTTP there instead, with a bearer token.")
    ] = "",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="With --http: also an address that other machines can reach.")
    ] = False,
) -> None:
    """Serve the memory over MCP, on stdin and stdout. Agents start it; none of its tools decides anything.

    With --http the token stands in a file beside your settings (stderr says which), or in CURATOR_MCP_TOKEN.
    """
    if importlib.util.find_spec("mcp") is None:
        raise CuratorError("`curator mcp` needs the package mcp: pip install 'mcp>=2.2,<3'")
    if allow_remote and not http:
        raise BadUsage("--allow-remote goes with --http HOST:PORT")
    call: Call = ctx.obj
    if not http:
        from curator.mcp.stdio import run  # 0.5 s

        run(call.start, own=call.user)
        return
    from curator.mcp.http import run as serve

    serve(call.start, http, os.environ, remote=allow_remote, own=call.user)
