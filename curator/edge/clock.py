"""The clock: the only place that asks the machine for the time."""

from datetime import UTC, datetime


def now() -> datetime:
    """The present instant, UTC."""
    return datetime.now(UTC)
