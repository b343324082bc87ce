"""`curator config`: the merged settings, where each came from, and the person's key for scripts."""

import json
import os
import re
import shlex
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, say, settings_of
from curator.config import table
from curator.desk.guard import KEY_FILE, make_key

app = typer.Typer()
config = typer.Typer(invoke_without_command=True)
app.add_typer(config, name="config")


@config.callback()
def show(
    ctx: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Also the file or variable each value came from.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """The merged settings: defaults, your file, the project's file, the environment, later ones winning."""
    if ctx.invoked_subcommand:
        return
    call: Call = ctx.obj
    loaded = settings_of(place_of(call))
    values = asdict(loaded.settings)
    values["database_url"] = re.sub(r"(//[^:/@]*):[^@]*@", r"\1:***@", values["database_url"])
    if as_json:
        origins = {name: loaded.origins.get(name, "default") for name in values}
        out_json({"settings": values, "origins": origins} if origin else {"settings": values})
        return
    for name, _, meaning in table():
        came = f"  # {loaded.origins.get(name, 'default')}" if origin else f"  # {meaning}"
        out(f"{name} = {_toml(values[name])}{came}")


@config.command("decide-key")
def decide_key(ctx: typer.Context) -> None:
    """Make your key for scripts, on a terminal of your own; prints its path."""
    call: Call = ctx.obj
    path, made = make_key(place_of(call), os.environ, sys.stdin)
    out(str(path))
    say(f"{'made' if made else 'it was there already'}; for a script: export {KEY_FILE}={shlex.quote(str(path))}")


def _toml(value: Any) -> str:
    """A value as it is written in `config.toml`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
