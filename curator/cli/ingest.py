"""`ingest`: take in what hooks left, and end with a sweep; hooks start it in the background."""

from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.common import out, out_json, place_of, say, store_to_write
from curator.errors import Conflict

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.cycle.ingest import Ingested, Stages
    from curator.place import Place
    from curator.ports import Tokens
    from curator.store.engine import Store

app = typer.Typer()


@app.command("ingest")
def ingest(
    ctx: typer.Context,
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Also make a checkpoint of the newest session, without a model.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Take in what hooks spooled, then sweep without a model. Safe to repeat and to run in parallel."""
    from curator.cycle.ingest import ingest as take_in
    from curator.edge.tokens import tokens
    from curator.harvest.noting import Outcome

    place = place_of(ctx.obj)
    if not place.found:
        say("there is no memory here yet; `curator init` sets it up")
        return
    store = store_to_write(ctx.obj)
    counter = tokens(store.settings.encoding)
    done = take_in(store, counter, stages(place, counter), checkpoint=checkpoint)
    if as_json:
        out_json(_document(done))
    elif done.busy:
        say("another process is taking things in")
    else:
        new = done.harvested.outcomes.get(Outcome.NEW, 0)
        out(f"{done.events} events, {done.harvested.rows} new rows, {new} new notes, {done.proposals} new proposals")
    for line in done.trouble:
        say(line)
    for path, lines in done.harvested.damaged.items():
        say(f"{path}: damaged lines passed over: {', '.join(map(str, lines[:50]))}")
    if done.trouble or done.harvested.damaged:
        raise Conflict("only part was taken in")


def stages(place: "Place", counter: "Tokens") -> "Stages":
    """The stages behind the harvest, as the product runs them: all without a model."""
    from curator.cycle.checkpoints import without_model
    from curator.cycle.ingest import Stages
    from curator.cycle.sweeping import run
    from curator.snapshot import refocus

    def checkpoint(store: "Store", session: str) -> str:
        made = without_model(store, counter.count, session)
        return made.ident if made else ""

    def sweep(store: "Store") -> int:
        return len(run(store, model=store.settings.model if store.settings.ingest_model else "").proposals)

    return Stages(checkpoint, sweep, lambda store: refocus(store, place))


def _document(done: "Ingested") -> dict[str, object]:
    return {
        "events": done.events,
        "rows": done.harvested.rows,
        "outcomes": done.harvested.outcomes,
        "damaged": done.harvested.damaged,
        "checkpoints": done.checkpoints,
        "proposals": done.proposals,
        "expired": done.expired,
        "busy": done.busy,
        "trouble": done.trouble,
    }
