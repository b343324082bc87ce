"""How well notes are told apart by kind and route, on a file of labelled items."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curator.evals.marked import is_marked, marked
from curator.evals.scores import accuracy, confusion, macro_f1
from curator.sweep.classify import Classified, classify
from curator.vocab import Kind, Route

Classify = Callable[[Mapping[str, Any]], Classified]


def by_text(row: Mapping[str, Any]) -> Classified:
    """The shipped answer for one item, from its text and title only."""
    return classify(str(row["text"]), title=str(row.get("title") or ""))


def routing(every: Sequence[Mapping[str, Any]], answer: Classify = by_text) -> dict[str, Any]:
    """The evaluation document; a skipped item counts as wrong, and as not answered.

    Rows with a `via` go in by that way and are counted in `marked` only.
    """
    rows = [row for row in every if not is_marked(row)]
    given = [answer(row) for row in rows]
    kinds = [str(row["kind"]) for row in rows]
    routes = [str(row.get("route") or Kind(row["kind"]).route.value) for row in rows]
    said_kind = [c.kind.value if c.kind else "skip" for c in given]
    said_route = [c.route.value if c.route else "skip" for c in given]
    sure = [n for n, c in enumerate(given) if not c.abstains and not c.skip]
    return {
        "n": len(rows),
        "route": {
            "accuracy": accuracy(routes, said_route),
            "macro_f1": macro_f1(routes, said_route),
            "confusion": confusion(routes, said_route, [route.value for route in Route]),
            "answered": {
                "share": round(len(sure) / len(rows), 4) if rows else 0.0,
                "accuracy": accuracy([routes[n] for n in sure], [said_route[n] for n in sure]),
            },
        },
        "kind": {
            "accuracy": accuracy(kinds, said_kind),
            "macro_f1": macro_f1(kinds, said_kind),
            "joined_accuracy": accuracy(_joined(kinds), _joined(said_kind)),
            "confusion": confusion(kinds, said_kind, [kind.value for kind in Kind]),
        },
        "by_lang": {
            lang: {
                "n": len(at),
                "route": accuracy([routes[n] for n in at], [said_route[n] for n in at]),
                "kind": accuracy([kinds[n] for n in at], [said_kind[n] for n in at]),
            }
            for lang, at in by_language(rows).items()
        },
        "marked": marked([row for row in every if is_marked(row)]),
    }


def by_language(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    """The rows' numbers by their language."""
    found: dict[str, list[int]] = {}
    for n, row in enumerate(rows):
        found.setdefault(str(row.get("lang") or "unknown"), []).append(n)
    return dict(sorted(found.items()))


def _joined(kinds: Sequence[str]) -> list[str]:
    """Lesson and pattern as one: even careful readers disagree there."""
    return ["lesson" if kind == "pattern" else kind for kind in kinds]
