"""Makes the shipped weights again: `python -m curator.sweep.train FOLDER`.

FOLDER is in the formats of the measuring data (`routing/`, `pairs/`, `scale/`). Trained only on the texts of
`seeds/`, written for this project, and on rows whose licence is MIT, Apache-2.0 or BSD; a row of `scale/` has the
licence that the labelled files state for its repository. Only weights of cues and of words that stand in at least
six owners' notes are kept, never a text. `python -m curator.evals.cross FOLDER` measures what such judges are worth.
"""

import argparse
import gzip
import hashlib
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from curator.sweep.compare import Pair, content
from curator.sweep.cues import cues
from curator.sweep.linear import Features, Linear, dump, fit
from curator.sweep.measures import measures
from curator.sweep.slots import tokens
from curator.vocab import Kind, Relation

LICENCES = ("MIT", "Apache-2.0", "BSD")
PER_OWNER = 30
LABELS = {
    "duplicate": Relation.RESTATES,
    "updates": Relation.REFINES,
    "supersedes": Relation.REPLACES,
    "related_distinct": Relation.RELATED,
    "unrelated": Relation.DISTINCT,
}
OWN = "written for this project"
SEED_WEIGHT = {"pairs": 1.0, "more_pairs": 0.1}
"""What a row of each file of pairs counts; the second is large, and at full weight it would outvote measured rows."""
Row = tuple[Features, str, float, frozenset[str], str]
"""Features, label, weight, owners (none for seeds), licence (`OWN` for seeds)."""


def kind_rows(folder: Path) -> list[Row]:
    """Labelled notes that may be trained on: seeds, routing rows, and at most 30 scale notes a kind and owner."""
    rows: list[Row] = [(cues(text, title), kind, 2.0, frozenset(), OWN) for kind, title, text in _seeds("kinds")]
    known = set()
    for row in jsonl(folder / "routing" / "dev.jsonl"):
        known.add(row["text"][:80])
        if row["licence"] in LICENCES:
            rows.append((cues(row["text"], row["title"]), row["kind"], 3.0, owners_of(row["repo"]), row["licence"]))
    for row in notes(folder):
        if row["text"][:80] not in known:
            rows.append((cues(row["text"], row["title"]), row["kind"], 1.0, owners_of(row["repo"]), row["licence"]))
    return _balanced(rows)


def notes(folder: Path) -> list[dict[str, Any]]:
    """Labelled notes of `scale/` from repositories under a permitted licence, thinned by owner and kind."""
    allowed = {repo: licence for repo, licence in _licences(folder) if licence in LICENCES}
    found = [
        row | {"kind": row["kind"].removeprefix("note:"), "licence": allowed[row["repo"]]}
        for row in jsonl(folder / "scale" / "notes_100k.jsonl.gz")
        if row["kind"].startswith("note:") and row["repo"] in allowed
    ]
    random.Random(0).shuffle(found)  # noqa: S311 - a fixed order, not a secret
    taken: Counter[tuple[frozenset[str], str]] = Counter()
    kept = []
    for row in found:
        key = (owners_of(row["repo"]), row["kind"])
        taken[key] += 1
        if taken[key] <= PER_OWNER:
            kept.append(row)
    return kept


def pair_rows(folder: Path) -> list[Row]:
    """Labelled pairs that may be trained on: seeds, and pairs where both sides' licences permit it."""
    seeds = ((name, row) for name in SEED_WEIGHT for row in _seeds(name))
    rows: list[Row] = [
        (measures(Pair(a, b)), label, SEED_WEIGHT[name], frozenset(), OWN) for name, (label, a, b) in seeds
    ]
    for row in jsonl(folder / "pairs" / "dev.jsonl"):
        if row["licence_a"] in LICENCES and row["licence_b"] in LICENCES:
            owners = owners_of(row["repo_a"], row["repo_b"])
            licence = " and ".join(sorted({row["licence_a"], row["licence_b"]}))
            rows.append((measures(Pair(row["a"], row["b"])), LABELS[row["label"]].value, 1.0, owners, licence))
    return _balanced(rows)


def word_weights(folder: Path) -> dict[str, float]:
    """How little a frequent word says, 0..1: the logarithm of its rarity over that of a word seen once."""
    owners: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    seen: Counter[str] = Counter()
    rows = notes(folder)
    for row in rows:
        for word in content(tokens(f"{row['title']}. {row['text']}")):
            owners[word].add(owners_of(row["repo"]))
            seen[word] += 1
    whole = math.log(len(rows))
    return {
        word: round(math.log(len(rows) / seen[word]) / whole, 2)
        for word in sorted(seen)
        if len(owners[word]) >= 6 and seen[word] >= 12 and not any(char.isdigit() for char in word)
    }


def train(rows: Sequence[Row], labels: Sequence[str], penalty: float) -> Linear:
    """The judge that these rows make."""
    return fit([(features, label, weight) for features, label, weight, *_ in rows], labels, penalty)


def sources(rows: Sequence[Row]) -> dict[str, int | str]:
    """What a judge was trained on: the number of rows by licence, and a digest of them all."""
    counts = Counter(licence for *_, licence in rows)
    digest = hashlib.sha256(json.dumps([(features, label) for features, label, *_ in rows]).encode()).hexdigest()
    return {**dict(sorted(counts.items())), "digest": digest[:16]}


PENALTY = {"kinds": 0.004, "relations": 0.01}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the weights beside this module."""
    parser = argparse.ArgumentParser(prog="python -m curator.sweep.train", description=__doc__)
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args(arguments)
    here = Path(str(resources.files("curator.sweep"))) / "weights"
    (here / "words.json").write_text(json.dumps(word_weights(chosen.folder), ensure_ascii=False, indent=0) + "\n")
    for name, rows, labels in (
        ("kinds", kind_rows, [kind.value for kind in Kind]),
        ("relations", pair_rows, [relation.value for relation in LABELS.values()]),
    ):
        make: Callable[[Path], list[Row]] = rows
        made = make(chosen.folder)
        (here / f"{name}.json").write_text(dump(train(made, labels, PENALTY[name]), sources(made)))
    return 0


def _balanced(rows: list[Row]) -> list[Row]:
    """The rows with each label's weights brought to the same sum."""
    sums: dict[str, float] = {}
    for _, label, weight, *_ in rows:
        sums[label] = sums.get(label, 0.0) + weight
    total = sum(sums.values()) / len(sums)
    return [(row[0], row[1], row[2] * total / sums[row[1]], row[3], row[4]) for row in rows]


def _seeds(name: str) -> Iterator[list[str]]:
    text = resources.files("curator.sweep").joinpath("seeds", f"{name}.jsonl").read_text(encoding="utf-8")
    return (json.loads(line) for line in text.splitlines())


def _licences(folder: Path) -> Iterator[tuple[str, str]]:
    for row in jsonl(folder / "routing" / "dev.jsonl"):
        yield row["repo"], row["licence"]
    for row in jsonl(folder / "pairs" / "dev.jsonl"):
        yield row["repo_a"], row["licence_a"]
        yield row["repo_b"], row["licence_b"]


def owners_of(*repos: str) -> frozenset[str]:
    """Whose repositories these are."""
    return frozenset(repo.partition("/")[0].lower() for repo in repos)


def jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, packed or not."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return (json.loads(line) for line in text.split("\n") if line.strip())


if __name__ == "__main__":
    sys.exit(main())
