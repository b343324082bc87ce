"""`record`: the kept conversation, whole and by number; how much there is and how long it stays.

`confirm` makes an unverified message the person's.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.common import local, out, out_json, place_of, say, store_to_read
from curator.errors import BadUsage, CuratorError, NotFound
from curator.plain import counted, one_line
from curator.vocab import Row, Typed

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from collections.abc import Iterable

    from curator.harvest.book import RowView
    from curator.store.engine import Store

app = typer.Typer()
record = typer.Typer(help="The kept conversation, whole and by number.")
app.add_typer(record, name="record")

SessionId = Annotated[str, typer.Option("--session", metavar="ID", help="Which session; a unique beginning is enough.")]
OnlyTyped = Annotated[bool, typer.Option("--typed", help="Only what the person typed.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
_NOTHING = "no conversation is kept here; `curator harvest` reads past sessions"


@record.callback(invoke_without_command=True)
def newest(ctx: typer.Context) -> None:
    """The kept conversation, whole and by number."""
    if ctx.invoked_subcommand is None:
        list_rows(ctx)


@record.command("list")
def list_rows(ctx: typer.Context, session: SessionId = "", typed: OnlyTyped = False, as_json: Json = False) -> None:
    """The rows of a session (the newest one when none is named), a line each."""
    from curator.harvest.book import rows

    store = store_to_read(ctx.obj)
    chosen = _session(store, session) if store else ""
    found = rows(store, chosen, typed=typed) if store and chosen else ()
    if as_json:
        listed = [asdict(row) for row in found]
        out_json({"session": chosen, "rows": listed, "total": len(listed)})
        return
    if not chosen:
        say(_NOTHING)
        return
    say(f"session {chosen}")
    if _lines(found) == 0:
        say("the person typed nothing in it" if typed else "it has no rows")


@record.command("show")
def show(
    ctx: typer.Context,
    seqs: Annotated[list[int], typer.Argument(metavar="SEQ", help="Row numbers.")],
    session: SessionId = "",
    as_json: Json = False,
) -> None:
    """Whole messages, by number."""
    from curator.checkpoint.frame import as_typed
    from curator.harvest.book import rows

    store = store_to_read(ctx.obj)
    chosen = _session(store, session) if store else ""
    wanted = set(seqs)
    found = [row for row in rows(store, chosen) if row.seq in wanted] if store and chosen else []
    if missing := sorted(wanted - {row.seq for row in found}):
        raise NotFound(f"{chosen or 'no session'} has no row {', '.join(map(str, missing))}")
    if as_json:
        out_json({"session": chosen, "rows": [asdict(row) for row in found]})
        return
    for row in found:
        at = f", {local(row.at)}" if row.at else ""
        out(f"#{row.seq} {row.sender} ({_standing(row)}{at}){f' {row.detail}' if row.detail else ''}")
        if row.kind == Row.TOOL_RESULT.value:
            out(f"output of {row.size} bytes, not kept: run the tool again to see it")
        out(as_typed(row.text) if row.by_person else row.text)
        out()


@record.command("search")
def search(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Taken literally, in any letter case.")],
    session: SessionId = "",
    typed: OnlyTyped = False,
    as_json: Json = False,
) -> None:
    """Rows that hold a text, of all sessions unless one is named."""
    from curator.harvest.book import matching

    if not text.strip():
        raise BadUsage("an empty text finds nothing: name what to look for")
    store = store_to_read(ctx.obj)
    chosen = _session(store, session) if store and session else ""
    found = matching(store, text, chosen, typed=typed) if store else ()
    if as_json:
        listed = [asdict(row) for row in found]
        out_json({"rows": listed, "total": len(listed)})
        return
    number = _lines(found, sessions=not chosen)
    say(
        f"{counted(number, 'row holds', 'rows hold')} {text!r}"
        if number
        else f"no row holds {text!r}"
        if store
        else _NOTHING
    )


@record.command("confirm")
def confirm(
    ctx: typer.Context,
    seq: Annotated[int, typer.Argument(metavar="SEQ", help="The row's number.")],
    session: SessionId = "",
) -> None:
    """Make an unverified message the person's. Needs a person."""
    from curator.cli.person import decider

    who = decider(place_of(ctx.obj))
    from curator.harvest.confirming import confirm as make_theirs

    store = store_to_read(ctx.obj)
    if store is None:
        raise NotFound(_NOTHING)
    chosen = _session(store, session)
    noted = make_theirs(store, chosen, seq, reviewer=who.reviewer, via=who.via)
    out(f"confirmed: #{seq} of session {chosen} is the person's")
    for each in noted:
        out(f"{each.outcome}: {each.note_id or each.reason}")


