"""Decisions on proposals from the shell: each asks who decides, applies in one transaction, reports item by item."""

from typing import Annotated

import typer

from curator.cli.common import say
from curator.cli.desks import deciding, filter_of
from curator.cli.drafting import all_shown, changed, one_result, read, shown_as
from curator.cli.options import (
    AtLeast,
    Below,
    Ids,
    Json,
    KindName,
    Labels,
    Match,
    NewKind,
    NewLabels,
    NewRoute,
    NewTitle,
    Op,
    RouteName,
    TextFile,
)
from curator.cli.outcomes import report
from curator.desk.views import Shown
from curator.errors import BadUsage
from curator.vocab import ProposalState

app = typer.Typer()


@app.command("accept")
def accept(
    ctx: typer.Context,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID", help="ID, its beginning, or ID@REV.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every proposal that waits and fits the filters.")] = False,
    op: Op = None,
    kind: KindName = None,
    route: RouteName = None,
    label: Labels = None,
    match: Match = None,
    at_least: AtLeast = None,
    below: Below = None,
    text: TextFile = None,
    comment: Annotated[str, typer.Option("--note", help="A comment for the ledger.")] = "",
    as_json: Json = False,
) -> None:
    """Accept proposals: applied at once, in one transaction, exactly as shown; `curator undo` takes them back."""
    filters = (op, kind, route, label, match, at_least, below)
    if everything == bool(ids) or (ids and any(value is not None for value in filters)):
        raise BadUsage("name proposals by id, or give --all with filters")
    if text is not None and len(ids or ()) != 1:
        raise BadUsage("--text goes with exactly one proposal")
    wanted = filter_of(*filters)
    desk = deciding(ctx.obj)
    if text is not None:
        seen = desk.dossier(ids[0].partition("@")[0])  # type: ignore[index]
        (body,) = one_result(seen)
        report(desk.accept_as(shown_as(seen, ids[0]), [body.saying(read(text))], seen.now), as_json)  # type: ignore[index]
        return
    if isinstance(wanted, str):
        say(wanted)
        shown: list[Shown] = []
    elif everything:
        shown = [Shown(row.proposal_id, row.rev) for row in desk.queue(wanted).rows if row.state is ProposalState.OPEN]
    else:
        shown = all_shown(desk, ids or [])
    if not shown:
        say("nothing to accept")
        return
    report(desk.accept(shown, comment), as_json)


@app.command("reject")
def reject(
    ctx: typer.Context,
    ids: Ids,
    reason: Annotated[
        str, typer.Option("--reason", help="wrong, already known, one-off, too vague, private, or your own words.")
    ],
    comment: Annotated[str, typer.Option("--note", help="A comment for the ledger.")] = "",
    as_json: Json = False,
) -> None:
    """Reject proposals for good: the text comes back from no door until something specific in it changes."""
    if not reason.strip():
        raise BadUsage("--reason needs words")
    desk = deciding(ctx.obj)
    report(desk.reject(all_shown(desk, ids), reason, comment), as_json)


@app.command("snooze")
def snooze(ctx: typer.Context, ids: Ids, as_json: Json = False) -> None:
    """Put proposals off; they come back with the next sweep, as they are."""
    desk = deciding(ctx.obj)
    report(desk.snooze(all_shown(desk, ids)), as_json)


@app.command("revise")
def revise(
    ctx: typer.Context,
    proposal: Annotated[str, typer.Argument(metavar="ID", help="A proposal's id or its beginning.")],
    text: TextFile = None,
    title: NewTitle = None,
    kind: NewKind = None,
    route: NewRoute = None,
    label: NewLabels = None,
    as_json: Json = False,
) -> None:
    """Change a proposal before deciding on it: by options, or in $EDITOR when none is given. It goes on waiting."""
    desk = deciding(ctx.obj)
    seen = desk.dossier(proposal.partition("@")[0])
    (old,) = one_result(seen)
    new = changed(desk, old, text, title, kind, route, label)
    report(desk.revise(shown_as(seen, proposal), [new], seen.now), as_json)
