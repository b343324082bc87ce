"""What the trained parts are worth on owners they never saw: `python -m curator.evals.cross FOLDER`.

For each fold of owners the judges are trained again without any row of these owners and answer their rows. The
shipped weights are never used here, so the figures hold no text that was trained on.
"""

import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
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


def cross_routing(folder: Path, seed: int) -> dict[str, Any]:
    """The routing document by cross-validation over owners."""
    rows = list(jsonl(folder / "routing" / "dev.jsonl"))
    found = judges(
        kind_rows(folder), [owners_of(r["repo"]) for r in rows], [k.value for k in Kind], PENALTY["kinds"], seed
    )
    by_id = {row["id"]: judge for row, judge in zip(rows, found, strict=True)}
    return routing(rows, lambda row: classify(row["text"], title=row["title"] or "", judge=by_id[row["id"]]))


def cross_pairs(folder: Path, seed: int) -> dict[str, Any]:
    """The pairs document by cross-validation over owners."""
    rows = list(jsonl(folder / "pairs" / "dev.jsonl"))
    labels = [relation.value for relation in LABELS.values()]
    owners = [owners_of(row["repo_a"], row["repo_b"]) for row in rows]
    found = judges(pair_rows(folder), owners, labels, PENALTY["relations"], seed)
    by_id: Mapping[str, Linear] = {row["id"]: judge for row, judge in zip(rows, found, strict=True)}
    return pairs(rows, lambda row: relate(row["a"], row["b"], by_id[row["id"]]).relation)


def main(arguments: Sequence[str]) -> int:
    """Print both documents, each for two ways of cutting the owners into folds."""
    folder = Path(arguments[0])
    measures: tuple[Callable[[Path, int], dict[str, Any]], ...] = (cross_routing, cross_pairs)
    wanted = [m for m in measures if len(arguments) < 2 or m.__name__.endswith(arguments[1])]
    for measure in wanted:
        for seed in (1, 2):
            sys.stdout.write(json.dumps({measure.__name__: measure(folder, seed), "seed": seed}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
