"""Likeness by meaning: cosines of one model's vectors, its threshold, and how that is measured.

Owns comparing vectors. Vectors of two models are never compared: every one is read by its model's name, and no
query vector is kept.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sqlmodel import Session

from curator.edge.embed import PACKAGED, UNKNOWN_LIMIT
from curator.errors import CuratorError
from curator.ports import Embed
from curator.store import vectors
from curator.store.engine import Store
from curator.store.tables import Fact
from curator.sweep.nominate import comparable

BUILT_IN = {PACKAGED: 0.3}
"""Thresholds measured once for known models; see docs/measurements.md."""

AT_ONCE = 256
"""Entries without a vector that a search may embed by itself; more need `curator db reembed`."""

BATCH = 64


@dataclass(frozen=True)
class Meanings:
    """A model, and where its cut-off lies (None = it has none yet)."""

    embed: Embed
    threshold: float | None

    @property
    def name(self) -> str:
        """The model's name."""
        return self.embed.name

    def scores(self, session: Session, project_id: str, text: str) -> Mapping[str, float] | str:
        """Cosine by entry id, or the sentence that says why there are none."""
        if self.embed.unknown_share(text) > UNKNOWN_LIMIT:
            return f"by words only: {self.name} does not know most of these words"
        there = vectors.stored(session, project_id, self.name)
        others = {name: n for name, n in vectors.models(session, project_id).items() if name != self.name}
        lacking = vectors.missing(session, project_id, self.name, AT_ONCE + 1)
        if lacking and not there and (others or len(lacking) > AT_ONCE):
            return f"by words only: no vectors of {self.name} yet; make them with: curator db reembed"
        made: dict[str, Sequence[float]] = {}
        if lacking and len(lacking) <= AT_ONCE and not others:
            made = dict(zip((row[0] for row in lacking), self._vectors(lacking), strict=True))
        (query,) = self.embed.vectors([text])
        found = cosines(query, there)
        if made:
            by_hash = cosines(query, {key: array("f", vector) for key, vector in made.items()})
            found |= {entry_id: by_hash[key] for entry_id, key in _holders(session, project_id, made)}
        return found

    def _vectors(self, rows: Sequence[tuple[str, str, str]]) -> list[list[float]]:
        return self.embed.vectors([comparable(title, body) for _, title, body in rows])


def meaning(store: Store, embed: Embed | None) -> Meanings | None:
    """The model in use with the threshold that holds for it: the setting, else the measured, else the built-in one."""
    if embed is None:
        return None
    if store.settings.threshold:
        return Meanings(embed, store.settings.threshold)
    with store.read() as session:
        fact = session.get(Fact, (store.project_id, f"threshold {embed.name}"))
    measured = float(fact.value["threshold"]) if fact else None
    return Meanings(embed, BUILT_IN.get(embed.name) if measured is None else measured)


def reembed(store: Store, embed: Embed, step: Callable[[int, int], None] | None = None) -> int:
    """Give every active entry a vector of this model, then drop the other models' vectors; returns how many were made.

    Each batch is stored by itself: killed half-way it goes on where it stopped.
    """
    with store.read() as session:
        rows = vectors.missing(session, store.project_id, embed.name)
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        made = embed.vectors([comparable(title, body) for _, title, body in part])
        with store.write() as session:
            vectors.put(session, store.project_id, embed.name, {row[0]: v for row, v in zip(part, made, strict=True)})
        if step:
            step(min(len(rows), start + BATCH), len(rows))
    with store.write() as session:
        vectors.keep_only(session, store.project_id, [embed.name])
    return len(rows)


def calibrate(store: Store, embed: Embed, labelled: Sequence[Mapping[str, Any]], now: datetime) -> dict[str, Any]:
    """Measure and keep the threshold of this model on rows `{q, note, relevant}`; `note` is an entry id or a text.

    Without rows the store itself is the set: a title should find its own body and no other.
    Raises `CuratorError` where there is nothing to tell apart.
    """
    pairs = _of_rows(store, labelled) if labelled else _of_store(store)
    if not any(relevant for *_, relevant in pairs) or all(relevant for *_, relevant in pairs):
        raise CuratorError("there is nothing to calibrate on: relevant and irrelevant pairs are needed")
    texts = list(dict.fromkeys(text for q, note, _ in pairs for text in (q, note)))
    by_text = dict(zip(texts, embed.vectors(texts), strict=True))
    scored = [(_dot(by_text[q], by_text[note]), relevant) for q, note, relevant in pairs]
    threshold, balanced = best_cut(scored)
    value = {"model": embed.name, "threshold": threshold, "balanced_accuracy": balanced, "n": len(scored)}
    with store.write() as session:
        session.merge(Fact(project_id=store.project_id, key=f"threshold {embed.name}", value=value, at=now))
    return value


