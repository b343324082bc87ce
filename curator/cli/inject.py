"""`preview` and `why`: what the next session is handed, and why. `layers` and `report` stand beside them."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import local, out, out_json, place_of, store_to_read
from curator.cli.layers import layers_app
from curator.cli.report import report
from curator.edge.clock import now
from curator.errors import BadUsage, NotFound
from curator.salience.score import FRESHNESS, IMPORTANCE, RELEVANCE

if TYPE_CHECKING:
    from curator.brief.asked import Asked, Brief
    from curator.snapshot.why import Why

app = typer.Typer()
app.add_typer(layers_app, name="layers")
app.command("report")(report)

Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]
_PARTS = ("checkpoint", "memories")


@app.command("preview")
def preview(
    ctx: typer.Context,
    client: Annotated[str, typer.Option("--client", help="For which client: its token margin counts.")] = "claude",
    source: Annotated[
        str, typer.Option("--source", help="startup, resume, clear, compact or fork; any other is a startup.")
    ] = "startup",
    part: Annotated[str, typer.Option("--part", help="Only this part: checkpoint or memories.")] = "",
    session: Annotated[str, typer.Option("--session", help="As for this session (resume, compact).")] = "",
    as_json: Json = False,
) -> None:
    """Exactly what the next session will be handed, with tokens and bytes, what is left out and why."""
    if part and part not in _PARTS:
        raise BadUsage(f"--part is one of {', '.join(_PARTS)}")
    from curator.brief.envelope import CLIENTS

    if client not in CLIENTS:
        raise BadUsage(f"--client is one of {', '.join(CLIENTS)}")
    call: Call = ctx.obj
    if not place_of(call).found:
        _nothing(call, as_json)
        return
    asked, made = composed(call, source, client, session=session, part=part)
    if as_json:
        out_json(_document(asked, made))
        return
    if not made.text:
        out("Nothing would be handed over: nothing is stored for this source.")
        return
    for line in made.text.splitlines():
        out(line)
    out()
    for line in _figures(asked, made):
        out(line)


@app.command("why")
def why(ctx: typer.Context, ident: Annotated[str, typer.Argument(metavar="ID")], as_json: Json = False) -> None:
    """Why an entry was or was not injected: every factor of its score, and its receipts."""
    from curator.snapshot.why import why as explain

    call: Call = ctx.obj
    store = store_to_read(call)
    if store is None or not ident.strip():
        raise NotFound(f"not found: {ident}")
    asked, made = composed(call, "startup", "claude")
    items = {item.id: item for item in asked.project.snapshot.items}
    told = explain(store, ident, made, items, asked.margin)
    if as_json:
        out_json(_why_document(told))
        return
    for line in _why_lines(told):
        out(line)


def composed(call: Call, source: str, client: str, *, session: str = "", part: str = "") -> "tuple[Asked, Brief]":
    """The next start, composed as the hook composes it."""
    from curator.snapshot.outlook import next_start

    return next_start(place_of(call), source, client, now().date().toordinal(), session=session, part=part)


def _nothing(call: Call, as_json: bool) -> None:
    if as_json:
        out_json({"text": "", "bytes": 0, "tokens": 0, "entries": [], "left_out": []})
    else:
        out(f"No memory here yet ({place_of(call).root}): sessions are handed nothing.")


def _figures(asked: "Asked", made: "Brief") -> list[str]:
    used = len(made.text.encode("utf-8", "replace"))
    lines = [f"{used} of {asked.size} bytes; memories {made.pick.tokens} of {asked.tokens} tokens (x {asked.margin:g})"]
    lines.append("bytes by part: " + ", ".join(f"{one.name} {one.size}" for one in made.parts))
    for out_ in made.pick.left[:20]:
        lines.append(f"left out  {out_.item.id}  {out_.score.total:.3f}  {out_.reason}  {out_.item.title[:60]}")
    if len(made.pick.left) > 20:
        lines.append(f"left out  and {len(made.pick.left) - 20} more, lower ranked (`--json` lists them)")
    return lines


def _document(asked: "Asked", made: "Brief") -> dict[str, Any]:
    return {
        "source": asked.source,
        "text": made.text,
        "digest": made.digest,
        "bytes": len(made.text.encode("utf-8", "replace")),
        "byte_limit": asked.size,
        "tokens": made.pick.tokens,
        "token_limit": asked.tokens,
        "margin": asked.margin,
        "parts": {one.name: one.size for one in made.parts},
        "checkpoint": made.checkpoint,
        "entries": [
            {"id": one.item.id, "title": one.item.title, "tokens": one.item.tokens, **one.score._asdict()}
            for one in made.pick.taken
        ],
        "left_out": [
            {"id": one.item.id, "title": one.item.title, "reason": one.reason, "score": one.score.total}
            for one in made.pick.left
        ],
        "omitted": made.omitted,
    }


def _why_lines(told: "Why") -> list[str]:
    lines = [f"{told.entry_id}  {told.title}", told.verdict]
    if told.score:
        one = told.score
        mix = ((IMPORTANCE, "importance", one.importance), (RELEVANCE, "relevance", one.relevance))
        terms = [f"{w:g} x {name} {value:.3f}" for w, name, value in (*mix, (FRESHNESS, "freshness", one.freshness))]
        lines.append(f"score {one.total:.3f} = scope {one.scope:g} x state {one.state:g} x ({' + '.join(terms)})")
    if told.parts:
        lines.append("importance: " + ", ".join(f"{name} {value:g}" for name, value in told.parts))
    if told.tokens:
        lines.append(f"it takes {told.tokens} tokens of the memory part")
    for one_ in told.handed[:10]:
        what = "injected" if one_.injected else f"not injected ({one_.reason})"
        seen = {True: ", arrived", False: ", did not arrive", None: ""}[one_.delivered]
        told_by = f", {one_.evidence}" if one_.evidence else ""
        lines.append(f"{local(one_.at)}  session {one_.session[:8]} {one_.source}: {what}{seen}{told_by}")
    if not told.handed:
        lines.append("no session start was recorded yet")
    return lines


def _why_document(told: "Why") -> dict[str, Any]:
    return {
        "id": told.entry_id,
        "title": told.title,
        "verdict": told.verdict,
        "score": told.score._asdict() if told.score else None,
        "importance": {str(name): value for name, value in told.parts},
        "tokens": told.tokens,
        "place": told.place,
        "receipts": [vars(one) for one in told.handed],
    }
