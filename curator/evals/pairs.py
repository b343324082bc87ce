"""How well the relation of two texts is told, on a file of labelled pairs.

The data's labels are `duplicate` (same or restates), `updates` (refines), `supersedes` (replaces),
`related_distinct` (related) and `unrelated` (distinct).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curator.evals.routing import by_language
from curator.evals.scores import accuracy, confusion, macro_f1
from curator.sweep.relate import relate
from curator.vocab import Relation

LABELS = {
    Relation.SAME: "duplicate",
    Relation.RESTATES: "duplicate",
    Relation.REFINES: "updates",
    Relation.REPLACES: "supersedes",
    Relation.RELATED: "related_distinct",
    Relation.DISTINCT: "unrelated",
}
Answer = Callable[[Mapping[str, Any]], Relation]


def by_relate(row: Mapping[str, Any]) -> Relation:
    """The shipped answer for one pair; `a` is the older text."""
    return relate(str(row["a"]), str(row["b"])).relation


def pairs(rows: Sequence[Mapping[str, Any]], answer: Answer = by_relate) -> dict[str, Any]:
    """The evaluation document. `same_errors`: pairs that would make no proposal although one text changes the other."""
    relations = [answer(row) for row in rows]
    truth, given = [str(row["label"]) for row in rows], [LABELS[relation] for relation in relations]
    changed = ("updates", "supersedes")
    return {
        "n": len(rows),
        "macro_f1": macro_f1(truth, given),
        "accuracy": accuracy(truth, given),
        "confusion": confusion(truth, given, list(dict.fromkeys(LABELS.values()))),
        "same_errors": sum(
            relation is Relation.SAME and wanted in changed for wanted, relation in zip(truth, relations, strict=True)
        ),
        "by_lang": {
            lang: {
                "n": len(at),
                "macro_f1": macro_f1([truth[n] for n in at], [given[n] for n in at]),
                "accuracy": accuracy([truth[n] for n in at], [given[n] for n in at]),
            }
            for lang, at in by_language(rows).items()
        },
    }
