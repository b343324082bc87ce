"""`report`: what repeats, what it costs, what is never useful."""

from pathlib import Path
from typing import Annotated

import typer

from curator.cli.common import out, out_json, store_to_read


def report(
    ctx: typer.Context,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with the plots.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the plots as one SVG.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """What repeats, what it costs, what is never useful."""
    from curator.snapshot.report import gathered, page, picture, told

    store = store_to_read(ctx.obj)
    if store is None:
        out_json({"sessions": 0}) if as_json else out("No memory here yet: nothing to report.")
        return
    found = gathered(store)
    if html:
        html.write_text(page(found), encoding="utf-8")
    if svg:
        svg.write_text(picture(found), encoding="utf-8")
    if as_json:
        out_json(found.document())
        return
    for line in told(found):
        out(line)