@record.command("size")
def size(ctx: typer.Context, as_json: Json = False) -> None:
    """How much is kept, since when, and how long it stays."""
    from curator.cycle import retention

    store = store_to_read(ctx.obj)
    if store is None:
        say(_NOTHING)
        if as_json:
            out_json({"sessions": 0, "rows": 0})
        return
    kept, days = retention.size(store), store.settings.retention_days
    due = retention.expire(store, days, dry_run=True) if days > 0 else retention.Expired()
    if as_json:
        out_json({**asdict(kept), "retention_days": days, "due": due.rows, "cited": due.cited})
        return
    since = f", the oldest ended {local(kept.oldest)}" if kept.oldest else ""
    out(f"{counted(kept.sessions, 'session')}, {counted(kept.rows, 'row')}, {kept.characters:,} characters{since}")
    if kept.emptied:
        out(f"{counted(kept.emptied, 'row is', 'rows are')} emptied: only the numbers are left")
    if days <= 0:
        out(
            "kept for ever; the setting `retention_days` bounds it, `curator record expire --days N` empties older rows"
        )
        return
    older = counted(due.rows, "row is older and is", "rows are older and are")
    out(f"kept for {days} days; {older} emptied by the next `curator ingest` of a day")
    if due.cited:
        out(f"{due.cited} older rows stay, because a note, proposal or memory came from them")


@record.command("expire")
def expire(
    ctx: typer.Context,
    days: Annotated[
        int | None, typer.Option("--days", min=0, help="Sessions that ended more days ago; else the setting's.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Empty what is older, for good; rows that a note, proposal or memory came from stay. Needs a person."""
    from curator.cli.asking import yes
    from curator.cli.person import decider
    from curator.cycle import retention
    from curator.store.scrub import release

    who = decider(place_of(ctx.obj))
    store = store_to_read(ctx.obj)
    if store is None:
        raise NotFound(_NOTHING)
    if days is None and store.settings.retention_days <= 0:
        raise BadUsage("say how old: --days N, or the setting retention_days")
    wanted = store.settings.retention_days if days is None else days
    due = retention.expire(store, wanted, dry_run=True)
    if (
        due.rows
        and who.via == "terminal"
        and not yes(f"Empty {counted(due.rows, 'row')} of {counted(due.sessions, 'session')}?", default=False)
    ):
        raise CuratorError("nothing was emptied")
    done = retention.expire(store, wanted)
    problem = release(store) if done.rows else ""
    if as_json:
        out_json(asdict(done))
    else:
        what = f"{counted(done.rows, 'row')} of {counted(done.sessions, 'session')}"
        out(f"emptied: {what}; {done.cited} older ones stay as evidence")
    if problem:
        say(problem)


def _session(store: "Store", prefix: str) -> str:
    from curator.harvest.book import session_named, sessions

    if not prefix and not sessions(store):
        return ""
    return session_named(store, prefix)


def _lines(rows: "Iterable[RowView]", *, sessions: bool = False) -> int:
    number = 0
    for row in rows:
        number += 1
        text = row.text or (f"{row.detail} ({row.size} bytes)" if row.kind == Row.TOOL_RESULT.value else row.mark)
        where = f"{row.session}  " if sessions else ""
        out(f"{where}#{row.seq:<5} {row.sender:12} {_standing(row):10} {one_line(text, 100)}")
    return number


def _standing(row: "RowView") -> str:
    if row.kind != Row.INPUT.value:
        return row.kind.replace("_", " ")
    return {Typed.OLDER_RULES.value: "typed*", Typed.MACHINE.value: "machine"}.get(row.typed, row.typed)
