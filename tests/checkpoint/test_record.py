"""Rows, units, cuts and views (statements 1 to 9, 14)."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from curator.checkpoint.record import Row, cut, positions, released, running_start, weight
from curator.checkpoint.value import Checkpoint
from curator.checkpoint.view import Anchor, View, pressure, view
from curator.ports import Tokens
from curator.vocab import Row as Kind
from tests.checkpoint.talk import conversation, words

COUNTER = Tokens(words, "words", 1.0)


@st.composite
def talks(draw: st.DrawFn) -> tuple[Row, ...]:
    """Random conversations: inputs of person and machine anywhere, calls with late and interleaved results."""
    marks: list[str] = []
    for _ in range(draw(st.integers(1, 14))):
        marks.append(draw(st.sampled_from(["u:", "m:", "a:", "a:"])) + " ".join("w" * draw(st.integers(1, 30))))
        if marks[-1].startswith("a:"):
            marks += ["t:tool"] * draw(st.integers(0, 3))
    rows = list(conversation(*marks))
    for at in range(len(rows) - 1):  # a message typed while the tool runs: it lies between a call and its result
        if rows[at].kind is Kind.INPUT and rows[at + 1].kind is Kind.RESPONSE and draw(st.booleans()):
            rows[at], rows[at + 1] = replace(rows[at + 1], seq=at + 1), replace(rows[at], seq=at + 2)
    return tuple(rows)


def made(through: int, kept: Sequence[int] = ()) -> Checkpoint:
    return Checkpoint(through=through, kept=tuple(kept), text="text", tokens=1)


@given(talks(), st.integers(0, 200))
def test_s02_a_cut_never_separates_a_call_from_its_result(rows: tuple[Row, ...], keep: int) -> None:
    """No unit has rows on both sides of any cut, however the rows interleave."""
    found = cut(rows, keep, words)
    if found:
        assert not {r.unit for r in rows[: found.at]} & {r.unit for r in rows[found.at :]}


@given(talks(), st.integers(0, 200))
def test_s03_the_tail_is_the_longest_run_of_whole_units_that_fits(rows: tuple[Row, ...], keep: int) -> None:
    """The tail fits (or is the last unit), and one unit more would not fit."""
    found = cut(rows, keep, words)
    if found is None:
        return
    starts = positions(rows)
    tail = sum(weight(row, words) for row in rows[found.at :])
    assert tail <= keep or found.at == starts[-1]
    earlier = [at for at in starts if at < found.at]
    assert sum(weight(row, words) for row in rows[earlier[-1] :]) > keep


def test_s04_a_cut_that_moves_only_inputs_of_the_running_turn_is_no_cut() -> None:
    """Two messages and a long reply with results: moving out the messages alone frees nothing."""
    rows = conversation("u:first", "u:second", "a:" + "long " * 50, "t:read")
    assert cut(rows, 1, words) is None
    settled = conversation("u:old", "a:done", "u:first", "a:" + "long " * 50, "t:read")
    found = cut(settled, 1, words)
    assert found and found.kept == (3,) and found.at == 3


def test_s05_inputs_of_the_running_turn_stand_verbatim_before_the_checkpoint() -> None:
    """A cut inside the running turn leaves its inputs in place, in order, machine ones included."""
    rows = conversation("u:old", "a:done", "u:first", "a:work", "t:read", "m:note", "u:second", "a:more", "t:read")
    found = cut(rows, 2, words)
    assert found and found.kept == (3, 6, 7)
    seen = view((*rows, Row(10, Kind.CHECKPOINT)), {10: made(rows[found.at].seq - 1, found.kept)})
    assert [row.text for row in seen.inputs] == ["first", "note", "second"]
    assert [row.seq for row in seen.rows] == [8, 9]


@given(talks(), talks(), st.integers(0, 60), st.integers(0, 60))
def test_s06_a_later_cut_never_falls_between_inputs_an_earlier_one_kept(
    early: tuple[Row, ...], late: tuple[Row, ...], first: int, second: int
) -> None:
    """The next cut lies after the earlier one, so kept inputs are kept together or let go together."""
    one = cut(early, first, words)
    if one is None:
        return
    through = early[one.at].seq - 1
    shift = len(early)
    grown = (*early, *(replace(row, seq=row.seq + shift, unit=row.unit + 1000) for row in late))
    two = cut(grown, second, words, after=through)
    if two is not None:
        assert two.at >= one.at
        assert set(one.kept) <= set(two.kept) or not set(one.kept) & set(two.kept)


@given(talks(), st.integers(0, 60), st.data())
def test_s07_a_view_anchored_before_a_checkpoint_is_the_original(
    rows: tuple[Row, ...], keep: int, data: st.DataObject
) -> None:
    """A fork or rewind to any place before the checkpoint's row shows every message as it was."""
    found = cut(rows, keep, words)
    through = rows[found.at].seq - 1 if found else 0
    seq = rows[-1].seq + 1
    stored = {seq: made(through, found.kept if found else ())}
    anchor = data.draw(st.integers(0, seq - 1))
    assert view((*rows, Row(seq, Kind.CHECKPOINT)), stored, anchor) == View(
        (), None, tuple(row for row in rows if row.seq <= anchor)
    )
    assert view((*rows, Row(seq, Kind.CHECKPOINT)), stored).checkpoint == stored[seq]


def test_the_running_turn_begins_after_a_reply_that_called_nothing() -> None:
    """Messages typed while tools run belong to the running turn; a finished reply ends it."""
    rows = conversation("u:one", "a:work", "t:read", "u:also", "a:done", "u:two", "a:calling")
    assert running_start(rows) == 5
    assert running_start(rows, idle=True) == 7
    assert running_start(rows[:5]) == 0
    assert running_start(()) == 0


def test_released_are_the_words_a_cut_passes_and_those_an_earlier_one_had_kept() -> None:
    """What an earlier cut left in place is offered when a later one lets it go; machine inputs never are."""
    rows = conversation("u:old", "a:done", "u:kept", "a:work", "t:read", "a:done", "m:note", "u:new", "a:done", "u:now")
    found = cut(rows, 1, words, after=4)
    assert found and found.at == 9
    assert [row.seq for row in released(rows, found, 4, (3,))] == [3, 8]
    assert [row.seq for row in released(rows, found, 4, ())] == [8]


def test_s14_a_providers_count_anchors_the_estimate() -> None:
    """Only what came after the anchor is counted; another model, checkpoint or a rewound record drops it."""
    rows = conversation("u:" + "w " * 500, "a:one two", "u:three")
    seen = View((), None, rows)
    anchor = Anchor(9_000, 2, "m1")
    assert pressure(seen, COUNTER, "m1", anchor) == 9_001
    assert pressure(seen, COUNTER, "m2", anchor, fixed=10) == 513
    assert pressure(View((), made(1), rows[1:]), COUNTER, "m1", anchor) == 4
    assert pressure(View((), None, rows[:1]), COUNTER, "m1", anchor) == 500
    assert pressure(seen, Tokens(words, "words", 1.65), "m1", Anchor(9_000, 2, "m1")) == 9_002