def best_cut(scored: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """The cut that tells relevant from irrelevant best (mean of both shares right), in the middle of its gap."""
    good = sum(relevant for _, relevant in scored)
    bad = len(scored) - good
    values = sorted({score for score, _ in scored})
    cuts = [(a + b) / 2 for a, b in pairwise(values)] or values
    best = (0.0, cuts[0])
    for cut in cuts:
        hits = sum(relevant and score >= cut for score, relevant in scored) / max(1, good)
        held = sum(not relevant and score < cut for score, relevant in scored) / max(1, bad)
        best = max(best, ((hits + held) / 2, cut), key=lambda each: each[0])
    return round(best[1], 4), round(best[0], 4)


class Nearest:
    """The vectors of one model, laid side by side once for many questions."""

    def __init__(self, embed: Embed, there: "Mapping[str, array[float]]") -> None:
        self._embed, self._there = embed, there
        self._matrix = _matrix(list(there.values()))

    def __call__(self, text: str, cut: float, most: int) -> dict[str, float]:
        """At most so many ids with a cosine of at least `cut`, the nearest first; none for a text not understood."""
        if self._embed.unknown_share(text) > UNKNOWN_LIMIT:
            return {}
        (query,) = self._embed.vectors([text])
        found = cosines(query, self._there, self._matrix)
        best = sorted(found.items(), key=lambda each: (-each[1], each[0]))[:most]
        return {entry_id: score for entry_id, score in best if score >= cut}


def cosines(query: Sequence[float], there: "Mapping[str, array[float]]", matrix: Any = None) -> dict[str, float]:
    """Cosine of each vector with one of the same width; numpy does many at once where it is installed."""
    same = {key: vector for key, vector in there.items() if len(vector) == len(query)}
    if matrix is None or len(same) < len(there):
        matrix = _matrix(list(same.values()))
    if matrix is None:
        return {key: round(_dot(query, vector), 4) for key, vector in same.items()}
    return {key: round(float(score), 4) for key, score in zip(same, matrix @ _row(query), strict=True)}


def _matrix(rows: "Sequence[array[float]]") -> Any:
    """The vectors as one matrix; None where there are few, or numpy is not installed."""
    if len(rows) < 200 or len({len(row) for row in rows}) > 1:
        return None
    try:
        import numpy  # comes with the extra `semantic`; 90 ms
    except ImportError:
        return None
    flat = numpy.frombuffer(b"".join(row.tobytes() for row in rows), dtype="float32")
    return flat.reshape(len(rows), len(rows[0]))


def _row(query: Sequence[float]) -> Any:
    import numpy

    return numpy.asarray(query, dtype="float32")


def _dot(one: Sequence[float], two: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True))


def _holders(session: Session, project_id: str, made: Mapping[str, object]) -> list[tuple[str, str]]:
    from sqlmodel import col, select

    from curator.store.tables import Entry

    query = select(Entry.entry_id, Entry.content_hash).where(
        Entry.project_id == project_id, Entry.state == "active", col(Entry.content_hash).in_(list(made))
    )
    return [(row[0], row[1]) for row in session.exec(query)]


def _texts(store: Store, limit: int) -> dict[str, tuple[str, str]]:
    from sqlmodel import col, select

    from curator.store.tables import Entry

    with store.read() as session:
        query = select(Entry.entry_id, Entry.title, Entry.body).where(
            Entry.project_id == store.project_id, Entry.state == "active"
        )
        return {row[0]: (row[1], row[2]) for row in session.exec(query.order_by(col(Entry.entry_id)).limit(limit))}


def _of_rows(store: Store, labelled: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, bool]]:
    known = {key: comparable(title, body) for key, (title, body) in _texts(store, 100_000).items()}
    return [(str(r["q"]), known.get(str(r["note"]), str(r["note"])), bool(r["relevant"])) for r in labelled]


def _of_store(store: Store) -> list[tuple[str, str, bool]]:
    told = [(title, body) for title, body in _texts(store, 400).values() if title not in body and len(body) > 20]
    pairs = []
    for n, (title, body) in enumerate(told):
        pairs.append((title, body, True))
        pairs += [(title, told[(n + step) % len(told)][1], False) for step in (1, 2, 3) if len(told) > step]
    return pairs
