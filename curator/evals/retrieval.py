"""How well what is asked for is found: hit@1, recall@10, nDCG@10 and MRR@10 over known answers.

Reads `locomo10.json` as published (unit = a turn with its date, questions of categories 1-4) or a folder with
`notes*.jsonl[.gz]`, `known_item_queries.json` and `known_item_pool_ids.json`. Ranks with the same words and index as
the product's search; with an embedding model also by cosine + 0.3 x words, as `search --similar` does.
"""

import math
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.errors import BadUsage
from curator.evals.files import document, rows
from curator.ports import Embed
from curator.store.words import index_words
from curator.sweep.compare import frequencies
from curator.sweep.slots import STOP

_ASKING = STOP | {"did", "do", "does", "how", "many", "much", "long", "whose", "kind", "type"}
_WORDS = 16


@dataclass(frozen=True)
class Collection:
    """Units that can be found, and queries with the units that answer them."""

    units: tuple[tuple[str, str, str], ...]
    queries: tuple[tuple[str, frozenset[str]], ...]


def retrieval(path: Path, embed: Embed | None = None) -> dict[str, Any]:
    """The evaluation document; `mode` names what ranked."""
    totals = {"hit1": 0.0, "recall10": 0.0, "ndcg10": 0.0, "mrr10": 0.0}
    n = 0
    for collection in collections(path):
        for (_, gold), ranked in zip(collection.queries, _rankings(collection, embed), strict=True):
            n += 1
            for name, value in scores(ranked, gold).items():
                totals[name] += value
    shares = {name: round(value / n, 4) if n else 0.0 for name, value in totals.items()}
    return {"n": n, **shares, "mode": f"words + {embed.name}" if embed else "words"}


def scores(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """The four measures for one query's first ten hits."""
    hits = [unit in gold for unit in ranked[:10]]
    gain = sum(1 / math.log2(place + 2) for place, hit in enumerate(hits) if hit)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    return {
        "hit1": float(bool(hits and hits[0])),
        "recall10": sum(hits) / len(gold) if gold else 0.0,
        "ndcg10": gain / ideal if ideal else 0.0,
        "mrr10": next((1 / (place + 1) for place, hit in enumerate(hits) if hit), 0.0),
    }


def collections(path: Path) -> Iterator[Collection]:
    """The collections of a file or folder."""
    if path.is_dir() and not (path / "known_item_queries.json").exists():
        path = path / "locomo10.json"
    if path.is_dir():
        yield _known_items(path)
        return
    value = document(path)
    if not isinstance(value, list):
        raise BadUsage(f"{path} is not in the format of locomo10.json")
    for conversation in value:
        yield _conversation(conversation)


def _known_items(folder: Path) -> Collection:
    files = sorted(folder.glob("notes*.jsonl*"))
    if not files:
        raise BadUsage(f"{folder} has no notes*.jsonl")
    notes = [row for file in files for row in rows(file, ("id", "title", "text"))]
    pool_file = folder / "known_item_pool_ids.json"
    pool = set(document(pool_file)) if pool_file.exists() else {row["id"] for row in notes}
    queries = document(folder / "known_item_queries.json")
    # The queries are titles: a unit is found by its text, else the title would find itself.
    units = tuple((str(row["id"]), "", str(row["text"])) for row in notes if row["id"] in pool)
    return Collection(units, tuple((str(q["query"]), frozenset([str(q["gold"])])) for q in queries))


def _conversation(value: dict[str, Any]) -> Collection:
    said = value["conversation"]
    units = [
        (str(turn["dia_id"]), str(said.get(f"{name}_date_time", "")), f"{turn.get('speaker', '')}: {turn['text']}")
        for name, turns in said.items()
        if isinstance(turns, list)
        for turn in turns
    ]
    queries = [
        (str(qa["question"]), frozenset(str(e) for e in qa.get("evidence") or ()))
        for qa in value["qa"]
        if qa.get("category") in (1, 2, 3, 4) and qa.get("evidence")
    ]
    return Collection(tuple(units), tuple(queries))


def _rankings(collection: Collection, embed: Embed | None) -> Iterator[list[str]]:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE unit USING fts5(title, body)")
    base.executemany(
        "INSERT INTO unit(rowid, title, body) VALUES (?, ?, ?)",
        (
            (n, " ".join(index_words(title)), " ".join(index_words(text)))
            for n, (_, title, text) in enumerate(collection.units)
        ),
    )
    vectors = embed.vectors([f"{title} {text}" for _, title, text in collection.units]) if embed else []
    asked = embed.vectors([query for query, _ in collection.queries]) if embed else []
    for n, (query, _) in enumerate(collection.queries):
        found = _by_words(base, query)
        if embed:
            found = _fused(found, _cosines(asked[n], vectors))
        yield [collection.units[at][0] for at in found[:10]]
    base.close()


def _by_words(base: sqlite3.Connection, query: str) -> list[int]:
    words = [
        word for word in dict.fromkeys(index_words(query)) if word not in _ASKING and word.lstrip("~") not in _ASKING
    ]
    words.sort(key=lambda word: -frequencies().get(word.lstrip("~"), 1.0))
    if not words:
        return []
    match = " OR ".join('"' + word.replace('"', '""') + '"' for word in words[:_WORDS])
    sql = "SELECT rowid FROM unit WHERE unit MATCH ? ORDER BY bm25(unit, 1.0, 1.0), rowid LIMIT 100"
    return [row[0] for row in base.execute(sql, (match,))]


def _cosines(query: Sequence[float], vectors: Sequence[Sequence[float]]) -> list[float]:
    import numpy  # an embedding model brings it; 60 ms

    found: list[float] = (numpy.asarray(vectors) @ numpy.asarray(query)).tolist()
    return found


def _fused(words: Sequence[int], cosines: Sequence[float]) -> list[int]:
    value = dict(enumerate(cosines))
    for place, n in enumerate(words):
        value[n] += 0.3 / (1 + place)
    return sorted(value, key=lambda n: (-value[n], n))
