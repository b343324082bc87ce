"""Vectors of entries: bytes keyed by model and content; an edit or another model never leaves an old one in use.

Owns reading and writing them. Knows nothing of models; never compares anything.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import delete
from sqlmodel import Session, col, func, select

from curator.store.tables import Entry, Vector


def stored(session: Session, project_id: str, model: str) -> "dict[str, array[float]]":
    """The vectors of active entries by this model, by entry id."""
    query = (
        select(Entry.entry_id, Vector.data)
        .join(Vector, (col(Vector.project_id) == Entry.project_id) & (col(Vector.content_hash) == Entry.content_hash))
        .where(Entry.project_id == project_id, Entry.state == "active", Vector.model == model)
    )
    return {entry_id: unpacked(data) for entry_id, data in session.exec(query)}


def missing(session: Session, project_id: str, model: str, limit: int = 0) -> list[tuple[str, str, str]]:
    """Content hash, title and body of active entries without a vector of this model; each content once."""
    there = select(Vector.content_hash).where(Vector.project_id == project_id, Vector.model == model)
    query = (
        select(Entry.content_hash, func.min(Entry.title), func.min(Entry.body))
        .where(Entry.project_id == project_id, Entry.state == "active", col(Entry.content_hash).not_in(there))
        .group_by(col(Entry.content_hash))
        .order_by(col(Entry.content_hash))
    )
    rows = session.exec(query.limit(limit) if limit else query).all()
    return [(row[0], row[1], row[2]) for row in rows]


def put(session: Session, project_id: str, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
    """Keep vectors by content hash; one that is there already stays."""
    for content_hash, vector in vectors.items():
        if session.get(Vector, (project_id, model, content_hash)) is None:
            data = packed(vector)
            session.add(
                Vector(project_id=project_id, model=model, content_hash=content_hash, dim=len(vector), data=data)
            )


def models(session: Session, project_id: str) -> dict[str, int]:
    """How many vectors there are of each model."""
    query = select(Vector.model, func.count()).where(Vector.project_id == project_id).group_by(col(Vector.model))
    return dict(session.exec(query).all())


def keep_only(session: Session, project_id: str, names: Iterable[str]) -> None:
    """Drop the vectors of every other model."""
    session.connection().execute(
        delete(Vector).where(col(Vector.project_id) == project_id, col(Vector.model).not_in(list(names)))
    )


def packed(vector: Sequence[float]) -> bytes:
    """A vector as stored: float32, little-endian."""
    return array("f", vector).tobytes()


def unpacked(data: bytes) -> "array[float]":
    """A stored vector."""
    found: array[float] = array("f")
    found.frombytes(data)
    return found
