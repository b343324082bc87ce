"""`status`: one screen that says where the memory stands."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import local, out, out_json, place_of, store_to_read
from curator.edge.clock import now

if TYPE_CHECKING:  # SQLModel costs 290 ms
    from curator.recall.standing import Standing
    from curator.store.engine import Store

app = typer.Typer()


@app.command("status")
def status(
    ctx: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False
) -> None:
    """One screen: what is stored, waiting, next."""
    call: Call = ctx.obj
    place = place_of(call)
    store = store_to_read(call)
    if store is None:
        if as_json:
            out_json({"project": None})
        else:
            out(f"No memory here yet ({place.root}): `curator init` sets it up, `curator remember` starts it.")
        return
    from curator.recall.standing import standing

    stands = standing(store)
    if as_json:
        out_json(_document(store, stands))
        return
    for line in _lines(store, stands, now()):
        out(line)


def ago(then: datetime | None, moment: datetime) -> str:
    """How long since, in the largest unit that is at least one: `3 h ago`; `never` for None."""
    if then is None:
        return "never"
    seconds = (moment - then).total_seconds()
    if seconds < 0:
        return f"on {local(then)} (ahead of this clock)"
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} ago"
    return "just now"


def _lines(store: "Store", stands: "Standing", moment: datetime) -> list[str]:
    injected, deferred = stands.entries["injected"], stands.entries["deferred"]
    waiting = stands.proposals_waiting
    oldest = f", the oldest {ago(stands.oldest_proposal, moment)}" if waiting else ""
    checkpoint = f" ({stands.checkpoint_id}, session {stands.checkpoint_session[:8]})" if stands.checkpoint_id else ""
    lines = [
        f"{store.place.root.name}  {store.place.folder}",
        f"injected memory     {_states(injected)}",
        f"deferred knowledge  {_states(deferred)}",
        f"notes               {stands.notes_waiting} waiting for a sweep, {stands.notes} in all",
        f"proposals           {waiting} waiting for you{oldest}",
        f"last sweep          {ago(stands.swept_at, moment)}{f' (number {stands.sweep})' if stands.sweep else ''}",
        f"last checkpoint     {ago(stands.checkpoint_at, moment)}{checkpoint}",
        f"last ingest         {ago(stands.ingested_at, moment)}",
    ]
    lines += [f"trouble             {sentence}" for sentence in stands.trouble]
    if waiting:
        lines.append("next                `curator review`")
    elif stands.notes_waiting:
        lines.append("next                `curator sweep`")
    return lines


def _states(counted: dict[str, int]) -> str:
    rest = ", ".join(f"{number} {state}" for state, number in sorted(counted.items()) if state != "active")
    return f"{counted.get('active', 0)} active" + (f", {rest}" if rest else "")


def _document(store: "Store", stands: "Standing") -> dict[str, Any]:
    return {
        "project": str(store.place.root),
        "entries": stands.entries,
        "notes": {"waiting": stands.notes_waiting, "all": stands.notes},
        "proposals": {"waiting": stands.proposals_waiting, "oldest": stands.oldest_proposal},
        "sweep": {"number": stands.sweep, "at": stands.swept_at},
        "checkpoint": {"id": stands.checkpoint_id, "session": stands.checkpoint_session, "at": stands.checkpoint_at},
        "ingested_at": stands.ingested_at,
        "trouble": list(stands.trouble),
    }
