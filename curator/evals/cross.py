"""What the trained parts are worth on owners they never saw: `python -m curator.evals.cross FOLDER`.

For each fold of owners the judges are trained again without any row of these owners and answer their rows. The
shipped weights are never used here, so the figures hold no text that was trained on.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

from curator.evals.pairs import pairs
from curator.evals.routing import routing
from curator.sweep.classify import classify
from curator.sweep.linear import Linear
from curator.sweep.relate import relate
from curator.sweep.train import LABELS, PENALTY, Row, jsonl, kind_rows, owners_of, pair_rows, train
from curator.vocab import Kind

FOLDS = 10


def judges(
    rows: Sequence[Row], tests: Sequence[frozenset[str]], labels: Sequence[str], penalty: float, seed: int
) -> list[Linear]:
    """For each test (its owners) the judge trained without any row of the owners of its fold."""
    owners = sorted({min(names) for names in tests})
    random.Random(seed).shuffle(owners)  # noqa: S311 - a fixed order, not a secret
    fold = {owner: n % FOLDS for n, owner in enumerate(owners)}
    made = []
    for n in range(FOLDS):
        held = frozenset(owner for names in tests if fold[min(names)] == n for owner in names)
        made.append(train([row for row in rows if not row[3] & held], labels, penalty))
    return [made[fold[min(names)]] for names in tests]


def cross_routing(folder: Path, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """The routing documents by cross-validation over owners, one for each seed."""
    rows = list(jsonl(folder / "routing" / "dev.jsonl"))
    taught, owners = kind_rows(folder), [owners_of(r["repo"]) for r in rows]

    def document(seed: int) -> dict[str, Any]:
        found = judges(taught, owners, [k.value for k in Kind], PENALTY["kinds"], seed)
        by_id = {row["id"]: judge for row, judge in zip(rows, found, strict=True)}
        told = routing(rows, lambda row: classify(row["text"], title=row["title"] or "", judge=by_id[row["id"]]))
        return {name: value for name, value in told.items() if name != "marked"}

    return [document(seed) for seed in seeds]


def cross_pairs(folder: Path, seeds: Sequence[int]) -> list[dict[str, Any]]:
    """The pairs documents by cross-validation over owners, one for each seed."""
    rows = list(jsonl(folder / "pairs" / "dev.jsonl"))
    labels = [relation.value for relation in LABELS.values()]
    taught, owners = pair_rows(folder), [owners_of(row["repo_a"], row["repo_b"]) for row in rows]

    def document(seed: int) -> dict[str, Any]:
        found = judges(taught, owners, labels, PENALTY["relations"], seed)
        by_id: Mapping[str, Linear] = {row["id"]: judge for row, judge in zip(rows, found, strict=True)}
        return pairs(rows, lambda row: relate(row["a"], row["b"], by_id[row["id"]]).relation)

    return [document(seed) for seed in seeds]


def over(documents: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Documents of one shape as one: for every number its mean and its standard deviation over them."""
    names = dict.fromkeys(name for document in documents for name in document)
    return {name: _over([document.get(name, 0) for document in documents]) for name in names}


def _over(values: Sequence[Any]) -> Any:
    if any(isinstance(value, Mapping) for value in values):
        return over([value or {} for value in values])
    return {"mean": round(mean(values), 4), "spread": round(pstdev(values), 4)}


def main(arguments: Sequence[str]) -> int:
    """Print the documents, one for each way of cutting the owners into folds, and what they come to together."""
    measures = {"routing": cross_routing, "pairs": cross_pairs}
    parser = argparse.ArgumentParser(prog="python -m curator.evals.cross", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("measure", choices=sorted(measures), nargs="?", help="only this one")
    parser.add_argument("--cuts", type=int, default=2, help="ways of cutting the owners into folds (2)")
    chosen = parser.parse_args(arguments)
    for name in [chosen.measure] if chosen.measure else measures:
        documents = measures[name](chosen.folder, range(1, chosen.cuts + 1))
        for seed, document in enumerate(documents, 1):
            sys.stdout.write(json.dumps({name: document, "seed": seed}) + "\n")
        sys.stdout.write(json.dumps({name: over(documents), "cuts": chosen.cuts}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
