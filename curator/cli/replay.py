"""`replay`: what is known after each compaction of one conversation, with curator and without."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from curator.cli.call import Call
from curator.cli.common import out, out_json, place_of
from curator.edge.clock import now
from curator.errors import BadUsage
from curator.plain import one_line

app = typer.Typer()

_SIDES = {
    "injected": "curator, what is injected",
    "checkpoint": "curator, the whole checkpoint",
    "summary": "what the client itself keeps",
    "tail": "plain truncation: the newest units",
    "newest": "the newest of your messages, in that room",
}
_WHY = {
    "compaction": "the client compressed here",
    "limit": "the window is full here",
    "end": "the window never filled; as if it were compressed at the end",
}
_LOST = 5


@app.command("replay")
def replay(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One transcript.")],
    window: Annotated[
        int, typer.Option("--window", min=0, help="Cut where a window of so many tokens fills, not where it was cut.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compare what is known after each compaction of a conversation, with curator and without. Asks no model.

    Reads the file into a throwaway store, makes at each cut the checkpoint that the hook makes, and counts what the
    injected text holds of the rules, messages, facts and files so far; the same of what there would be without it.
    """
    if file.is_dir():
        raise BadUsage(f"{file} is a folder; name one transcript")
    from curator.evals.replay import replay as compared

    found = compared(file, window) | {"memories": _memories(ctx.obj)}
    if as_json:
        out_json(found)
        return
    for line in _told(found):
        out(line)


def _memories(call: Call) -> dict[str, Any] | None:
    """What this project's memory adds after a compaction today; None where there is no store."""
    place = place_of(call)
    if not place.found:
        return None
    from curator.snapshot.outlook import next_start

    _, made = next_start(place, "compact", "claude", now().date().toordinal())
    return {"entries": [one.item.id for one in made.pick.taken], "tokens": made.pick.tokens}


def _told(found: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{found['client']} session {found['session'][:8]}: {found['rows']} rows, {found['typed']} typed by a person; "
        f"about {found['tokens']:,} tokens, window {found['window']:,}, full at {found['threshold']:,}"
    )
    if found["damaged"]:
        yield f"{found['damaged']} damaged lines were passed over"
    if not found["typed"]:
        yield "No message is known to be typed by a person, so there are no rules of theirs to keep or lose."
    for cut in found["cuts"]:
        yield ""
        yield from _cut(cut)
    yield ""
    yield from _beside(found)


def _cut(cut: dict[str, Any]) -> Iterator[str]:
    there = cut["known"]
    yield f"Cut {cut['number']}, before #{cut['before']}: {_WHY[cut['why']]}"
    if cut["step"]:
        yield f"  the latest request: {one_line(cut['step'], 100)}"
    yield f"  {'':42}{'tokens':>7}{'rules':>8}{'verbatim':>10}{'messages':>10}{'step':>6}{'facts':>9}{'files':>8}"
    for name, told in _SIDES.items():
        if side := cut[name]:
            cells = [f"{side[key]}/{there[key]}" for key in ("rules", "messages", "facts", "files")]
            step = "yes" if side["step"] else "no"
            yield (
                f"  {told:42}{side['tokens']:>7,}{cells[0]:>8}{side['verbatim']:>10}{cells[1]:>10}{step:>6}"
                f"{cells[2]:>9}{cells[3]:>8}"
            )
    against = "what the client keeps" if cut["summary"] else "plain truncation"
    for name, told in (("with", "what curator injects"), ("without", against)):
        yield from _lost(cut["lost"][name], told)


def _lost(rules: list[dict[str, Any]], where: str) -> Iterator[str]:
    if rules:
        yield f"  rules missing from {where}:"
    for rule in rules[:_LOST]:
        yield f"    #{rule['seq']} {rule['kind']}: {one_line(rule['text'], 90)}"
    if len(rules) > _LOST:
        yield f"    and {len(rules) - _LOST} more (--json lists them)"


def _beside(found: dict[str, Any]) -> Iterator[str]:
    yield f"Texts of this conversation that would wait for your approval: {found['notes']}"
    if memories := found["memories"]:
        yield f"Memories of this project that a compaction is handed today: {len(memories['entries'])}"
    yield "Not measured:"
    for line in found["not_measured"]:
        yield f"  - {line}"
