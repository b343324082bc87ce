"""Does the pick hand over what a session needs? Share of needed entries within a token budget, against baselines.

Reads a folder with `entries.jsonl` and `sessions.jsonl` (see docs/reference/evaluation.md). The product's own focus,
score and pick are measured, nothing made for the measurement; the session's `note` and `needed` are never shown to
them. Tokens are raw counts of title and body; the margin of a client would shrink every ranking's budget alike.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from curator.edge.tokens import tokens
from curator.evals.files import rows, within
from curator.salience.item import Item
from curator.salience.pick import Budget, pick
from curator.salience.score import importance
from curator.snapshot.near import near
from curator.snapshot.relevance import Doc, Focus, Work, doc, focus, relevance, stems

BUDGETS = (800, 2_000, 4_000)
BUDGET = 2_000
_BYTES = 10**9  # the byte limit is not what is measured
Order = Callable[["_Session"], list[int]]


@dataclass(frozen=True)
class _Entry:
    item: Item
    doc: Doc
    created: str
    words: frozenset[str]


@dataclass(frozen=True)
class _Session:
    work: Work
    today: int
    needed: frozenset[str]
    seed: str

    @property
    def text(self) -> str:
        return " ".join(self.work.texts).strip()


def salience(path: Path) -> dict[str, Any]:
    """The evaluation document: `hit_rate` at 2,000 tokens, `by_budget`, `low_overlap` and the empty sessions apart."""
    entries = _entries(rows(within(path, "entries.jsonl"), ("id", "title", "body", "kind")))
    sessions = [_session(row) for row in rows(within(path, "sessions.jsonl"), ("id", "date", "needed", "checkpoint"))]
    orders = _baselines(entries)
    by_budget: dict[str, dict[str, float]] = {}
    for budget in BUDGETS:
        taken = {"curator": [_picked(entries, one, budget) for one in sessions]}
        taken |= {name: [_first(entries, order(one), budget) for one in sessions] for name, order in orders.items()}
        by_budget[str(budget)] = {name: _mean(sessions, found) for name, found in taken.items()}
        if budget == BUDGET:
            chosen = taken["curator"]
    empty = [at for at, one in enumerate(sessions) if not one.text]
    nothing = [at for at in empty if sessions[at].work.empty]
    return {
        "sessions": len(sessions),
        "budget": BUDGET,
        "hit_rate": by_budget[str(BUDGET)],
        "by_budget": by_budget,
        "low_overlap": _low_overlap(entries, sessions, chosen),
        "apart": {
            "empty_checkpoint": _some(sessions, chosen, [at for at in empty if at not in nothing]),
            "empty_everything": _some(sessions, chosen, nothing),
        },
    }


def _entries(found: Sequence[Mapping[str, Any]]) -> list[_Entry]:
    count = tokens().count
    alike = near([(str(row["id"]), f"{row['title']}\n{row['body']}") for row in found])
    made = []
    for row in found:
        human = bool(row.get("human_origin"))
        value, _ = importance(str(row["kind"]), human=human, choice=None, sightings=0)
        verified = str(row.get("last_verified") or row.get("created_at") or "2000-01-01")[:10]
        item = Item(
            str(row["id"]),
            str(row["kind"]),
            str(row["title"]),
            str(row["body"]),
            count(f"{row['title']}\n{row['body']}"),
            0,
            date.fromisoformat(verified).toordinal(),
            value,
            0.0,
            bool(row.get("pinned")),
            human,
            bool(row.get("stale")),
            near=alike.get(str(row["id"]), ()),
        )
        seen = doc(item.title, item.body, row.get("labels") or (), row.get("paths") or ())
        words = frozenset(stems(f"{item.title} {item.body}"))
        made.append(_Entry(item, seen, str(row.get("created_at", "")), words))
    return made


def _session(row: Mapping[str, Any]) -> _Session:
    known = row["checkpoint"]
    texts = (str(known.get("mission", "")), str(known.get("current_step", "")), *map(str, known.get("next_steps", ())))
    work = Work(texts, str(row.get("branch", "")), tuple(map(str, row.get("changed_files", ()))))
    needed = frozenset(str(one["id"]) for one in row["needed"])
    return _Session(work, date.fromisoformat(str(row["date"])).toordinal(), needed, str(row["id"]))


def _picked(entries: Sequence[_Entry], one: _Session, budget: int) -> set[str]:
    """What the product would hand over."""
    to = focus(one.work, [entry.doc for entry in entries]) if not one.work.empty else Focus()
    items = [entry.item._replace(relevance=relevance(to, entry.doc)) for entry in entries]
    return {taken.item.id for taken in pick(items, one.today, Budget(budget, _BYTES)).taken}


def _first(entries: Sequence[_Entry], order: Sequence[int], budget: int) -> set[str]:
    """Whole entries in an order until the budget is used; stale ones are held back for every ranking alike."""
    used, taken = 0, set()
    for at in order:
        item = entries[at].item
        if not item.stale and used + item.tokens <= budget:
            used += item.tokens
            taken.add(item.id)
    return taken


def _baselines(entries: Sequence[_Entry]) -> dict[str, Order]:
    """Orders to compare with, the last one shuffled by the session's id.

    BM25 with importance is their sum, the best word score made 1; rank fusion sums 1 / (60 + rank) of the two.
    """
    every = range(len(entries))
    newest = sorted(every, key=lambda at: (entries[at].created, entries[at].item.id), reverse=True)
    titles = sorted(every, key=lambda at: (entries[at].item.title, entries[at].item.id))
    weight = sorted(every, key=lambda at: (-entries[at].item.importance, entries[at].item.id))

    def shuffled(one: _Session) -> list[int]:
        return random.Random(one.seed).sample(list(every), len(entries))  # noqa: S311 - a baseline, not a secret

    def mixed(one: _Session) -> list[int]:
        words = _bm25(entries, one)
        best = max(words, default=0.0) or 1.0
        return _ordered(
            entries, [value / best + entry.item.importance for value, entry in zip(words, entries, strict=True)]
        )

    def fused(one: _Session) -> list[int]:
        values = [0.0] * len(entries)
        for order in (_ordered(entries, _bm25(entries, one)), weight):
            for rank, at in enumerate(order, 1):
                values[at] += 1 / (60 + rank)
        return _ordered(entries, values)

    return {
        "recency": lambda _: newest,
        "alphabet": lambda _: titles,
        "importance": lambda _: weight,
        "bm25": lambda one: _ordered(entries, _bm25(entries, one)),
        "bm25_importance": mixed,
        "rank_fusion": fused,
        "random": shuffled,
    }


def _ordered(entries: Sequence[_Entry], values: Sequence[float]) -> list[int]:
    return sorted(range(len(entries)), key=lambda at: (-values[at], entries[at].item.id))


def _bm25(entries: Sequence[_Entry], one: _Session) -> list[float]:
    """Plain BM25 (k1 1.2, b 0.75) of everything known of the session over title, body, labels and paths."""
    asked = set(stems(" ".join((one.text, one.work.branch, *one.work.files)).replace("/", " ").replace("-", " ")))
    total = len(entries)
    average = sum(entry.doc.length for entry in entries) / max(1, total)
    counts = {word: sum(1 for entry in entries if word in entry.doc.words) for word in asked}

    def value(entry: _Entry) -> float:
        scale = 1.2 * (0.25 + 0.75 * entry.doc.length / average)
        return sum(
            math.log(1 + (total - counts[word] + 0.5) / (counts[word] + 0.5)) * n * 2.2 / (n + scale)
            for word in sorted(asked & entry.doc.words.keys())
            if (n := entry.doc.words[word])
        )

    return [value(entry) for entry in entries]


def _low_overlap(entries: Sequence[_Entry], sessions: Sequence[_Session], chosen: Sequence[set[str]]) -> float:
    """Share found of the needed entries that have at most one word (stem) in common with the checkpoint's text."""
    found = total = 0
    for one, taken in zip(sessions, chosen, strict=True):
        said = set(stems(one.text))
        for entry in entries:
            if entry.item.id in one.needed and len(said & entry.words) <= 1:
                total += 1
                found += entry.item.id in taken
    return round(found / total, 4) if total else 0.0


def _mean(sessions: Sequence[_Session], found: Sequence[set[str]]) -> float:
    shares = [len(one.needed & taken) / len(one.needed) for one, taken in zip(sessions, found, strict=True)]
    return round(sum(shares) / len(shares), 4) if shares else 0.0


def _some(sessions: Sequence[_Session], found: Sequence[set[str]], places: Sequence[int]) -> dict[str, Any]:
    part = [sessions[at] for at in places]
    return {"sessions": len(part), "hit_rate": _mean(part, [found[at] for at in places])}
