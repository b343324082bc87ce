"""`remember`, `notes` and `harvest`: how text gets in, and what was noted."""

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.call import Call
from curator.cli.common import local, out, out_json, place_of, say, store_to_read, store_to_write
from curator.edge.clock import now
from curator.errors import BadUsage, Busy, Conflict, CuratorError, NotAllowed
from curator.plain import counted, one_line
from curator.vocab import Client, Kind, NoteState, Origin

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.harvest.book import NoteView
    from curator.harvest.files import Harvested
    from curator.harvest.remembering import Handed
    from curator.store.engine import Store

app = typer.Typer()
notes_app = typer.Typer(help="The raw notes and what became of each.")
app.add_typer(notes_app, name="notes")

Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
_STDIN_BYTES = 64 << 20


@app.command("remember")
def remember(
    ctx: typer.Context,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="The text; `-` reads stdin.")],
    kind: Annotated[Kind | None, typer.Option("--kind", help="Its kind; else a leading `lesson:` … says so.")] = None,
    label: Annotated[list[str] | None, typer.Option("--label", help="A label; may be given several times.")] = None,
    title: Annotated[str, typer.Option("--title", help="A title; else the first words.")] = "",
    ref: Annotated[
        list[str] | None, typer.Option("--ref", help="What it is about: PATH[:LINE], symbol, command or commit.")
    ] = None,
) -> None:
    """Store one raw note. It becomes memory only when a proposal made of it is accepted."""
    from curator.harvest.noting import Outcome
    from curator.harvest.remembering import Handed, origin_of, secrets_in
    from curator.harvest.remembering import remember as store_note
    from curator.hosts.running import agent_client, agent_variable

    body = sys.stdin.buffer.read(_STDIN_BYTES).decode("utf-8", "replace") if text == ["-"] else " ".join(text)
    if not body.strip() or any(not value.strip() for value in (*(label or ()), *(ref or ()))):
        raise BadUsage("there is no text to remember" if not body.strip() else "--label and --ref need a value")
    terminal = sys.stdin.isatty() and sys.stderr.isatty()
    agent = agent_variable(os.environ)
    kinds = secrets_in(body) if terminal and not agent else ()
    keep = bool(kinds) and typer.confirm(f"This holds what looks like a {' and a '.join(kinds)}. Keep it?", err=True)
    handed = Handed(body, kind, label or (), title, ref or ())
    origin = origin_of(os.environ, terminal or sys.stdout.isatty())
    client = agent_client(os.environ)
    try:
        store = store_to_write(ctx.obj)
        noted = store_note(store, handed, origin, client=client, keep_secrets=keep)
    except Busy as error:
        _spooled(ctx.obj, handed, origin, client, keep, error)
        return
    if noted.redacted:
        say(f"taken out before storing: {', '.join(noted.redacted)}")
    if noted.cut:
        say(f"cut at {store.settings.note_bytes} bytes")
    if noted.outcome is Outcome.BLOCKED:
        raise NotAllowed(noted.said)
    if noted.outcome not in {Outcome.ECHO, Outcome.EMPTY}:
        out(noted.note_id)
    say(noted.said)


def _spooled(call: Call, handed: "Handed", origin: Origin, client: str, keep: bool, error: Busy) -> None:
    """Leave it for the next command; where that cannot be written either, the first reason is the answer."""
    from curator.harvest.remembering import check
    from curator.harvest.spooled import leave

    place = place_of(call)
    check(handed, place)
    try:
        taken = leave(place, handed, origin, now(), client=client, keep_secrets=keep)
    except OSError:
        raise error from None
    said = f"; taken out before storing: {', '.join(taken)}" if taken else ""
    say(f"{error}; kept in the spool, and noted by the next command that can write{said}")


@app.command("harvest")
def harvest(
    ctx: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Transcripts or folders; none = this project's.")
    ] = None,
    client: Annotated[Client | None, typer.Option("--client", help="Whose transcripts; else the file tells.")] = None,
    as_json: Json = False,
) -> None:
    """Read transcripts into the record and notes. Safe to repeat and to run in parallel."""
    from curator.harvest.files import transcripts
    from curator.hosts.transcripts import READERS, readable, sessions

    wanted = (readable(client),) if client else tuple(READERS)
    files = [file for path in paths for file in transcripts(path)] if paths else sessions(place_of(ctx.obj), wanted)
    if not files:
        named = " or ".join(each.value for each in wanted)
        say("there are no transcripts here" if paths else f"no {named} sessions of this project were found")
        if as_json:
            out_json({"files": []})
        return
    harvest_files(store_to_write(ctx.obj), files, client, as_json)


