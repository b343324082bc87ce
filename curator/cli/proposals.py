"""`proposals`: the queue and whole proposals. Changes nothing."""

from typing import Annotated

import typer

from curator.cli.common import out, out_json, say
from curator.cli.desks import filter_of, looking
from curator.cli.options import AtLeast, Below, Json, KindName, Labels, Match, Op, RouteName
from curator.cli.telling import dossier_lines, head_of, line_of
from curator.cli.told_json import dossier_json, listed_json, queue_json
from curator.desk.views import Dossier, Filter
from curator.errors import BadUsage, CuratorError

app = typer.Typer()


@app.command("proposals")
def proposals(
    ctx: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="list|show ID", help="What to show.")] = None,
    op: Op = None,
    kind: KindName = None,
    route: RouteName = None,
    label: Labels = None,
    match: Match = None,
    at_least: AtLeast = None,
    below: Below = None,
    as_json: Json = False,
) -> None:
    """The queue, or whole proposals with diff, evidence and similar entries. Changes nothing."""
    what, *ids = words or ["list"]
    if what not in {"list", "show"} or (what == "list" and ids) or (what == "show" and not ids):
        raise BadUsage("write it as: curator proposals [list | show ID...]")
    wanted = filter_of(op, kind, route, label, match, at_least, below)
    desk = looking(ctx.obj)
    if what == "show":
        if desk is None:
            raise CuratorError("there is no proposal: nothing is stored yet")
        _show([desk.dossier(each.partition("@")[0]) for each in ids], as_json)
        return
    if desk is None or isinstance(wanted, str):
        if isinstance(wanted, str):
            say(wanted)
        if as_json:
            out_json({"waiting": 0, "proposals": []})
        elif desk is None:
            out("No proposals: nothing is stored yet.")
        return
    queue = desk.queue(wanted)
    if as_json:
        out_json({**queue_json(queue), "proposals": [listed_json(each) for each in desk.listed(wanted)]})
        return
    out(head_of(queue))
    for row in queue.rows:
        out(line_of(row))
    if not queue.rows and wanted != Filter():
        out("No proposal matches.")


def _show(seen: list[Dossier], as_json: bool) -> None:
    if as_json:
        out_json({"proposals": [dossier_json(each) for each in seen]})
        return
    for number, each in enumerate(seen):
        if number:
            out()
        for line in dossier_lines(each):
            out(line)
