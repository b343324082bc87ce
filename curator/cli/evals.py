"""`eval`: measure on labelled files, in the documented formats."""

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from curator.cli.common import out, out_json, say
from curator.errors import BadUsage

app = typer.Typer()


class Measure(StrEnum):
    """What `eval` can measure."""

    ROUTING = "routing"
    PAIRS = "pairs"
    HARVEST = "harvest"
    RETRIEVAL = "retrieval"
    SALIENCE = "salience"
    CANARIES = "canaries"
    ALL = "all"


@app.command("eval")
def eval_(
    measure: Annotated[Measure, typer.Argument(metavar="MEASURE", help="What to measure.")],
    path: Annotated[Path, typer.Argument(metavar="FILE|DIR", help="Labelled data; for `all` a folder with all of it.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure routing, pairs, harvest, retrieval, salience or canaries on a labelled file."""
    if not path.exists():
        raise BadUsage(f"there is no {path}")
    found = _all(path) if measure is Measure.ALL else measured(measure.value, path)
    if as_json:
        out_json(found)
    else:
        _print(found, "")


def measured(name: str, path: Path) -> dict[str, Any]:
    """The evaluation document of one measure."""
    if name in ("routing", "pairs"):
        from curator.evals.files import rows, within

        needed = ("text", "kind") if name == "routing" else ("a", "b", "label")
        labelled = rows(within(path, "dev.jsonl"), needed)
        value: dict[str, Any] = getattr(import_module(f"curator.evals.{name}"), name)(labelled)
        return value
    try:
        measure: Callable[[Path], dict[str, Any]] = getattr(import_module(f"curator.evals.{name}"), name)
    except ModuleNotFoundError as error:
        raise BadUsage(f"{name} cannot be measured by this version") from error
    return measure(path)


def _all(folder: Path) -> dict[str, Any]:
    """Every measure whose data lie in the folder."""
    places = {"retrieval": "scale"}
    found: dict[str, Any] = {}
    for measure in Measure:
        name = measure.value
        place = folder / places.get(name, name)
        if measure is not Measure.ALL and place.exists():
            say(f"measuring {name} on {place}")
            found[name] = measured(name, place)
    if not found:
        raise BadUsage(f"{folder} holds none of: {', '.join(m.value for m in Measure if m is not Measure.ALL)}")
    return found


def _print(value: dict[str, Any], indent: str) -> None:
    for key, item in value.items():
        if isinstance(item, dict):
            out(f"{indent}{key}")
            _print(item, indent + "  ")
        elif isinstance(item, list) and item and isinstance(item[0], dict):
            out(f"{indent}{key}")
            for each in item:
                _print(each, indent + "  ")
                out()
        else:
            out(f"{indent}{key:<16} {item}")
