"""`import` and `export`: other files become proposals, the memory becomes a file."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.bringing import FORMS, bring
from curator.cli.call import Call
from curator.cli.common import out, out_json, say, store_to_read, store_to_write
from curator.errors import NotFound
from curator.interchange.formats import EXPORTS, IMPORTS, Asked, find, told
from curator.plain import one_line, plain

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.interchange.entries import Report
    from curator.interchange.formats import Exporter, Importer
    from curator.store.engine import Store

app = typer.Typer()

_SHOWN = 20
_IMPORTS = IMPORTS | FORMS


@app.command("import")
def import_(
    ctx: typer.Context,
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=told(_IMPORTS))],
    path: Annotated[Path | None, typer.Argument(help="The file or folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Turn what other files hold into proposals; nothing changes until a person accepts them."""
    from curator.edge.tokens import tokens

    call: Call = ctx.obj
    found = find(_IMPORTS, form, path)
    if form in FORMS:
        bring(call, form, path, as_json)
        return
    source = call.start / path if path else call.start
    if not source.exists():
        raise NotFound(f"{source} does not exist")
    if source.is_file() and not source.stat().st_size and store_to_read(call) is None:
        say(f"{source.name} is empty, and nothing is stored here yet")
        return
    importer: Importer = found.load()
    store = store_to_write(call, afresh=True)
    report = importer(store, source, tokens(store.settings.encoding))
    _refresh(store)
    if as_json:
        out_json(_document(report))
    else:
        _print(report, source.name if path else form)
    if not report.complete:
        raise typer.Exit(3)


@app.command("export")
def export(
    ctx: typer.Context,
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=told(EXPORTS))],
    path: Annotated[Path | None, typer.Argument(help="The file or folder; without it stdout.")] = None,
    memories: Annotated[bool, typer.Option("--memories", help="Injected entries too (beads, bd).")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write though records of the target would be lost.")] = False,
) -> None:
    """Write the memory for another program."""
    call: Call = ctx.obj
    found = find(EXPORTS, form, path)
    store = store_to_read(call)
    if store is None:
        say("nothing is stored here yet")
        return
    exporter: Exporter = found.load()
    wrote = exporter(store, call.start / path if path else None, Asked(memories, force))
    for line in wrote.lines:
        if sys.stdout.isatty():
            sys.stdout.write(plain(line.decode("utf-8", "replace")))
        else:
            sys.stdout.buffer.write(line)
    for note in (*wrote.notes, wrote.said):
        if note:
            say(note)
    if not path and not (wrote.lines or wrote.notes or wrote.said):
        say("nothing to export: no entry of this format's kind is active")
    if wrote.said:
        _refresh(store)
    if not wrote.complete:
        raise typer.Exit(3)


def _refresh(store: "Store") -> None:
    """Let the next session know: what waits now, and what another program hands over."""
    from curator.snapshot import refresh

    if problem := refresh(store):
        say(problem)


def _document(report: "Report") -> dict[str, object]:
    read = report.read
    return {
        "rows": read.rows,
        "proposals": report.proposals,
        **report.outcomes,
        "damaged": [{"line": number, "reason": reason} for number, reason in read.bad],
        "marks": read.marks,
        "unknown": [line.number for line in read.unknown],
        "repeated": [{"line": number, "id": key, "reason": how} for number, key, how in read.repeated],
        "redacted": read.redacted,
        "zoneless": read.zoneless,
        "ahead": read.ahead,
        "aside": [{"line": number, "reason": what} for number, what in read.aside],
    }


_WORDS = {
    "new": "not here yet, proposed",
    "newer": "newer than here, proposed",
    "conflict": "changed on both sides, proposed as a conflict",
    "older": "older than here, left",
    "retired": "retired here, stays so",
    "refused": "refused here before, stays so",
    "same": "the same as here",
    "waiting": "proposed already",
    "held": "another proposal waits for the entry; decide on it and import again",
}


def _print(report: "Report", name: str) -> None:
    read = report.read
    out(f"{name}: {read.rows} rows, {len(report.proposals)} proposals")
    for outcome, keys in report.outcomes.items():
        if keys:
            out(f"{len(keys):6}  {_WORDS[outcome]}" + _ids(outcome, keys))
    if read.unknown:
        out(f"{len(read.unknown):6}  of a kind this program does not know, kept for export")
    for what, number in Counter(what for _, what in read.aside).items():
        out(f"{number:6}  {what}, kept for export without a proposal")
    if read.redacted:
        out(f"{read.redacted:6}  held credentials, which were taken out")
    for line in _faults(report):
        say(line)
    if report.proposals:
        say("next: curator review")


def _ids(outcome: str, keys: list[str]) -> str:
    """The ids, where a person may want to look at them."""
    if outcome in {"new", "same", "waiting"}:
        return ""
    return ": " + ", ".join(keys[:_SHOWN]) + (f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else "")


def _lines(numbers: list[int]) -> str:
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:_SHOWN]))}{more}"


def _faults(report: "Report") -> Iterator[str]:
    read = report.read
    for number in read.marks:
        yield f"line {number}: mark of a merge conflict; the texts on both sides were read"
    if read.zoneless:
        yield f"times without a zone were taken as UTC, in {_lines(read.zoneless)}"
    if read.ahead:
        yield f"times are ahead of this computer's clock, in {_lines(read.ahead)}"
    for number, key, how in read.repeated:
        yield f"line {number}: {key} comes again, {how}"
    for number, reason in read.bad:
        yield f"line {number}: {one_line(reason, 200)}"
