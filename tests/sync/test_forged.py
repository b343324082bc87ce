"""A file that somebody wrote in by hand: what no fitting decision made becomes a proposal, never an entry."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.sync.reading import survey
from curator.sync.records import Made, Sum, made_line, rev, rev_line
from tests.sync.helpers import Person

Line = dict[str, Any]


def lines_of(path: Path) -> list[Line]:
    """The file's records."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def rewrite(path: Path, lines: list[Line]) -> Path:
    """The file with other records."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def only(lines: list[Line], kind: str) -> Line:
    """The one record of a kind."""
    (found,) = (line for line in lines if line.get("_type") == kind)
    return found


def named(line: Line, **changes: Any) -> Line:
    """An entry's line with other content and, unlike a hand's edit, the name that fits it."""
    value = {**line, **changes}
    parents = tuple(value.get("parents", ()))
    made = rev(value["entry"], parents, value["at"], value["reviewer"], value.get("decision", ""), value)
    return json.loads(rev_line(made, now=True))  # type: ignore[no-any-return]


@pytest.fixture
def given(ann: Person, ben: Person, tmp_path: Path) -> tuple[Person, str, Path]:
    """Ben, who has ann's entry already, its id, and her file."""
    (entry,) = ann.adds("use port 80")
    path = ann.gives(tmp_path / "memory.jsonl")
    ben.takes(path)
    return ben, entry, path


def test_a_text_changed_by_hand_is_told_by_its_line(given: tuple[Person, str, Path]) -> None:
    """The line does not fit its name any more: it costs only itself, and export puts the true one back."""
    ben, entry, path = given
    true = path.read_bytes()
    lines = lines_of(path)
    only(lines, "entry")["body"] = "use port 6666"
    report = ben.takes(rewrite(path, lines))
    assert [number for number, _ in report.bad] == [2] and not report.complete
    assert ben.body(entry) == "use port 80" and not ben.waiting()
    assert ben.gives(path).read_bytes() == true


def forged_edit(line: Line, lines: list[Line]) -> list[Line]:
    """Another text under the old decision, with a name that fits."""
    old = {**line, "_type": "revision"}
    return [lines[0], named(line, body="use port 6666", parents=[line["rev"]]), old, *lines[2:]]


def unknown_decision(line: Line, lines: list[Line]) -> list[Line]:
    """A decision that is not in the file."""
    old = {**line, "_type": "revision"}
    return [lines[0], named(line, body="use port 6666", parents=[line["rev"]], decision="d-0"), old, *lines[2:]]


def no_decision(line: Line, lines: list[Line]) -> list[Line]:
    """No decision at all."""
    old = {**line, "_type": "revision"}
    return [lines[0], named(line, body="use port 6666", parents=[line["rev"]], decision=""), old, *lines[2:]]


def invented(line: Line, verb: str, **more: str) -> tuple[Line, Made]:
    """A forged edit with a decision made for it."""
    told = {"at": "2031-03-05T13:00:00.000000Z", "verb": verb, "reviewer": "ann", "via": "terminal", **more}
    made = Made(**told)  # type: ignore[arg-type]
    edit = {"body": "use port 6666", "parents": [line["rev"]], "decision": made.id, "at": made.at}
    return named(line, **edit, reviewer=made.reviewer), made


def with_decision(verb: str, counted: bool = True, **more: str) -> Callable[[Line, list[Line]], list[Line]]:
    """An edit with an invented decision that does not fit it."""

    def forge(line: Line, lines: list[Line]) -> list[Line]:
        forged, made = invented(line, verb, **more)
        total = Sum()
        total.add(forged["rev"] if counted else "something else")
        decision = json.loads(made_line(made, str(total)))
        return [lines[0], forged, {**line, "_type": "revision"}, decision, *lines[2:]]

    return forge


def merge_of_nothing(line: Line, lines: list[Line]) -> list[Line]:
    """A revision that calls itself two sides put together."""
    side = named(line, body="use port 81")
    forged = named(line, body="use port 6666", parents=sorted([line["rev"], side["rev"]]), decision="", reviewer="")
    return [lines[0], forged, {**line, "_type": "revision"}, {**side, "_type": "revision"}, *lines[2:]]


