"""`sync`: the memory in git, as one file that carries the decisions with the texts."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of, say, settings_of, store_to_read, store_to_write
from curator.config import is_demo
from curator.desk.guard import login
from curator.errors import NotAllowed, NotFound
from curator.hosts.running import agent_variable
from curator.plain import one_line
from curator.sync import registering

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.place import Place
    from curator.sync.taking import Report
    from curator.sync.writing import Joining

app = typer.Typer()
sync = typer.Typer(help="The memory in git, beside the code.", invoke_without_command=True)
app.add_typer(sync, name="sync")

Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
_SHOWN = 20


@sync.callback()
def standing(ctx: typer.Context, as_json: Json = False) -> None:
    """How store and file stand to each other, and what is next."""
    if ctx.invoked_subcommand:
        return
    from curator.sync.standing import standing as compared

    call: Call = ctx.obj
    place = place_of(call)
    on, path = settings_of(place).settings.sync, registering.file_of(place)
    found = compared(store_to_read(call), path)
    driver = bool(registering.registered(place))
    following = _next(on, path, found.ahead, found.behind, driver or not registering.in_git(place), found.trouble)
    if as_json:
        document = {"on": on, "file": path, "exists": path.exists(), "driver": driver, **asdict(found)}
        out_json({**document, "next": following})
        return
    out(f"sync is {'on' if on else 'off'}; {path}{'' if path.exists() else ' is not there yet'}")
    if found.ahead or found.behind:
        out(f"decisions that are not in the file yet: {found.ahead}; that are not in the store yet: {found.behind}")
    elif path.exists() and not found.trouble:
        out("store and file hold the same decisions")
    if found.bad:
        out(f"{found.bad} lines of the file cannot be read")
    if found.trouble:
        out(found.trouble)
    if following:
        say(f"next: {following}")


def _next(on: bool, path: Path, ahead: int, behind: int, driver: bool, trouble: str) -> str:
    if trouble:
        return "settle the conflict, then curator sync import"
    if not on:
        return "curator sync on"
    if behind:
        return "curator sync import"
    if ahead or not path.exists():
        return "curator sync export"
    return "" if driver else "curator sync on"


@sync.command("on")
def on(ctx: typer.Context) -> None:
    """Let git carry the file: the setting, the ignore rules, the attributes, and this clone's merge driver."""
    from curator.cli.asking import at_terminal, yes
    from curator.hosts.hookline import installed

    place = store_to_write(ctx.obj).place
    place = place_of(ctx.obj) if place.found else place
    for path in registering.turn(place, on=True):
        out(f"changed {path}")
    out(f"sync is on; `curator sync export` writes {registering.file_of(place)}")
    if not registering.in_git(place):
        say("this is no git repository: the file is yours to carry")
        return
    if rule := registering.ignored(place):
        say(f"git leaves the file out because of {rule}: take that rule away to share the memory")
    command = registering.command_of(installed())
    if registering.registered(place) == command:
        return
    asked = f"Tell this clone to merge the file entry by entry (git config {registering.DRIVER})?"
    if at_terminal() and yes(asked, default=True):
        done = registering.register(place, command)
        out("git uses the merge driver in this clone" if done else "git could not be told")
        return
    say("each clone is told once to merge the file entry by entry:")
    out(f'git config {registering.NAME} "{registering.TITLE}"')
    out(f"git config {registering.DRIVER} {_quoted(command)}")


def _quoted(text: str) -> str:
    import shlex

    return shlex.quote(text)


@sync.command("off")
def off(ctx: typer.Context) -> None:
    """Turn the setting off; the file and git's own settings stay as they are."""
    place = place_of(ctx.obj)
    if not place.found:
        out("Nothing is stored here yet.")
        return
    for path in registering.turn(place, on=False):
        out(f"changed {path}")
    out("sync is off")


@sync.command("export")
def export(
    ctx: typer.Context,
    path: Annotated[Path | None, typer.Argument(help="Another file than `.curator/memory.jsonl`.")] = None,
    as_json: Json = False,
) -> None:
    """Write the memory with its decisions. What the file holds and the store does not know yet stays in it."""
    call: Call = ctx.obj
    store = store_to_read(call)
    if store is None:
        say("nothing is stored here yet")
        return
    from curator.sync.exporting import export as write

    place = place_of(call)
    target = call.start / path if path else registering.file_of(place)
    target.parent.mkdir(mode=0o700, exist_ok=True)
    told = write(store, target)
    if as_json:
        out_json({"file": target, **_joined(told)})
    else:
        out(f"wrote {_counted(told.entries)} to {target}")
    _say_joined(told, target.name)
    if path is None and not store.settings.sync:
        say("sync is off: `curator sync on` lets git carry the file")


