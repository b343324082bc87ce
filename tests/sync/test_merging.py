"""The one rule for two histories, tried on histories of every shape: order, repetition and the way do not matter."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.sync.exporting import side_of
from curator.sync.merging import united
from curator.sync.reading import strands, survey
from curator.sync.records import Rev, rev
from curator.sync.strand import Strand, seen
from curator.sync.writing import NOTHING, Joining, Side, lines

WORDS = ["the", "port", "of", "the", "shop", "server", "is", "80", "and", "never", "changes", "on", "a", "friday"]

Step = tuple[str, int, int]

calm = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
"""Nothing here depends on how busy the machine is."""

kinds = st.sampled_from(["word", "tombstone", "restore", "label", "pin"])
steps = st.lists(st.tuples(kinds, st.integers(0, 11), st.integers(0, 99)), max_size=4)


def first(body: str = " ".join(WORDS)) -> Rev:
    """The revision that everything begins with."""
    value = {"title": body, "body": body, "kind": "lesson", "route": "injected", "state": "active", "origin": "human"}
    return rev("m-1", (), "2031-03-05T12:00:00.000000Z", "ann", "d-1", value)


def grown(start: Strand, done: Sequence[Step], who: str) -> Strand:
    """A strand after somebody's decisions."""
    revs, last = dict(start.revs), start.revs[start.heads[0]]
    for number, (what, at, clock) in enumerate(done):
        value = dict(last.value)
        if what == "word":
            words = str(value["body"]).split(" ")
            words[at % len(words)] = f"{who}{number}"
            value["body"] = value["title"] = " ".join(words)
        elif what == "label":
            value["labels"] = sorted({*value.get("labels", ()), f"{who}-{at}"})
        elif what == "pin":
            value["pinned"] = not value.get("pinned", False)
        else:
            value["state"] = "tombstoned" if what == "tombstone" else "active"
        last = rev("m-1", (last.id,), f"2031-03-05T13:00:{clock % 60:02}.{number:06}Z", who, f"d-{who}{number}", value)
        revs[last.id] = last
    return Strand("m-1", revs)


def told(strand: Strand) -> tuple[set[str], tuple[str, ...]]:
    """What makes two strands the same."""
    return set(strand.revs), strand.heads


@calm
@given(steps, steps, steps)
def test_the_order_of_merges_of_two_sides_does_not_matter(one: list[Step], two: list[Step], more: list[Step]) -> None:
    """a+b is b+a; merging again changes nothing; a side that goes on after the merge is simply ahead."""
    start = Strand("m-1", {first().id: first()})
    a, b = grown(start, one, "ann"), grown(start, two, "ben")
    both = united(a, b)
    assert told(both) == told(united(b, a))
    assert told(united(both, a)) == told(united(b, both)) == told(united(both, both)) == told(both)
    assert {*a.revs, *b.revs} <= set(both.revs)
    if len(both.heads) == 1:
        on = grown(both, more, "cem")
        assert told(united(on, a)) == told(united(b, on)) == told(on)


@calm
@given(steps, steps)
def test_one_sided_changes_are_taken_and_tombstones_win(one: list[Step], two: list[Step]) -> None:
    """Where one side did nothing the other's end stands; a retired end is never brought back by an edit."""
    start = Strand("m-1", {first().id: first()})
    a, b = grown(start, one, "ann"), grown(start, two, "ben")
    assert told(united(a, start)) == told(a)
    both = united(a, b)
    ends = [strand.revs[strand.heads[0]] for strand in (a, b)]
    if any(end.state == "tombstoned" for end in ends):
        assert [both.revs[name].state for name in both.heads] == ["tombstoned"]
    if seen(ends[0]) == seen(ends[1]):
        assert len(both.heads) == 1


@calm
@given(steps, steps)
def test_a_file_says_what_was_written_whoever_comes_first(one: list[Step], two: list[Step]) -> None:
    """The same bytes for either order; read back, the same strand; written again, the same bytes."""
    start = Strand("m-1", {first().id: first()})
    a, b = grown(start, one, "ann"), grown(start, two, "ben")
    text = b"".join(lines(Side([a], {}, {}), Side([b], {}, {}), Joining()))
    assert text == b"".join(lines(Side([b], {}, {}), Side([a], {}, {}), Joining()))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(text)
        (read,) = strands(survey(path))
        assert b"".join(lines(side_of(survey(path)), NOTHING, Joining())) == text
    assert told(read) == told(united(a, b)) and not read.faults


def test_two_that_began_apart_meet_where_they_read_the_same() -> None:
    """Without a common revision a text that both had is the base; without one a person chooses."""
    other = rev("m-1", (), "2031-03-05T12:30:00.000000Z", "ben", "d-9", first().value)
    a = grown(Strand("m-1", {first().id: first()}), [("word", 7, 1)], "ann")
    met = united(a, Strand("m-1", {other.id: other}))
    assert len(met.heads) == 1 and "ann0" in str(met.revs[met.heads[0]].value["body"])
    strange = rev("m-1", (), other.at, "ben", "d-9", {**first().value, "body": "quite another text"})
    assert len(united(a, Strand("m-1", {strange.id: strange})).heads) == 2
