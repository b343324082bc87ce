"""`purge`: erase private data everywhere. Needs a person, and asks."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.asking import yes
from curator.cli.common import out, place_of, say, store_to_read
from curator.errors import BadUsage, Conflict, CuratorError
from curator.plain import counted

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.place import Place
    from curator.store.engine import Store

app = typer.Typer()


@app.command("purge")
def purge(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Entries, notes or proposals.")] = None,
    value: Annotated[
        str | None, typer.Option("--value", metavar="TEXT", help="A text, wherever it stands; `-` reads it from stdin.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="ID", help="A whole conversation.")] = None,
) -> None:
    """Erase private data everywhere: history, vectors, index, proposals, exports here, free pages. For good."""
    from curator.cli.person import decider
    from curator.cycle import purging
    from curator.harvest.book import session_named
    from curator.snapshot import refocus

    if sum(bool(given) for given in (ids, value is not None, session is not None)) != 1:
        raise BadUsage("name either ids, or --value TEXT, or --session ID")
    secret = sys.stdin.read().rstrip("\n") if value == "-" else value
    if (secret is not None and not secret.strip()) or (session is not None and not session.strip()):
        raise BadUsage("an empty value would erase nothing, or everything")
    place = place_of(ctx.obj)
    who = decider(place)
    store = store_to_read(ctx.obj)
    if store is None:
        raise CuratorError("there is no memory here")
    what = f"session {session}" if session else ", ".join(ids or ()) or "this text, wherever it stands"
    if who.via == "terminal" and not yes(f"Erase {what} for good?", default=False):
        raise CuratorError("nothing was erased")
    if secret is not None:
        done = purging.value(store, secret, reviewer=who.reviewer, via=who.via)
    elif session is not None:
        chosen = session_named(store, session)
        done = purging.session(store, chosen, reviewer=who.reviewer, via=who.via)
    else:
        done = purging.items(store, ids or (), reviewer=who.reviewer, via=who.via)
    files, backups = counted(done.files, "file"), counted(done.backups, "backup")
    out(f"erased: {counted(done.rows, 'row')} changed, {files} cleaned, {backups} deleted")
    if problem := refocus(store, place):
        done.trouble.append(problem)
    if problem := _written_again(store, place):
        done.trouble.append(problem)
    say("copies outside of this folder (git history, the client's own transcripts, your exports) are yours to erase")
    if done.trouble:
        raise Conflict("; ".join(done.trouble))


def _written_again(store: "Store", place: "Place") -> str:
    """The file for git without what was erased, where there is one; why it could not be written, "" when it was."""
    from curator.sync.registering import file_of

    path = file_of(place)
    if not path.exists():
        return ""
    from curator.sync.exporting import export

    try:
        export(store, path)
    except CuratorError as error:
        return f"{path} was not written again: {error}"
    out(f"wrote {path} again")
    return ""