@sync.command("import")
def import_(
    ctx: typer.Context,
    path: Annotated[Path | None, typer.Argument(help="Another file than `.curator/memory.jsonl`.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would become of it and change nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Take in what teammates decided: one transaction, one undo. What nobody decided becomes proposals."""
    call: Call = ctx.obj
    place = place_of(call)
    source = call.start / path if path else registering.file_of(place)
    if path is None and not source.exists():
        say(f"{source} is not there: a teammate's `curator sync export` makes it, and git brings it")
        return
    if not source.is_file():
        raise NotFound(f"{source} is not a file")
    if not dry_run:
        _no_agent(place)
    from curator.cli.desks import counter, refresher
    from curator.ledger.values import Who
    from curator.sync.taking import take

    store = store_to_read(call) if dry_run else store_to_write(call, afresh=True)
    if store is None:
        raise NotFound("nothing is stored here yet: the whole file would be taken in")
    who = Who(store.settings.reviewer or login(os.environ), "sync")
    count = counter(store.settings.encoding)
    report = take(store, source, count, who, demo=is_demo(place.folder), dry=dry_run)
    if report.decision is not None and not dry_run:
        refresher(store)()
    if as_json:
        out_json(_document(report))
    else:
        _print(report, dry_run)
    if not report.complete:
        raise typer.Exit(3)


def _no_agent(place: "Place") -> None:
    """A file can be written by hand, so whoever takes it in answers for it; an agent does not."""
    variable = agent_variable(os.environ)
    if variable and not is_demo(place.folder):
        raise NotAllowed(
            f"only a person takes in what a file says was decided, and {variable} shows that an agent runs this "
            "command: ask the person to run `curator sync import` (`--dry-run` shows you what it would do)"
        )


@sync.command("merge-driver")
def merge_driver(
    ancestor: Annotated[Path, typer.Argument(metavar="BASE", help="%O of git.")],
    ours: Annotated[Path, typer.Argument(metavar="OURS", help="%A of git; the result is written here.")],
    theirs: Annotated[Path, typer.Argument(metavar="THEIRS", help="%B of git.")],
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="%P of git, for messages.")] = registering.FILE,
) -> None:
    """Merge two branches' files for git: 0 when done; else a version cannot be read, and ours stands as it was."""
    from curator.sync.driver import merge

    for path in (ours, theirs):
        if not path.is_file():
            raise NotFound(f"{path} is not a file")
    _say_joined(merge(ours, theirs), name)


def _joined(told: "Joining") -> dict[str, object]:
    left = [{"line": number, "reason": reason} for number, reason in told.left_out]
    return {"entries": told.entries, "by_words": told.by_words, "to_choose": told.to_choose, "left_out": left}


def _say_joined(told: "Joining", name: str) -> None:
    if told.by_words:
        say(f"{name}: changed on both sides, put together by words: {_ids(told.by_words)}")
    if told.to_choose:
        say(
            f"{name}: both sides changed the same words, both are kept: {_ids(told.to_choose)}; import puts them to you"
        )
    for number, reason in told.left_out:
        say(f"{name}: line {number}: {one_line(reason, 200)}; left out")


def _document(report: "Report") -> dict[str, object]:
    pairs = {"doubted": report.doubted, "blocked": report.blocked}
    return {
        **{
            name: getattr(report, name) for name in ("entries", "decision", "decisions", "added", "changed", "by_words")
        },
        **{
            name: getattr(report, name)
            for name in ("taken_away", "same", "refusals", "conflicts", "held", "erased", "ahead")
        },
        **{name: [{"id": entry, "reason": why} for entry, why in found] for name, found in pairs.items()},
        "proposals": report.proposals,
        "damaged": [{"line": number, "reason": reason} for number, reason in report.bad],
    }


def _print(report: "Report", dry_run: bool) -> None:
    by = ", ".join(f"{count} by {one_line(who, 60)}" for who, count in sorted(report.decisions.items()))
    count = sum(report.decisions.values())
    decisions = f"{count} new decision{'s' if count != 1 else ''}"
    out(f"{report.path.name}: {_counted(report.entries)}, {decisions}{': ' if by else ''}{by}")
    for ids, words in (
        (report.added, "added"),
        (report.changed, "changed"),
        (report.taken_away, "taken back by who added them"),
        (report.by_words, "changed on both sides, put together by words"),
        (report.conflicts, "changed on both sides in the same words: a proposal each"),
        (report.held, "another proposal waits for the entry; decide on it and import again"),
        (report.erased, "erased by a teammate, still here; `curator purge ID` erases it here too"),
        (report.ahead, "decided at a time that this computer's clock has not reached"),
    ):
        if ids:
            out(f"{len(ids):6}  {words}: {_ids(ids)}")
    for pairs, words in ((report.blocked, "stay out"), (report.doubted, "not decided by anyone: proposed")):
        if pairs:
            out(f"{len(pairs):6}  {words}")
        for entry, why in pairs[:_SHOWN]:
            out(f"        {entry}: {why}")
    if report.refusals:
        out(f"{report.refusals:6}  refused texts, which stay out here too")
    for number, reason in report.bad:
        say(f"line {number}: {one_line(reason, 200)}")
    if dry_run:
        say("nothing was changed")
    elif report.proposals:
        say("next: curator review")
    elif report.decision is None:
        say("nothing new")


def _counted(entries: int) -> str:
    return f"{entries} entr{'ies' if entries != 1 else 'y'}"


def _ids(ids: list[str]) -> str:
    return ", ".join(ids[:_SHOWN]) + (f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else "")