@pytest.mark.parametrize(
    "forge",
    [
        forged_edit,
        unknown_decision,
        no_decision,
        with_decision("pin"),
        with_decision("tombstone"),
        with_decision("edit", counted=False),
        with_decision("edit", reviewer=" "),
        with_decision("edit", via="demo"),
        with_decision("sweep"),
        merge_of_nothing,
    ],
)
def test_a_change_without_a_fitting_decision_is_proposed(
    given: tuple[Person, str, Path], forge: Callable[[Line, list[Line]], list[Line]]
) -> None:
    """Whatever is missing or does not fit: the entry stays, a person sees the text, and once is enough."""
    ben, entry, path = given
    lines = lines_of(path)
    rewrite(path, forge(only(lines, "entry"), lines))
    report = ben.takes(path)
    assert [each for each, _ in report.doubted] == [entry] and not report.complete
    assert ben.body(entry) == "use port 80"
    (shown,) = ben.waiting()
    assert ben.desk.dossier(shown.proposal_id).after[0].body == "use port 6666"
    assert not ben.takes(path).proposals


@pytest.mark.parametrize("body", ["key AKIA" + "ABCDEFGHIJKLMNOP", "hidden \u200b\u202e words", "\x1b[31mred"])
def test_a_text_that_the_door_would_change_is_proposed_cleaned(
    ann: Person, ben: Person, tmp_path: Path, body: str
) -> None:
    """A credential or steering characters are not taken on a decision's word; nothing of them is stored."""
    ann.adds("a good text")
    path = ann.gives(tmp_path / "memory.jsonl")
    lines = lines_of(path)
    forged = named(only(lines, "entry"), body=body)
    total = Sum()
    total.add(forged["rev"])
    only(lines, "decision")["changes"] = str(total)
    rewrite(path, [lines[0], forged, *lines[2:]])
    report = ben.takes(path)
    assert len(report.doubted) == 1 and not ben.desk.search("words") and ben.body(forged["entry"]) == ""
    (shown,) = ben.waiting()
    assert body not in ben.desk.dossier(shown.proposal_id).after[0].body


def test_a_refusal_or_an_erasure_that_nobody_decided_changes_nothing(given: tuple[Person, str, Path]) -> None:
    """An invented refusal does not keep a text out; an invented erasure is told, and the entry stays."""
    ben, entry, path = given
    lines = lines_of(path)
    lines.append({"_type": "refusal", "fingerprint": "0" * 32, "at": "2031-03-05T12:00:00.000000Z", "text": "x"})
    lines.insert(2, {"_type": "purged", "entry": entry})
    report = ben.takes(rewrite(path, lines))
    assert report.refusals == 0 and report.erased == [entry] and not report.complete
    assert ben.body(entry) == "use port 80"


def test_a_decision_changed_by_hand_is_told_by_its_line(given: tuple[Person, str, Path], ann: Person) -> None:
    """Another reviewer's name put on a decision does not fit the decision's id."""
    _, _, path = given
    lines = lines_of(path)
    only(lines, "decision")["reviewer"] = "boss"
    assert survey(rewrite(path, lines)).bad == [(3, "the decision was changed: it does not fit its id")]


def test_a_damaged_line_costs_only_itself(ann: Person, ben: Person, tmp_path: Path) -> None:
    """Of three entries of one decision the two whole ones are taken; the number of the third's line is told."""
    ids = ann.adds("one", "two", "three")
    path = ann.gives(tmp_path / "memory.jsonl")
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:40]
    path.write_bytes(b"\n".join(lines))
    report = ben.takes(path)
    assert [number for number, _ in report.bad] == [3]
    assert len(report.added) == 2 and not report.doubted and len(set(report.added) & set(ids)) == 2
    assert len(ben.takes(ann.gives(tmp_path / "whole.jsonl")).added) == 1


def test_a_newer_programs_file_and_another_kind_of_file_are_refused(ann: Person, tmp_path: Path) -> None:
    """The sentence names both versions; nothing is taken."""
    from curator.errors import CannotLook

    newer = rewrite(tmp_path / "newer.jsonl", [{"_schema": "curator-memory", "version": 2}])
    with pytest.raises(CannotLook, match="version 2; this program reads up to 1"):
        ann.takes(newer)
    with pytest.raises(CannotLook, match="no file of this kind"):
        ann.takes(rewrite(tmp_path / "other.jsonl", [{"_schema": "beads/1"}]))
