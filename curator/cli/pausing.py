"""`off` and `on`: whether the hooks speak here, or in one session."""

import os
from pathlib import Path
from typing import Annotated

import typer

from curator.brief.session import pause_mark
from curator.cli.call import Call
from curator.cli.common import out, place_of

app = typer.Typer()

Session = Annotated[str, typer.Option("--session", help="Only this session.")]


@app.command("off")
def off(ctx: typer.Context, session: Session = "") -> None:
    """Pause the hooks here or for one session. What is stored stays; commands go on working."""
    if mark := _mark(ctx.obj, session):
        mark.parent.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT, 0o600))
        again = f"curator {'--user ' * ctx.obj.user}on"
        what = "leave out your own store" if ctx.obj.user else f"are paused {_where(session)}"
        out(f"hooks {what}; `{again}` ends it")


@app.command("on")
def on(ctx: typer.Context, session: Session = "") -> None:
    """Let the hooks work again."""
    if mark := _mark(ctx.obj, session):
        mark.unlink(missing_ok=True)
        out("hooks hand over your own store" if ctx.obj.user else f"hooks work {_where(session)}")


def _mark(call: Call, session: str) -> Path | None:
    """The file that the hook looks for; None, said, where nothing is stored."""
    place = place_of(call)
    if not place.found:
        out(f"No memory here yet ({place.root}): there are no hooks to pause.")
        return None
    return Path(pause_mark(str(place.folder), session))


def _where(session: str) -> str:
    return f"in session {session}" if session else "here"
