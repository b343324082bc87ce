"""`init` and `uninstall`: the store and our entries in the clients' settings, shown before they are touched."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.brief import snapshot_file
from curator.cli.asking import at_terminal, yes
from curator.cli.call import Call
from curator.cli.common import out, place_of, say, settings_of
from curator.cli.onpath import other_program
from curator.cli.person import decider
from curator.edge.clock import now
from curator.errors import BadUsage, CuratorError
from curator.hosts import plug, servers, skills
from curator.hosts.clients import SUPPORTED, Scope, present, settings_file, wanted
from curator.hosts.hookline import installed, words_of
from curator.hosts.registered import claude_commands, claude_settings
from curator.hosts.transcripts import sessions
from curator.place import Place
from curator.plain import counted
from curator.vocab import Client

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.store.engine import Store

app = typer.Typer()

_Clients = Annotated[str, typer.Option("--client", metavar="NAMES", help="Only these, separated by commas: claude.")]
_PRIVATE = "*\n"
_HARVEST_BYTES_PER_SECOND = 3_000_000  # 3.6 MB of transcripts in 1.2 s, docs/measurements.md


@app.command("init")
def init(
    ctx: typer.Context,
    client: _Clients = "",
    scope: Annotated[
        Scope, typer.Option("--scope", help="Whose settings file gets the hooks: yours, the project's, yours for it.")
    ] = Scope.USER,
    shared: Annotated[
        bool | None, typer.Option("--shared/--private", help="May git see the settings and contract in `.curator/`?")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show every change and make none.")] = False,
) -> None:
    """Create the store and plug it into your agents.

    Shows what it will touch and asks; without a terminal the printed answers are taken. Running it again changes
    nothing.
    """
    call: Call = ctx.obj
    place = place_of(call)
    changes = _planned(_named(client) or present(Path.home()), scope, place)
    first, steps = not place.found, _steps(place, changes)
    if other := other_program():
        say(other)
    for step in steps:
        (out if dry_run else say)(f"init {'would' if dry_run else 'will'} {step}")
    if dry_run:
        out("".join(change.diff for change in changes).rstrip("\n") or "nothing to change in any agent's files")
        return
    if steps and not yes("Go on?", default=True):
        raise CuratorError("nothing was done")
    store = _make_store(place, shared)
    for change in changes:
        _apply(change)
    _tell_hooks(store, place, changed=bool(changes))
    if not steps:
        out("everything is in place; nothing was changed")
    if first:
        _offer_harvest(place, store)


@app.command("uninstall")
def uninstall(
    ctx: typer.Context,
    client: _Clients = "",
    purge: Annotated[bool, typer.Option("--purge", help="Remove the store too, after asking.")] = False,
) -> None:
    """Take our own entries out of your agents' settings; every other byte stays."""
    call: Call = ctx.obj
    place = place_of(call)
    _named(client)
    if purge and place.found:
        decider(place)  # before anything is done
    paths = claude_settings(place.top, Path.home())
    planned = [plug.plan_uninstall(path) for path in paths]
    for folder in dict.fromkeys(path.parent for path in paths):
        planned += skills.plan_uninstall(folder)
    planned += servers.plan_uninstall(place.top, Path.home())
    changes = [change for change in planned if not change.empty]
    for change in changes:
        _apply(change)
    if not changes:
        out("no hooks of curator are installed")
    for left in claude_commands(place.top, Path.home()):
        if words_of(left.command):
            say(f"{left.path} belongs to a plugin and still runs curator; remove the plugin in Claude Code")
    if purge:
        _purge(place)
    elif place.found:
        out(f"kept {place.folder}")


def _named(names: str) -> tuple[Client, ...]:
    """The clients of `--client`; raises `BadUsage` for a name that is none, `CuratorError` for one not built yet."""
    found = []
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        if name not in set(Client):
            raise BadUsage(f"--client {name}: there is no such client; known: {', '.join(Client)}")
        if Client(name) not in SUPPORTED:
            raise CuratorError(f"this version does not plug into {name} yet, only into {', '.join(SUPPORTED)}")
        found.append(Client(name))
    return tuple(found)


