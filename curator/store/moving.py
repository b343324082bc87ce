"""Moving a project's whole store to another database: SQLite to a server, or back.

Owns the copy and its check: every row of every table, in one transaction, counted on both sides before it counts.
The store that is left stays as it was; callers hold its writers off and switch the setting.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Table, func, insert, select
from sqlmodel import Session, SQLModel

import curator.store.tables  # noqa: F401 fills the metadata
from curator.errors import CuratorError
from curator.store.care import reindex
from curator.store.engine import Store

_AT_A_TIME = 1_000


def copy(source: Session, target: Store) -> dict[str, int]:
    """Copy all rows of the source's project to the target; returns how many, by table (the full ones only).

    `source` is a transaction that nobody else writes beside. The target has the project's own row at most. Raises
    `CuratorError` where it holds more, or where a table would not arrive whole; nothing is copied then.
    """
    counts: dict[str, int] = {}
    with target.write(durable=True) as session:
        if held := [name for name, count in _counts(session, target.project_id).items() if count and name != "project"]:
            raise CuratorError(f"the target holds rows of this project already, in {', '.join(held)}: nothing was done")
        for table in _tables():
            session.connection().execute(table.delete().where(table.c.project_id == target.project_id))
            for part in _parts(source, table, target.project_id):
                session.connection().execute(insert(table), part)
        counts, there = _counts(source, target.project_id), _counts(session, target.project_id)
        if short := [name for name, count in counts.items() if there[name] != count]:
            raise CuratorError(f"not every row of {', '.join(short)} arrived: nothing was done")
    reindex(target)
    return {name: count for name, count in counts.items() if count}


def _tables() -> Sequence[Table]:
    """Every table of a project's data, parents before children."""
    return [table for table in SQLModel.metadata.sorted_tables if "project_id" in table.c]


def _parts(source: Session, table: Table, project_id: str) -> Iterator[list[dict[str, Any]]]:
    rows = source.connection().execute(select(table).where(table.c.project_id == project_id))
    for part in rows.partitions(_AT_A_TIME):
        yield [dict(row._mapping) for row in part]


def _counts(session: Session, project_id: str) -> dict[str, int]:
    connection = session.connection()
    counted = {table.name: select(func.count()).where(table.c.project_id == project_id) for table in _tables()}
    return {name: int(connection.execute(query).scalar_one()) for name, query in counted.items()}
