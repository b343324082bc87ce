"""What all tables share: their base and the kinds of their columns."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, ForeignKeyConstraint, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel
from sqlmodel._compat import SQLModelConfig


class Table(SQLModel):
    """A row. Rows are never validated by pydantic (the door does that), so its validators are not built: 20 ms less."""

    model_config = SQLModelConfig(defer_build=True)


class UtcTime(TypeDecorator[datetime]):
    """A timezone-aware instant. SQLite has no zones: the zone goes off on the way in and comes back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse a time without a zone; hand over UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Give back UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def string(default: str = "") -> Any:
    """A text, empty unless said otherwise."""
    return Field(default=default, sa_column_kwargs={"nullable": False}, sa_type=Text)


def time() -> Any:
    """An instant that is always there."""
    return Field(sa_type=UtcTime)


def maybe_time() -> Any:
    """An instant or None."""
    return Field(default=None, sa_type=UtcTime)


def list_of() -> Any:
    """A JSON list."""
    return Field(default_factory=list, sa_type=JSON, sa_column_kwargs={"nullable": False})


def document() -> Any:
    """A JSON document."""
    return Field(default_factory=dict, sa_type=JSON, sa_column_kwargs={"nullable": False})


def child(*columns: str, of: str, keys: tuple[str, ...]) -> ForeignKeyConstraint:
    """A foreign key whose rows go when the parent goes (only `purge` removes parents)."""
    return ForeignKeyConstraint(columns, [f"{of}.{key}" for key in keys], ondelete="CASCADE")