def harvest_files(store: "Store", files: list[Path], client: Client | None, as_json: bool) -> None:
    """Read transcripts into a store, and print what came of each; raises `Conflict` where only part was done."""
    from curator.edge.tokens import tokens
    from curator.harvest.files import Harvested, harvest_file

    count = tokens(store.settings.encoding).count
    total, failed, table = Harvested(), [], []
    for number, path in enumerate(files, 1):
        if len(files) > 1 and sys.stderr.isatty():
            sys.stderr.write(f"\r{number}/{len(files)} {one_line(path.name, 50):50}")
        try:
            one = harvest_file(store, path, count, client)
        except CuratorError as error:
            failed.append(str(error))
            continue
        total.add(one)
        table.append((path, one))
    if len(files) > 1 and sys.stderr.isatty():
        sys.stderr.write("\r" + " " * 70 + "\r")
    _report(total, table, as_json)
    for name, lines in total.damaged.items():
        say(f"{name}: damaged lines passed over: {', '.join(map(str, lines[:50]))}{' …' if len(lines) > 50 else ''}")
    if failed and not table:
        raise CuratorError("; ".join(failed))
    if failed or total.damaged:
        for line in failed:
            say(line)
        damaged = counted(sum(map(len, total.damaged.values())), "damaged line")
        raise Conflict(f"partly done: {damaged}, {counted(len(failed), 'file')} unread")


def _report(total: "Harvested", table: "list[tuple[Path, Harvested]]", as_json: bool) -> None:
    from curator.harvest.noting import Outcome

    if as_json:
        documents = [
            {"path": path, "rows": one.rows, "typed": one.typed, "outcomes": one.outcomes}
            | {"damaged": one.damaged.get(str(path), [])}
            for path, one in table
        ]
        out_json({"files": documents})
        return
    for path, one in table:
        if one.rows:
            notes = counted(one.outcomes.get(Outcome.NEW, 0), "note")
            out(f"{path.name}: {counted(one.rows, 'row')}, {one.typed} typed, {notes}")
    names = {
        Outcome.NEW: ("new note", "new notes"),
        Outcome.AGAIN: ("said again", "said again"),
        Outcome.BLOCKED: ("blocked", "blocked"),
        Outcome.ECHO: ("echo", "echoes"),
    }
    said = ", ".join(counted(total.outcomes[each], *name) for each, name in names.items() if each in total.outcomes)
    out(f"{counted(total.files, 'file')}: {counted(total.rows, 'new row')}, {said or 'no new notes'}")


@notes_app.callback(invoke_without_command=True)
def notes(ctx: typer.Context, as_json: Json = False) -> None:
    """The raw notes and what became of each."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj, "", as_json)


@notes_app.command("list")
def list_notes(
    ctx: typer.Context,
    state: Annotated[str, typer.Option("--state", help=f"Only these: {', '.join(NoteState)}.")] = "",
    as_json: Json = False,
) -> None:
    """Every note, oldest first."""
    _list(ctx.obj, state, as_json)


def _list(call: Call, state: str, as_json: bool) -> None:
    from curator.harvest.book import notes as all_notes

    store = store_to_read(call)
    known = state in set(NoteState)
    found = all_notes(store, [NoteState(state)] if known else []) if store and (known or not state) else []
    if as_json:
        out_json({"notes": [asdict(note) for note in found], "total": len(found)})
        return
    for note in found:
        became = f" {note.became}" if note.became else ""
        out(f"{note.note_id}  {note.state + became:20}  {note.kind or '-':10}  {note.origin:9}  {_head(note)}")
    if not found:
        say(f"there is no state {state!r}" if state and not known else "no notes" + (f" are {state}" if state else ""))


@notes_app.command("show")
def show_note(ctx: typer.Context, note_id: Annotated[str, typer.Argument(metavar="ID")], as_json: Json = False) -> None:
    """One note, whole, with where it came from."""
    from curator.harvest.book import note_by_prefix

    store = store_to_read(ctx.obj)
    if store is None:
        raise CuratorError("there is no store here")
    note = note_by_prefix(store, note_id)
    if as_json:
        out_json(asdict(note))
        return
    became = f", became {note.became}" if note.became else ""
    out(f"{note.note_id}  {note.state}{became}" + (f" ({note.reason})" if note.reason else ""))
    out(f"kind {note.kind or 'not known yet'}{' (marked)' if note.marked else ''}, origin {note.origin}")
    source = ", ".join(f"{key} {value}" for key, value in note.source.items())
    out(f"said {local(note.said_at or note.created_at)}" + (f"; {source}" if source else ""))
    for name, values in (("labels", note.labels), ("about", note.refs)):
        if values:
            out(f"{name}: {', '.join(values)}")
    out(f"\n{note.title}\n" if note.title else "")
    out(note.body)


@notes_app.command("drop")
def drop_note(ctx: typer.Context, note_id: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Mark a note as dropped; no sweep looks at it any more. Nothing is deleted."""
    from curator.harvest.book import drop

    store = store_to_read(ctx.obj)
    if store is None:
        raise CuratorError("there is no store here")
    out(f"dropped {drop(store, note_id).note_id}")


def _head(note: "NoteView") -> str:
    return one_line(note.title or note.body, 100)
