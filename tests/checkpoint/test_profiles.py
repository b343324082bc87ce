"""Ten planted facts over three checkpoints with faithful and unfaithful models (statement 71)."""

import pytest

from curator.checkpoint import Outcome
from tests.checkpoint.profiles import FACTS, PROFILES, WINDOWS, played

WORDS = {name for name in FACTS if name.startswith(("rule", "agreement"))}
FIRST = {"rule 1", "rule 2", "rule 3", "file 1 with reason", "agreement 1", "agreement 2"}
ALL = set(FACTS)

KEPT = {
    "faithful": ALL,
    "lazy memo": ALL,
    "tamperer": ALL,
    "mission swapper": ALL,
    "bloater": ALL,
    "refuses the block": FIRST,
    "headings in a fence": FIRST,
}
"""What must survive: a failed turn leaves the checkpoint before it (51); all else loses nothing (45, 47, 52)."""


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("name", PROFILES)
def test_s71_each_profile_loses_only_what_the_rules_say(name: str, size: str) -> None:
    """Faithful, or unfaithful in memo or mind: all ten. Without a now: those of the last good checkpoint."""
    run = played(PROFILES[name], WINDOWS[size])
    assert set(run.survived) == KEPT[name]
    if KEPT[name] == FIRST:
        assert run.outcomes == (Outcome.COMMITTED, Outcome.FAILED, Outcome.FAILED)
    else:
        assert set(run.outcomes) == {Outcome.COMMITTED}
        assert "M1 [open] ship the importer" in run.value.mind
    assert bool(run.fallbacks) == (name in {"lazy memo", "tamperer", "mission swapper", "bloater"})


def test_s73_facts_are_the_union_of_all_rounds() -> None:
    """What the first part of the conversation held is in the third checkpoint, which saw only the third part anew."""
    run = played(PROFILES["faithful"], WINDOWS["200k"])
    assert {word.seq for word in run.value.words} == {1, 3, 5, 7, 9, 11, 13}
