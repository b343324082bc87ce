"""`layers`: the contract, task state and scratch files."""

from dataclasses import asdict
from typing import Annotated

import typer

from curator.brief.layers import CONTRACT, SCRATCH, STATE
from curator.cli.common import out, out_json, place_of, say, store_to_read, store_to_write
from curator.errors import CuratorError, NotFound

layers_app = typer.Typer(help="The contract, task-state and scratch files.", invoke_without_command=True)
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@layers_app.callback()
def layers(ctx: typer.Context) -> None:
    """The contract, task-state and scratch files: `show` when nothing else is asked."""
    if ctx.invoked_subcommand is None:
        show(ctx)


@layers_app.command("show")
def show(ctx: typer.Context, as_json: Json = False) -> None:
    """What of each file is injected, and what is wrong."""
    from curator.brief import layers as reading

    place = place_of(ctx.obj)
    found = reading.read(str(place.folder), place.worktree) if place.found else reading.Layers()
    values = {
        f"{CONTRACT} summary": found.summary,
        f"{STATE} current": found.current,
        f"{STATE} next": found.next,
        f"{STATE} blockers": found.blockers,
        f"{STATE} hand-off": found.handoff,
        SCRATCH: found.scratch,
    }
    if as_json:
        out_json({"layers": values, "problems": found.problems})
        return
    if not any(values.values()) and not found.problems:
        out("No layer files here; `curator layers init` writes templates.")
    for title, text in values.items():
        if text.strip():
            out(f"{title}:")
            for line in text.splitlines():
                out(f"  {line}")
    for problem in found.problems:
        out(f"! {problem}")


@layers_app.command("init")
def init(ctx: typer.Context) -> None:
    """Write the templates that are missing."""
    from curator.snapshot.layers import create

    made = create(store_to_write(ctx.obj).place)
    for path in made:
        out(str(path))
    if not made:
        say("every file is there already; nothing was changed")


@layers_app.command("check")
def check(
    ctx: typer.Context,
    restore: Annotated[
        str, typer.Option("--restore", help=f"Put the last good version back: {CONTRACT} or {STATE}.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Name each line that changed the structure; exit 1 when there is one."""
    from curator.snapshot import layers as writing

    place = place_of(ctx.obj)
    if restore:
        if restore not in writing.HEADINGS:
            raise NotFound(f"{restore} is no layer file; there are {', '.join(writing.HEADINGS)}")
        out(f"restored {writing.restore(place, restore)}; what was there is beside it, with `.bad`")
        return
    problems = writing.check(place) if place.found else []
    if as_json:
        out_json({"problems": [asdict(problem) for problem in problems]})
    for problem in problems if not as_json else ():
        where = f"{problem.file}:{problem.line}" if problem.line else problem.file
        out(f"{where}: {problem.text.strip()!r} {problem.reason}" if problem.text else f"{where}: {problem.reason}")
    broken = sorted({problem.file for problem in problems})
    for name in broken:
        if writing.good(place, name):
            say(f"the last good version of {name}: `curator layers check --restore {name}`")
    if problems:
        raise CuratorError(f"{', '.join(broken)}: {len(problems)} problem{'s' if len(problems) > 1 else ''}")
    if not as_json:
        out("Every layer file that is there has its structure.")


@layers_app.command("handoff")
def handoff(ctx: typer.Context) -> None:
    """Fill the hand-off section of the task state from the newest checkpoint of this worktree."""
    from curator.brief import excerpt, snapshot_file
    from curator.snapshot.file import put
    from curator.snapshot.layers import TEMPLATES, handed_off, paths

    place = place_of(ctx.obj)
    known = snapshot_file.read(str(place.folder)) if place.found else None
    one = excerpt.newest(known.snapshot.checkpoints, worktree=place.worktree) if known else None
    if one is None:
        raise NotFound("no checkpoint of this worktree is known; `curator checkpoint begin` writes one")
    path = paths(place)[STATE]
    text = path.read_text(encoding="utf-8-sig", errors="replace") if path.exists() else TEMPLATES[STATE]
    path.parent.mkdir(parents=True, exist_ok=True)
    put(path, handed_off(text, one).encode("utf-8", "replace"))
    out(str(path))


@layers_app.command("clear")
def clear(ctx: typer.Context) -> None:
    """Empty the scratch file into the record of the newest session of this worktree."""
    from curator.snapshot.scratch import emptied

    store = store_to_read(ctx.obj)
    if store is None:
        out("No layer files here.")
        return
    kept = emptied(store, place_of(ctx.obj))
    out(f"{kept} characters went into the record" if kept else "the scratch file is empty")
