"""The full-text index over entries, and the only place that knows how each database does it.

Rows are addressed by a number derived from project and entry, so that a change never scans. Every word is quoted:
nothing a person types is ever a query language.
"""

import hashlib
import sys
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from curator.store.words import index_words
from curator.vocab import EntryState

_WEIGHTS = "0.0, 0.0, 10.0, 5.0, 1.0"
_RANKING = f"bm25({_WEIGHTS})"
_LONGEST = 500
"""Characters of a word that PostgreSQL's index holds: it refuses a word over 2,046 bytes."""


class Text(NamedTuple):
    """What is indexed of an entry; state, kind and route are facets, so that a filter never leaves the index.

    Nearly every entry is active, and a word that is in every row is the dearest to look up: queries exclude the
    other states instead of asking for this one.
    """

    entry_id: str
    title: str
    labels: Sequence[str]
    body: str
    state: str
    kind: str
    route: str

    @property
    def facets(self) -> str:
        """The facets as index words, which no text can hold: `~` begins only stems, and those have no `_`."""
        return " ".join(facet(name, getattr(self, name)) for name in ("state", "kind", "route"))


def facet(name: str, value: str) -> str:
    """The index word of one facet."""
    return f"~{name}_{value.replace('-', '_')}"


def put(session: Session, project_id: str, said: Text) -> None:
    """Index an entry's present text, replacing what was there."""
    put_many(session, project_id, [said])


def put_many(session: Session, project_id: str, texts: Sequence[Text]) -> None:
    """Index the present texts of many entries, replacing what was there."""
    drop_many(session, project_id, [said.entry_id for said in texts])
    if _sqlite(session):
        statement = (
            "INSERT INTO entry_words(rowid, project_id, entry_id, title, labels, body) "
            "VALUES (:row, :project, :entry, :title, :labels, :body)"
        )
    else:
        statement = "INSERT INTO entry_words VALUES (:project, :entry, CAST(:words AS tsvector))"
    if texts:
        make = _sqlite_row if _sqlite(session) else _postgres_row
        session.connection().execute(text(statement), [make(project_id, said) for said in texts])


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
    where, score, order, values = condition(session, parts, every=every, title_only=title_only, states=states)
    statement = (
        f"SELECT w.entry_id, {score} AS score FROM entry_words w WHERE {where} AND w.project_id = :project "
        f"ORDER BY {order}" + (f" LIMIT {int(limit)}" if limit else "")
    )
    rows = session.connection().execute(text(statement), {**values, "project": project_id})
    return [(row[0], float(row[1])) for row in rows]


Row = int | str
"""How the index names a row: its number on SQLite, the entry's id on PostgreSQL."""


def holding(session: Session, project_id: str, parts: Sequence[Sequence[str]], most: int = 0) -> list[Sequence[Row]]:
    """For each part the rows that hold one of its words, in order and not scored, entries in any state.

    A part that more than `most` rows hold has `most` + 1 of them (0 = all). On SQLite the rows of every project in the
    file are given: to leave others out would read the rows themselves; `words_of` does it.
    """
    found: list[Sequence[Row]] = []
    if _sqlite(session):
        cursor = session.connection().connection.cursor()
        for part in parts:
            words = " OR ".join(_quoted(word) for word in part)
            cursor.execute(
                "SELECT rowid FROM entry_words WHERE entry_words MATCH ? LIMIT ?", (words, most + 1 if most else -1)
            )
            found.append(array("q", [row[0] for row in cursor.fetchall()]))
        return found
    statement = "SELECT entry_id FROM entry_words WHERE words @@ CAST(:words AS tsquery) AND project_id = :project" + (
        f" LIMIT {most + 1}" if most else ""
    )
    for part in parts:
        values = {"words": " | ".join(_lexeme(word, "") for word in part), "project": project_id}
        found.append(sorted(map(sys.intern, session.connection().execute(text(statement), values).scalars())))
    return found


