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


Text = tuple[str, str, Sequence[str], str]
"""Entry id, title, labels, body."""


def put(session: Session, project_id: str, entry_id: str, title: str, labels: Sequence[str], body: str) -> None:
    """Index an entry's present text, replacing what was there."""
    put_many(session, project_id, [(entry_id, title, labels, body)])


def put_many(session: Session, project_id: str, texts: Sequence[Text]) -> None:
    """Index the present texts of many entries, replacing what was there."""
    drop_many(session, project_id, [entry_id for entry_id, *_ in texts])
    if _sqlite(session):
        statement = (
            "INSERT INTO entry_words(rowid, project_id, entry_id, title, labels, body) "
            "VALUES (:row, :project, :entry, :title, :labels, :body)"
        )
    else:
        statement = "INSERT INTO entry_words VALUES (:project, :entry, CAST(:words AS tsvector))"
    if texts:
        make = _sqlite_row if _sqlite(session) else _postgres_row
        session.connection().execute(text(statement), [make(project_id, *each) for each in texts])


def drop(session: Session, project_id: str, entry_id: str) -> None:
    """Take an entry out of the index."""
    drop_many(session, project_id, [entry_id])


def drop_many(session: Session, project_id: str, entry_ids: Sequence[str]) -> None:
    """Take entries out of the index."""
    if _sqlite(session):
        statement = "DELETE FROM entry_words WHERE rowid = :row"
    else:
        statement = "DELETE FROM entry_words WHERE project_id = :project AND entry_id = :entry"
    values = [
        {"row": row_number(project_id, entry_id)} if _sqlite(session) else {"project": project_id, "entry": entry_id}
        for entry_id in entry_ids
    ]
    if values:
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
    if not any(word.strip("*") for part in parts for word in part):
        return []
    where, score, values = condition(session, parts, every=every, title_only=title_only)
    names = ", ".join(f":state{number}" for number in range(len(states)))
    statement = (
        f"SELECT w.entry_id, {score} AS score FROM entry_words w "
        "JOIN entry e ON e.project_id = w.project_id AND e.entry_id = w.entry_id "
        f"WHERE {where} AND w.project_id = :project AND e.state IN ({names}) "
        "ORDER BY score DESC, w.entry_id" + (f" LIMIT {int(limit)}" if limit else "")
    )
    values |= {"project": project_id, **{f"state{number}": state for number, state in enumerate(states)}}
    return [(row[0], float(row[1])) for row in session.connection().execute(text(statement), values)]


def condition(
    session: Session, parts: Sequence[Sequence[str]], *, every: bool, title_only: bool = False
) -> tuple[str, str, dict[str, object]]:
    """For a statement over `entry_words w`: the condition, the score (larger is better) and the bound values.

    `parts` are alternatives, not empty; all must match when `every`, else any.
    """
    wanted = [[word for word in part if word.strip("*")] for part in parts]
    wanted = [part for part in wanted if part]
    if _sqlite(session):
        groups = ["(" + " OR ".join(_quoted(word) for word in part) + ")" for part in wanted]
        query = (" AND " if every else " OR ").join(groups)
        values: dict[str, object] = {"words": f"title : ({query})" if title_only else query}
        return "entry_words MATCH :words", f"-bm25(entry_words, {_WEIGHTS})", values
    weight = "A" if title_only else ""
    groups = ["(" + " | ".join(_lexeme(word, weight) for word in part) + ")" for part in wanted]
    values = {"words": (" & " if every else " | ").join(groups)}
    score = "ts_rank('{0.1, 0.25, 0.75, 1.0}', w.words, CAST(:words AS tsquery), 1)"
    return "w.words @@ CAST(:words AS tsquery)", score, values


def row_number(project_id: str, entry_id: str) -> int:
    """A positive 62-bit number for the row of an entry."""
    digest = hashlib.sha256(f"{project_id}\0{entry_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 2


def _sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"


def _quoted(word: str) -> str:
    return '"' + word.rstrip("*").replace('"', '""') + '"' + ("*" if word.endswith("*") else "")


def _lexeme(word: str, weight: str) -> str:
    mark = ("*" if word.endswith("*") else "") + weight
    return "'" + word.rstrip("*").replace("\\", "\\\\").replace("'", "''") + "'" + (f":{mark}" if mark else "")


def _words(entry_id: str, title: str, labels: Sequence[str], body: str) -> dict[str, str]:
    columns = {"title": title, "labels": " ".join([entry_id, *labels]), "body": body}
    return {name: " ".join(index_words(value)) for name, value in columns.items()}


def _sqlite_row(project_id: str, entry_id: str, title: str, labels: Sequence[str], body: str) -> dict[str, str | int]:
    words = _words(entry_id, title, labels, body)
    return {"row": row_number(project_id, entry_id), "project": project_id, "entry": entry_id, **words}


def _postgres_row(project_id: str, entry_id: str, title: str, labels: Sequence[str], body: str) -> dict[str, str | int]:
    return {"project": project_id, "entry": entry_id, "words": _lexemes(_words(entry_id, title, labels, body))}


def _lexemes(words: dict[str, str]) -> str:
    out: list[str] = []
    position = 0
    for name, weight in (("title", "A"), ("labels", "B"), ("body", "D")):
        for word in words[name].split():
            position = min(position + 1, 16_383)
            out.append(f"{_lexeme(word, '')}:{position}{weight}")
    return " ".join(out)
