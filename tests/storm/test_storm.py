"""The short form of `make storm`: nothing acknowledged is lost, nothing fails, nothing is damaged."""

from pathlib import Path

import pytest

from tests.storm.kills import PREPARE, killed
from tests.storm.storm import storm


@pytest.mark.slow
def test_a_short_storm_loses_nothing(tmp_path: Path) -> None:
    """3 writers × 40 mixed writes with searches, sweeps and session starts: all there, no error, the store whole."""
    result = storm(tmp_path, 3, 40)
    assert result.wrong == []
    assert sum(result.writes.values()) >= 120
    assert set(result.writes) >= {"note", "said", "accept", "reject", "edit"}
    assert min(result.beside.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("act", list(PREPARE))
def test_a_kill_leaves_no_half_state(tmp_path: Path, act: str) -> None:
    """kill -9 at one random moment: no half state, everything acknowledged there, the next command works."""
    result = killed(tmp_path / act, act, 1, seed=3)
    assert result.wrong == [] and result.kills == 1
