"""Two people with a store each."""

from pathlib import Path

import pytest

from tests.conftest import Clock
from tests.sync.helpers import Make, Person


@pytest.fixture
def ann(new_store: Make, tmp_path: Path, clock: Clock) -> Person:
    """Ann, with an empty store."""
    return Person(new_store(tmp_path / "ann"), "ann", clock)


@pytest.fixture
def ben(new_store: Make, tmp_path: Path, clock: Clock) -> Person:
    """Ben, with an empty store."""
    return Person(new_store(tmp_path / "ben"), "ben", clock)
