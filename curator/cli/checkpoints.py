"""`checkpoint begin|commit|run|show|list|diff`: a session's mind, memo and now."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import local, out, out_json, say, store_to_read, store_to_write
from curator.errors import BadUsage, CuratorError
from curator.plain import counted, one_line

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.cycle.checkpoints import Committed, Stored
    from curator.store.engine import Store

app = typer.Typer()
checkpoint = typer.Typer(no_args_is_help=True, help="Write, check and show a session's mind, memo and now.")
app.add_typer(checkpoint, name="checkpoint")

SessionId = Annotated[str, typer.Option("--session", metavar="ID", help="Which session; else this worktree's newest.")]
Window = Annotated[int, typer.Option("--window", min=0, help="Window in tokens; 0 = the setting, else the client's.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
Ident = Annotated[str, typer.Argument(metavar="ID", help="A checkpoint's id or a unique beginning; else the newest.")]

_HOW = """\
How to answer: edit the mind in
  {mind}
and tick or untick boxes in
  {memo}
Change nothing else. Then hand in the now on standard input:

curator checkpoint commit --session {session} <<'END'
<checkpoint>
# 6. Now
…
</checkpoint>
END

If something is wrong, every problem is told at once and you have one more try. Open until {until}."""


@checkpoint.command("begin")
def begin(ctx: typer.Context, session: SessionId = "", window: Window = 0, as_json: Json = False) -> None:
    """Open a checkpoint: write its two files and print where they are, the limits, the memo and the mind."""
    from curator.checkpoint.request import request
    from curator.cycle.checkpoints import begin as opening
    from curator.cycle.checkpoints.current import after_task_state, caught_up
    from curator.cycle.checkpoints.folder import MEMO, MIND, folder_of
    from curator.edge.tokens import tokens

    store = store_to_write(ctx.obj)
    session = caught_up(store, tokens(store.settings.encoding).count, session) or session
    under, turn = opening(store, session, window=window)
    folder = folder_of(store.place.folder, under.session)
    if as_json:
        out_json(
            {
                "session": under.session,
                "mind": folder / MIND,
                "memo": folder / MEMO,
                "limits": {
                    "window": turn.window.tokens,
                    "sections": turn.window.sections,
                    "memo": turn.window.memo,
                    "now_at_least": turn.window.least_now,
                },
                "candidates": [asdict(item) for item in turn.candidates],
                "mind_text": turn.mind,
                "expires_at": under.expires_at,
            }
        )
        return
    until = local(under.expires_at)[-5:]
    how = _HOW.format(mind=folder / MIND, memo=folder / MEMO, session=under.session, until=until)
    out(request(turn, after_task_state(store, how)).rstrip("\n"))


@checkpoint.command("commit")
def commit(
    ctx: typer.Context,
    session: SessionId = "",
    now: Annotated[
        str, typer.Option("--now", metavar="FILE|-", help="Where the <checkpoint> block is; - = stdin.")
    ] = "-",
    as_json: Json = False,
) -> None:
    """Check the three parts and store the checkpoint; the first time every problem is told, then rules decide."""
    from curator.cycle.checkpoints import commit as committing
    from curator.cycle.checkpoints.current import noting
    from curator.edge.tokens import tokens

    store = _store(ctx.obj)
    count = tokens(store.settings.encoding).count
    _told(store, committing(store, _text(now), count, session, follow=noting(store)), as_json)


@checkpoint.command("run")
def run(
    ctx: typer.Context,
    session: SessionId = "",
    transcript: Annotated[
        Path | None, typer.Option("--transcript", metavar="FILE", help="Read this file first.")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="command:PROGRAM; else the setting.")] = "",
    window: Window = 0,
    as_json: Json = False,
) -> None:
    """Let a program do the checkpoint: it reads the request and prints edits, memo numbers and the now."""
    from curator.cycle.checkpoints.current import caught_up, noting, taken
    from curator.cycle.checkpoints.program import by_command
    from curator.cycle.checkpoints.program import run as running
    from curator.edge.tokens import tokens

    store = store_to_write(ctx.obj)
    model = model or store.settings.model
    kind, _, program = model.partition(":")
    if kind != "command" or not program.strip():
        raise BadUsage("--model (or the setting `model`) must be command:PROGRAM")
    count = tokens(store.settings.encoding).count
    session = taken(store, transcript, count) if transcript else caught_up(store, count, session) or session
    done = running(store, by_command(program), count, session, window=window, follow=noting(store))
    _told(store, done, as_json)


@checkpoint.command("show")
def show(
    ctx: typer.Context,
    ident: Ident = "",
    session: SessionId = "",
    injected: Annotated[
        bool, typer.Option("--injected", help="Exactly the part that a session start injects.")
    ] = False,
    as_json: Json = False,
) -> None:
    """The checkpoint that is current, whole."""
    store = store_to_read(ctx.obj)
    found = _found(store, ident, session) if store else None
    if store is None or found is None:
        say("no checkpoint is stored here")
        return
    if injected:
        from curator.cycle.checkpoints.injected import injected as part

        text = part(store, found)
    else:
        text = found.value.text
    if as_json:
        out_json({**_row(found), "text": text, "value": found.value.document()})
    else:
        out(text.rstrip("\n"))


@checkpoint.command("list")
def list_(ctx: typer.Context, session: SessionId = "", as_json: Json = False) -> None:
    """Every checkpoint, newest first."""
    from curator.cycle.checkpoints import history

    store = store_to_read(ctx.obj)
    rows = []
    if store:
        with store.read() as reading:
            rows = history(reading, store.project_id, session)
    if as_json:
        keys = ("checkpoint_id", "session_id", "parent_id", "made_by", "last_seq", "tokens", "worktree", "branch")
        out_json({"checkpoints": [{k: getattr(r, k) for k in keys} | {"created_at": r.created_at} for r in rows]})
        return
    for row in rows:
        where = f"session {row.session_id[:8]}, through #{row.last_seq}, {row.tokens} tokens"
        out(f"{row.checkpoint_id}  {local(row.created_at)}  by {row.made_by:5}  {where}")
    if not rows:
        say("no checkpoint is stored here")


@checkpoint.command("diff")
def diff(ctx: typer.Context, ident: Ident = "", session: SessionId = "", as_json: Json = False) -> None:
    """What a checkpoint changed against the one before it, by section and entry."""
    from curator.cycle.checkpoints import named
    from curator.cycle.checkpoints.compare import changes

    store = store_to_read(ctx.obj)
    found = _found(store, ident, session) if store else None
    if store is None or found is None:
        say("no checkpoint is stored here")
        return
    with store.read() as reading:
        before = named(reading, store.project_id, found.parent).value if found.parent else None
    parts = changes(before, found.value)
    if as_json:
        out_json({**_row(found), "changes": [asdict(part) for part in parts]})
        return
    for part in parts:
        out(part.part)
        for sign, lines in (("-", part.gone), ("+", part.new)):
            for line in lines:
                out(f"{sign} {one_line(line)}")
    if not parts:
        say("nothing changed")


def _told(store: "Store", done: "Committed", as_json: bool) -> None:
    """Say how a commit ended; a refusal is exit 1 with every problem."""
    from curator.checkpoint import Outcome
    from curator.checkpoint.request import repair
    from curator.cycle.checkpoints.current import settled

    if done.value is not None:
        for line in (*done.fallbacks, *settled(store, done.value)):
            say(line)
        if as_json:
            out_json({"checkpoint": done.ident, "session": done.session, "fallbacks": done.fallbacks})
        else:
            out(done.ident)
        return
    if as_json:
        out_json({"outcome": done.outcome.value, "session": done.session, "problems": done.problems})
    if done.outcome is Outcome.REPAIR:
        for line in repair(done.problems, done.now_accepted).splitlines():
            say(line)
        raise CuratorError(f"{counted(len(done.problems), 'problem')}; commit again when all is mended")
    raise CuratorError("the checkpoint failed, what was there stays: " + "; ".join(done.problems))


def _found(store: "Store", ident: str, session: str) -> "Stored | None":
    from curator.cycle.checkpoints import history, named, newest
    from curator.cycle.checkpoints.rows import session_named

    with store.read() as reading:
        if ident:
            return named(reading, store.project_id, ident)
        if session:
            of = session_named(reading, store.project_id, session, store.place.worktree)
            return newest(reading, store.project_id, of.session_id)
        rows = [row for row in history(reading, store.project_id) if row.worktree == store.place.worktree]
        return newest(reading, store.project_id, rows[0].session_id) if rows else None


def _row(found: "Stored") -> dict[str, Any]:
    return {
        "checkpoint": found.ident,
        "session": found.session,
        "parent": found.parent,
        "made_by": found.value.made_by.value,
        "through": found.value.through,
        "window": found.window,
        "tokens": found.value.tokens,
        "created_at": found.created_at,
    }


def _store(call: Call) -> "Store":
    store = store_to_read(call)
    if store is None:
        raise CuratorError("there is no store here; `curator checkpoint begin` makes one")
    return store


def _text(now: str) -> str:
    """The now's answer, from a file or standard input."""
    if now == "-":
        if sys.stdin.isatty():
            say("waiting for the <checkpoint> block on standard input; end with Ctrl-D")
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(now).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise CuratorError(f"{now} could not be read: {error.strerror}") from error
