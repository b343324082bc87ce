"""The full-text index over entries, and the only place that knows how each database does it.

Rows are addressed by a number derived from project and entry, so that a change never scans. Every word is quoted:
nothing a person types is ever a query language.
"""

import hashlib
from collections.abc import Sequence

from sqlalchemy import text
from sqlmodel import Session

from curator.store.words import index_words

_WEIGHTS = "0.0, 0.0, 4.0, 3.0, 1.0"


def put(session: Session, project_id: str, entry_id: str, title: str, labels: Sequence[str], body: str) -> None:
    """Index an entry's present text, replacing what was there."""
    drop(session, project_id, entry_id)
    values: dict[str, str | int]
    columns = {"title": title, "labels": " ".join(labels), "body": body}
    words = {name: " ".join(index_words(value)) for name, value in columns.items()}
    if _sqlite(session):
        statement = (
            "INSERT INTO entry_words(rowid, project_id, entry_id, title, labels, body) "
            "VALUES (:row, :project, :entry, :title, :labels, :body)"
        )
        values = {"row": row_number(project_id, entry_id), "project": project_id, "entry": entry_id, **words}
    else:
        statement = "INSERT INTO entry_words VALUES (:project, :entry, CAST(:words AS tsvector))"
        values = {"project": project_id, "entry": entry_id, "words": _lexemes(words)}
    session.connection().execute(text(statement), values)


def drop(session: Session, project_id: str, entry_id: str) -> None:
    """Take an entry out of the index."""
    values: dict[str, str | int]
    if _sqlite(session):
        statement, values = "DELETE FROM entry_words WHERE rowid = :row", {"row": row_number(project_id, entry_id)}
    else:
        statement = "DELETE FROM entry_words WHERE project_id = :project AND entry_id = :entry"
        values = {"project": project_id, "entry": entry_id}
    session.connection().execute(text(statement), values)


def match(
    session: Session,
    project_id: str,
    parts: Sequence[Sequence[str]],
    *,
    every: bool,
    states: Sequence[str] = ("active",),
    title_only: bool = False,
    limit: int = 0,
) -> list[tuple[str, float]]:
    """Entry ids with a score (larger is better), best first, ties by id.

    `parts` are alternatives; all must match when `every`, else any. `limit` 0 gives all. Only entries in `states`.
    """
    wanted = [[word for word in part if word.strip("*")] for part in parts]
    wanted = [part for part in wanted if part]
    if not wanted:
        return []
    query = _sqlite_match if _sqlite(session) else _postgres_match
    return query(session, project_id, wanted, every, states, title_only, limit)


def row_number(project_id: str, entry_id: str) -> int:
    """A positive 62-bit number for the row of an entry."""
    digest = hashlib.sha256(f"{project_id}\0{entry_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 2


def _sqlite_match(
    session: Session,
    project_id: str,
    parts: list[list[str]],
    every: bool,
    states: Sequence[str],
    title_only: bool,
    limit: int,
) -> list[tuple[str, float]]:
    groups = ["(" + " OR ".join(_quoted(word) for word in part) + ")" for part in parts]
    query = (" AND " if every else " OR ").join(groups)
    statement = (
        f"SELECT w.entry_id, bm25(entry_words, {_WEIGHTS}) AS score FROM entry_words w "
        "JOIN entry e ON e.project_id = w.project_id AND e.entry_id = w.entry_id "
        f"WHERE entry_words MATCH :query AND w.project_id = :project AND e.state IN ({_names(states)}) "
        "ORDER BY score, w.entry_id" + (f" LIMIT {int(limit)}" if limit else "")
    )
    values = {"query": f"title : ({query})" if title_only else query, "project": project_id, **_bound(states)}
    return [(row[0], -float(row[1])) for row in session.connection().execute(text(statement), values)]


def _postgres_match(
    session: Session,
    project_id: str,
    parts: list[list[str]],
    every: bool,
    states: Sequence[str],
    title_only: bool,
    limit: int,
) -> list[tuple[str, float]]:
    weight = "A" if title_only else ""
    groups = ["(" + " | ".join(_lexeme(word, weight) for word in part) + ")" for part in parts]
    query = (" & " if every else " | ").join(groups)
    statement = (
        "SELECT w.entry_id, ts_rank('{0.1, 0.25, 0.75, 1.0}', w.words, q.query, 1) AS score "
        "FROM entry_words w JOIN entry e ON e.project_id = w.project_id AND e.entry_id = w.entry_id, "
        "(SELECT CAST(:query AS tsquery) AS query) q "
        f"WHERE w.words @@ q.query AND w.project_id = :project AND e.state IN ({_names(states)}) "
        "ORDER BY score DESC, w.entry_id" + (f" LIMIT {int(limit)}" if limit else "")
    )
    values = {"query": query, "project": project_id, **_bound(states)}
    return [(row[0], float(row[1])) for row in session.connection().execute(text(statement), values)]


def _sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"


def _quoted(word: str) -> str:
    return '"' + word.rstrip("*").replace('"', '""') + '"' + ("*" if word.endswith("*") else "")


def _lexeme(word: str, weight: str) -> str:
    mark = ("*" if word.endswith("*") else "") + weight
    return "'" + word.rstrip("*").replace("\\", "\\\\").replace("'", "''") + "'" + (f":{mark}" if mark else "")


def _lexemes(words: dict[str, str]) -> str:
    out: list[str] = []
    position = 0
    for name, weight in (("title", "A"), ("labels", "B"), ("body", "D")):
        for word in words[name].split():
            position = min(position + 1, 16_383)
            out.append(f"{_lexeme(word, '')}:{position}{weight}")
    return " ".join(out)


def _names(states: Sequence[str]) -> str:
    return ", ".join(f":state{number}" for number in range(len(states)))


def _bound(states: Sequence[str]) -> dict[str, str]:
    return {f"state{number}": state for number, state in enumerate(states)}