def words_of(session: Session, project_id: str, rows: Sequence[Row]) -> list[tuple[str, set[str]]]:
    """The entry of each of these rows that are of this project, with the index words of its text, stems too."""
    if not rows:
        return []
    if _sqlite(session):
        marks = ", ".join("?" * len(rows))
        cursor = session.connection().connection.cursor()
        columns = "entry_id, title || ' ' || body, project_id"
        cursor.execute(f"SELECT {columns} FROM entry_words WHERE rowid IN ({marks})", tuple(rows))
        return [(row[0], set(row[1].split())) for row in cursor.fetchall() if row[2] == project_id]
    statement = "SELECT entry_id, tsvector_to_array(words) FROM entry_words WHERE project_id = :project"
    found = session.connection().execute(
        text(f"{statement} AND entry_id = ANY(:rows)"), {"project": project_id, "rows": list(rows)}
    )
    return [(row[0], set(row[1])) for row in found]


def not_active() -> tuple[str, ...]:
    """The words that rows of entries in any state but active hold."""
    return tuple(facet("state", state.value) for state in EntryState if state is not EntryState.ACTIVE)


def condition(
    session: Session,
    parts: Sequence[Sequence[str]],
    *,
    every: bool,
    title_only: bool = False,
    states: Sequence[str] = (),
    facets: Sequence[str] = (),
) -> tuple[str, str, str, dict[str, object]]:
    """For a statement over `entry_words w`: condition, score (larger is better), order, and the bound values.

    `parts` are alternatives, not empty; all must match when `every`, else any. Only rows in one of `states` (none
    given: in any) and with each of `facets` match.
    On SQLite the order is the index's own, which reads no text; equal scores stand by the row's number.
    """
    wanted = [[word for word in part if word.strip("*")] for part in parts]
    wanted = [part for part in wanted if part]
    if _sqlite(session):
        groups = ["(" + " OR ".join(_quoted(word) for word in part) + ")" for part in wanted]
        query = "(" + (" AND " if every else " OR ").join(groups) + ")"
        query = f"title : {query}" if title_only else query
        query += "".join(f" AND labels : {_quoted(word)}" for word in facets)
        query += "".join(f" NOT labels : {_quoted(word)}" for word in _other(states))
        values: dict[str, object] = {"words": query, "ranking": _RANKING}
        return "entry_words MATCH :words AND w.rank MATCH :ranking", "-w.rank", "w.rank", values
    groups = ["(" + " | ".join(_lexeme(word, "A" if title_only else "") for word in part) + ")" for part in wanted]
    query = "(" + (" & " if every else " | ").join(groups) + ")"
    query += "".join(f" & {_lexeme(word, 'B')}" for word in facets)
    query += "".join(f" & !{_lexeme(word, 'B')}" for word in _other(states))
    score = "ts_rank('{0.1, 0.25, 0.75, 1.0}', w.words, CAST(:words AS tsquery), 1)"
    return "w.words @@ CAST(:words AS tsquery)", score, "score DESC, w.entry_id", {"words": query}


def _other(states: Sequence[str]) -> list[str]:
    return [facet("state", state.value) for state in EntryState if states and state.value not in states]


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
    bare = word.rstrip("*")[:_LONGEST]
    return "'" + bare.replace("\\", "\\\\").replace("'", "''") + "'" + (f":{mark}" if mark else "")


def _words(said: Text) -> dict[str, str]:
    columns = {"title": said.title, "labels": " ".join([said.entry_id, *said.labels]), "body": said.body}
    words = {name: " ".join(index_words(value)) for name, value in columns.items()}
    return {**words, "labels": f"{words['labels']} {said.facets}"}


def _sqlite_row(project_id: str, said: Text) -> dict[str, str | int]:
    row = row_number(project_id, said.entry_id)
    return {"row": row, "project": project_id, "entry": said.entry_id, **_words(said)}


def _postgres_row(project_id: str, said: Text) -> dict[str, str | int]:
    return {"project": project_id, "entry": said.entry_id, "words": _lexemes(_words(said))}


def _lexemes(words: dict[str, str]) -> str:
    out: list[str] = []
    position = 0
    for name, weight in (("title", "A"), ("labels", "B"), ("body", "D")):
        for word in words[name].split():
            position = min(position + 1, 16_383)
            out.append(f"{_lexeme(word, '')}:{position}{weight}")
    return " ".join(out)
