"""Files as no program wrote them: nothing raises, nothing that nobody decided is taken."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.sync.driver import merge
from curator.sync.exporting import side_of
from curator.sync.reading import strands, survey
from curator.sync.records import FIELDS, HEADER, rev
from curator.sync.writing import NOTHING, Joining, lines
from tests.sync.helpers import Person, whole

odd = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.text(max_size=5), st.lists(st.integers(0, 1), max_size=2),
    st.dictionaries(st.text(max_size=2), st.none(), max_size=1),
)  # fmt: skip
names = ("entry", "rev", "at", "reviewer", "decision", "parents", "sightings", "id", "verb", "undoes", "nth", "changes")
kinds = st.sampled_from(["entry", "revision", "gone", "purged", "decision", "refusal", "else"])
records = st.fixed_dictionaries({"_type": kinds}, optional=dict.fromkeys((*names, "fingerprint", "text", *FIELDS), odd))


def named(value: dict[str, Any]) -> dict[str, Any]:
    """A record whose name fits what it holds, where it can have one."""
    if value["_type"] in {"entry", "revision"} and isinstance(value.get("entry"), str):
        parents = value.get("parents")
        at, reviewer, decision = (str(value.get(name, "")) for name in ("at", "reviewer", "decision"))
        parents = tuple(map(str, parents)) if isinstance(parents, list) else ()
        made = rev(value["entry"], parents, at, reviewer, decision, value)
        value |= {"rev": made.id, "parents": list(parents), "at": at, "reviewer": reviewer, "decision": decision}
    return value


@given(st.lists(records, max_size=6))
@settings(deadline=None, max_examples=50, suppress_health_check=list(HealthCheck))
def test_any_records_are_read_and_written_in_one_order(tmp_path: Path, found: list[dict[str, Any]]) -> None:
    """What cannot be a record is told by line; what is left comes out the same, once and twice."""
    path = tmp_path / "memory.jsonl"
    path.write_bytes(HEADER + b"".join(json.dumps(named(each)).encode() + b"\n" for each in found))
    once = b"".join(lines(side_of(survey(path)), NOTHING, Joining()))
    path.write_bytes(once)
    assert b"".join(lines(side_of(survey(path)), NOTHING, Joining())) == once


@given(st.lists(records, min_size=1, max_size=6))
@settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
@pytest.mark.slow
def test_any_records_make_no_entry(ben: Person, tmp_path: Path, found: list[dict[str, Any]]) -> None:
    """Whatever a file says without a decision, the entries are as they were."""
    before = whole(ben.store)["entries"]
    path = tmp_path / "memory.jsonl"
    path.write_bytes(HEADER + b"".join(json.dumps(named(each)).encode() + b"\n" for each in found))
    ben.takes(path)
    assert whole(ben.store)["entries"] == before


def test_lines_in_any_order_with_any_ends_are_the_same_memory(ann: Person, ben: Person, tmp_path: Path) -> None:
    """Shuffled, with CR LF, blank lines and no last line end; what is exported is in order again."""
    ids = ann.adds("one", "two", "three")
    ann.edits(ids[1], "two and a half")
    path = ann.gives(tmp_path / "memory.jsonl")
    true = path.read_bytes()
    path.write_bytes(b"\r\n\r\n".join(sorted(true.split(b"\n"), reverse=True)).strip())
    assert ben.takes(path).complete and ben.body(ids[1]) == "two and a half"
    assert ben.gives(tmp_path / "again.jsonl").read_bytes() == true
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(true)
    merge(copy, path)
    assert copy.read_bytes() == true


def test_a_file_twice_in_one_is_read_once(ann: Person, ben: Person, tmp_path: Path) -> None:
    """A careless `cat` of two files costs nothing."""
    (entry,) = ann.adds("one")
    path = ann.gives(tmp_path / "memory.jsonl")
    path.write_bytes(path.read_bytes() * 2)
    assert ben.takes(path).added == [entry]
    assert len(list(strands(survey(path)))) == 1
