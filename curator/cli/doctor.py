"""`curator doctor`: run the real hooks, look at everything, say what mends each finding. Changes nothing."""

import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from curator.cli.call import Call
from curator.cli.checks import hooks, servers, store, tools
from curator.cli.checks.finding import Finding, Level
from curator.cli.common import out, out_json, place_of, settings_of
from curator.place import Place

app = typer.Typer()


@app.command("doctor")
def doctor(
    ctx: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False
) -> None:
    """Run the real hooks and check everything; each finding says what mends it.

    Exits 1 where something is broken.
    """
    call: Call = ctx.obj
    found = [_for_own(finding) if call.user else finding for finding in findings(place_of(call))]
    healthy = all(finding.level is not Level.BROKEN for finding in found)
    if as_json:
        out_json({"healthy": healthy, "findings": [asdict(finding) for finding in found]})
    elif all(finding.mend == "curator init" for finding in found if finding.subject in {"store", "hooks"}) and healthy:
        out("nothing is set up here yet: no store, and no agent runs curator; `curator init` does both")
    else:
        for finding in found:
            mend = f"  ->  {finding.mend}" if finding.mend else ""
            out(f"{finding.level.value:6}  {finding.subject}: {finding.text}{mend}")
    if not healthy:
        raise typer.Exit(1)


def _for_own(finding: Finding) -> Finding:
    """The mending command with `--user`, where it is about the store."""
    return replace(finding, mend=re.sub(r"^curator (?=ingest|db |on$)", "curator --user ", finding.mend))


def findings(place: Place) -> list[Finding]:
    """Everything there is to say, what is broken first."""
    settings = settings_of(place).settings
    found = [
        *store.check(place, settings),
        *hooks.check(place, Path.home(), settings.injection_bytes),
        *hooks.leftovers(place, Path.home()),
        *servers.check(place, Path.home()),
        *tools.check(settings),
    ]
    order = (Level.BROKEN, Level.NOTE, Level.OK)
    return sorted(found, key=lambda finding: order.index(finding.level))
