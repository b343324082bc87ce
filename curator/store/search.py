"""Filtered, ranked reading of entries: the one query behind `search` and `list`.

Every filter is a bound value, never a pattern. What the index cannot promise literally (punctuation, long runs of
Chinese) is verified on the text itself before it counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlmodel import Session

from curator.store import index
from curator.store.words import folded, query_words, with_forms


@dataclass(frozen=True)
class Filters:
    """Empty fields do not narrow. `states` and `route` are vocabulary words; `contains` is literal, case-folded."""

    states: tuple[str, ...] = ("active",)
    route: str = ""
    kind: str = ""
    labels: tuple[str, ...] = ()
    any_labels: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    contains: str = ""
    since: datetime | None = None


@dataclass(frozen=True)
class Found:
    """Ids with their scores, best first, at most the limit; `total` counts all that matched."""

    ids: tuple[tuple[str, float], ...]
    total: int


def by_words(
    session: Session,
    project_id: str,
    words: str,
    filters: Filters,
    *,
    title_only: bool,
    every: bool,
    limit: int,
    forms: bool = False,
) -> Found:
    """Entries that hold all (or any) of the white-space-separated words of `words`, literally.

    With `forms` an English form of a word counts as the word, and nothing is verified literally.
    """
    terms = words.split()
    parts = [part for term in terms for part in query_words(term)]
    parts = with_forms(parts) if forms else parts
    if not parts:
        return _scan(session, project_id, terms, filters, title_only, every, limit)
    facets = _facets(filters)
    match, score, order, values = index.condition(
        session, parts, every=every, title_only=title_only, states=filters.states, facets=facets
    )
    exact = (forms or (every and all(_is_one_word(term) for term in terms))) and not _in_python(filters)
    if exact and not _beyond_facets(filters):
        return _counted(session, "entry_words w", match, score, order, values, limit)
    source = "entry_words w JOIN entry e ON e.project_id = w.project_id AND e.entry_id = w.entry_id"
    where, bound = _where(session, project_id, filters)
    values |= bound
    if exact:
        return _counted(session, source, f"{match} AND {where}", score, order, values, limit)
    columns = f"w.entry_id, {score} AS score, e.title, e.body"
    sql = f"SELECT {columns} FROM {source} WHERE {match} AND {where} ORDER BY {order}"
    rows = session.connection().execute(text(sql), values).all()
    labels = index_labels(session, project_id) if every else {}
    kept = [row for row in rows if _holds(row, labels, terms if every and not forms else [], filters, title_only)]
    return _cut([(row[0], float(row[1])) for row in kept], limit)


def _counted(
    session: Session, source: str, where: str, score: str, order: str, values: dict[str, Any], limit: int
) -> Found:
    counted = f"(SELECT count(*) FROM {source} WHERE {where})" if limit else "0"
    cut = f" LIMIT {int(limit)}" if limit else ""
    sql = f"SELECT w.entry_id, {score} AS score, {counted} FROM {source} WHERE {where} ORDER BY {order}{cut}"
    rows = session.connection().execute(text(sql), values).all()
    total = int(rows[0][2]) if limit and rows else len(rows)
    return Found(tuple((row[0], float(row[1])) for row in rows), total)


def _facets(filters: Filters) -> list[str]:
    return [index.facet(name, value) for name, value in (("kind", filters.kind), ("route", filters.route)) if value]


def _beyond_facets(filters: Filters) -> bool:
    return bool(filters.labels or filters.any_labels or filters.excluded or filters.contains or filters.since)


def all_of(session: Session, project_id: str, filters: Filters, limit: int) -> Found:
    """Entries by filters alone, newest change first."""
    where, values = _where(session, project_id, filters)
    order = "ORDER BY e.updated_at DESC, e.entry_id"
    if not _in_python(filters):
        total = session.connection().execute(text(f"SELECT count(*) FROM entry e WHERE {where}"), values).scalar_one()
        sql = f"SELECT e.entry_id FROM entry e WHERE {where} {order}{f' LIMIT {int(limit)}' if limit else ''}"
        rows = session.connection().execute(text(sql), values).all()
        return Found(tuple((row[0], 0.0) for row in rows), int(total))
    sql = f"SELECT e.entry_id, 0.0, e.title, e.body FROM entry e WHERE {where} {order}"
    rows = session.connection().execute(text(sql), values).all()
    return _cut([(row[0], 0.0) for row in rows if _holds(row, {}, [], filters, False)], limit)


def index_labels(session: Session, project_id: str) -> dict[str, str]:
    """Labels by entry id, folded and joined, for verifying words against them."""
    sql = text("SELECT entry_id, label FROM entry_label WHERE project_id = :project")
    found: dict[str, str] = {}
    for entry_id, label in session.connection().execute(sql, {"project": project_id}):
        found[entry_id] = f"{found.get(entry_id, '')} {folded(label)}"
    return found


def _scan(
    session: Session,
    project_id: str,
    terms: Sequence[str],
    filters: Filters,
    title_only: bool,
    every: bool,
    limit: int,
) -> Found:
    if not every:
        return Found((), 0)
    where, values = _where(session, project_id, filters)
    sql = f"SELECT e.entry_id, 0.0, e.title, e.body FROM entry e WHERE {where} ORDER BY e.updated_at DESC, e.entry_id"
    rows = session.connection().execute(text(sql), values).all()
    labels = index_labels(session, project_id)
    return _cut([(row[0], 0.0) for row in rows if _holds(row, labels, terms, filters, title_only)], limit)


def _where(session: Session, project_id: str, filters: Filters) -> tuple[str, dict[str, Any]]:
    values: dict[str, Any] = {"project": project_id}
    parts = ["e.project_id = :project"]

    def bind(column: str, wanted: Sequence[str], name: str) -> str:
        values.update({f"{name}{number}": value for number, value in enumerate(wanted)})
        return f"{column} IN ({', '.join(f':{name}{number}' for number in range(len(wanted)))})"

    labelled = "EXISTS (SELECT 1 FROM entry_label l WHERE l.project_id = e.project_id AND l.entry_id = e.entry_id AND "
    if filters.states:
        parts.append(bind("e.state", filters.states, "state"))
    if filters.route:
        parts.append(bind("e.route", [filters.route], "route"))
    if filters.kind:
        parts.append(bind("e.kind", [filters.kind], "kind"))
    parts += [
        labelled + bind("l.label", [label], f"label{number}_") + ")" for number, label in enumerate(filters.labels)
    ]
    if filters.any_labels:
        parts.append(labelled + bind("l.label", filters.any_labels, "any") + ")")
    if filters.excluded:
        parts.append(f"NOT {labelled}" + bind("l.label", filters.excluded, "not") + ")")
    if filters.contains and not _in_python(filters):
        like = "LIKE" if session.get_bind().dialect.name == "sqlite" else "ILIKE"
        escaped = filters.contains.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        parts.append(f"e.body {like} :contains ESCAPE '\\'")
        values["contains"] = f"%{escaped}%"
    if filters.since:
        parts.append("e.updated_at >= :since")
        sqlite = session.get_bind().dialect.name == "sqlite"
        values["since"] = filters.since.replace(tzinfo=None).isoformat(" ", "microseconds") if sqlite else filters.since
    return " AND ".join(parts), values


def _in_python(filters: Filters) -> bool:
    """Databases fold only ASCII alike; other scripts are compared here."""
    return bool(filters.contains) and not filters.contains.isascii()


def _holds(row: Any, labels: dict[str, str], terms: Sequence[str], filters: Filters, title_only: bool) -> bool:
    entry_id, _, title, body = row
    if _in_python(filters) and folded(filters.contains) not in folded(body):
        return False
    if not terms:
        return True
    whole = folded(title) if title_only else f"{folded(title)}\n{folded(body)}\n{entry_id}{labels.get(entry_id, '')}"
    return all(folded(term) in whole for term in terms)


def _is_one_word(term: str) -> bool:
    """Does a match of the index already prove that the word stands there literally?"""
    return term.isascii() and term.isalnum()


def _cut(ids: list[tuple[str, float]], limit: int) -> Found:
    return Found(tuple(ids[:limit] if limit else ids), len(ids))
