"""How a decision ended, in words or as a document, and the exit code that says so."""

import typer

from curator.cli.common import out, out_json, say
from curator.cli.desks import code_of
from curator.cli.telling import outcome_lines
from curator.cli.told_json import outcome_json
from curator.desk.views import Outcome


def report(outcome: Outcome, as_json: bool) -> None:
    """Tell item by item what was done and what was not, and leave with the code that says so."""
    if as_json:
        out_json(outcome_json(outcome))
    for line in () if as_json else outcome_lines(outcome):
        out(line)
    if code := code_of(outcome):
        left = [item for item in outcome.items if not item.done]
        say(f"curator: {len(left)} of {len(outcome.items)} not done: {left[0].id}: {left[0].detail or left[0].outcome}")
        raise typer.Exit(code)