def _planned(clients: tuple[Client, ...], scope: Scope, place: Place) -> list[plug.Change]:
    """The changes of the client's files; none where no client was found or another place runs our hooks already."""
    if Client.CLAUDE not in clients:
        say("no agent found; name one to plug into, such as `curator init --client claude`")
        return []
    path = settings_file(scope, place.top, Path.home())
    for other in claude_commands(place.top, Path.home()):
        if words_of(other.command) and other.path.resolve() != path.resolve():
            say(f"the hook is already there, in {other.path}; nothing is added to {path}")
            return []
    try:
        hooks = plug.plan_install(path, wanted(Client.CLAUDE, installed()))
    except plug.NotAdded as refused:
        say("To add the hooks by hand, put this into it:")
        out(refused.snippet)
        raise
    added, kept = skills.plan_install(path.parent)
    for own in kept:
        say(f"{own} is your own; ours is not put there")
    return [change for change in (hooks, *added) if not change.empty] + _server(scope, place)


def _server(scope: Scope, place: Place) -> list[plug.Change]:
    """The change that adds our MCP server; none where it is there already or cannot be added."""
    where = servers.table(scope, place.top, Path.home())
    for other in servers.registered(place.top, Path.home()):
        if other.path.resolve() != where.path.resolve():
            say(f"the MCP server is already there, in {other.path}; nothing is added to {where.path}")
            return []
    try:
        change = servers.plan_install(where, installed())
        return [] if change.empty else [change]
    except plug.NotAdded as refused:
        say(f"the MCP server is left out: {refused}. To add it by hand: {refused.snippet}")
        return []


def _steps(place: Place, changes: list[plug.Change]) -> list[str]:
    """What will be touched, one line each; empty where everything is in place."""
    steps = [] if place.found else [f"create {place.folder} (settings, database)"]
    for change in changes:
        steps.append(f"{'create' if change.old is None else 'change'} {change.path} ({change.what})")
    return steps


def _make_store(place: Place, shared: bool | None) -> "Store":
    """The store, and whether git may see part of its folder."""
    from curator.store.opening import SHARED_IGNORE, create_store  # sqlmodel costs 290 ms

    store = create_store(place, settings_of(place).settings, now)
    if not place.found:
        out(f"created {place.folder}")
    if shared is None and not place.found:
        shared = yes("May git see the settings and contract in `.curator/` (never the database)?", default=False)
    ignore, text = place.folder / ".gitignore", SHARED_IGNORE if shared else _PRIVATE
    if shared is not None and ignore.read_text(encoding="utf-8") in {SHARED_IGNORE, _PRIVATE} - {text}:
        ignore.write_text(text, encoding="utf-8", newline="\n")
        out(f"changed {ignore}: {'shared in git' if shared else 'private'}")
    return store


def _apply(change: plug.Change) -> None:
    copy = plug.apply(change, now())
    verb = "removed" if change.new is None else "created" if change.old is None else "changed"
    out(f"{verb} {change.path}" + (f" (copy of it as it was: {copy})" if copy else ""))


def _tell_hooks(store: "Store", place: Place, *, changed: bool) -> None:
    """A snapshot for the hooks, where there is none that they can read, or other skills than it names."""
    from curator.snapshot import refocus

    if (changed or snapshot_file.read(str(place.folder)).problem) and (problem := refocus(store, place)):
        say(problem)


def _offer_harvest(place: Place, store: "Store") -> None:
    """Past sessions of this project: how many, how large, how long they take; read only where a person says so."""
    found = sessions(place)
    if not found:
        return
    size = sum(path.stat().st_size for path in found)
    seconds = size // _HARVEST_BYTES_PER_SECOND + 1
    say(
        f"Past sessions of this project: {counted(len(found), 'file')}, {size / 1e6:.1f} MB, about {seconds} s to read."
    )
    if at_terminal() and yes("Read them into notes now?", default=True):
        from curator.cli.capture import harvest_files

        harvest_files(store, found, None, as_json=False)
    else:
        say("`curator harvest` reads them into notes whenever you like.")


def _purge(place: Place) -> None:
    if not place.found:
        out("no store here")
        return
    decides = decider(place)
    question = f"Remove {place.folder} with every memory and conversation in it, for good?"
    if decides.via == "terminal" and not yes(question, default=False):
        raise CuratorError(f"kept {place.folder}")
    shutil.rmtree(place.folder)
    out(f"removed {place.folder}")
