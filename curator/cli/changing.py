"""Direct changes to entries from the shell: decisions like any other."""

from typing import Annotated

import typer

from curator.cli.desks import deciding
from curator.cli.drafting import changed
from curator.cli.options import EntryId, Json, NewKind, NewLabels, NewRoute, NewTitle, TextFile
from curator.cli.outcomes import report
from curator.errors import BadUsage

app = typer.Typer()


@app.command("edit")
def edit(
    ctx: typer.Context,
    entry: EntryId,
    text: TextFile = None,
    title: NewTitle = None,
    kind: NewKind = None,
    route: NewRoute = None,
    label: NewLabels = None,
    as_json: Json = False,
) -> None:
    """Change an entry: by options, or in $EDITOR (title, kind, route, labels as front matter) when none is given."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    new = changed(desk, seen.draft, text, title, kind, route, label)
    report(desk.edit(seen.entry_id, seen.rev, new), as_json)


@app.command("pin")
def pin(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Always inject an entry, before all others and under a cap of its own."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    report(desk.pin(seen.entry_id, seen.rev), as_json)


@app.command("unpin")
def unpin(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Let an entry compete for its place again."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    report(desk.pin(seen.entry_id, seen.rev, pinned=False), as_json)


@app.command("tombstone")
def tombstone(
    ctx: typer.Context,
    entry: EntryId,
    reason: Annotated[str, typer.Option("--reason", help="Why; it stands in the ledger and with the entry.")],
    as_json: Json = False,
) -> None:
    """Retire an entry: out of every read path, and learned again through no door. Nothing is deleted."""
    if not reason.strip():
        raise BadUsage("--reason needs words")
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    report(desk.tombstone(seen.entry_id, seen.rev, reason), as_json)


@app.command("restore")
def restore(ctx: typer.Context, entry: EntryId, as_json: Json = False) -> None:
    """Bring a tombstoned or superseded entry back as it was."""
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    report(desk.restore(seen.entry_id, seen.rev), as_json)


@app.command("promote")
def promote(
    ctx: typer.Context,
    entry: EntryId,
    user: Annotated[bool, typer.Option("--user", help="To your own store, which serves every project.")] = False,
    as_json: Json = False,
) -> None:
    """Move an entry to your own store, for every project. Each store's ledger has its half."""
    if not user:
        raise BadUsage("say where to: curator promote ID --user")
    desk = deciding(ctx.obj)
    seen = desk.entry(entry)
    report(desk.promote(seen.entry_id, seen.rev), as_json)
