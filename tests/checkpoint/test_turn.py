"""The turn: what is asked, how an answer is judged, repaired once, and what is kept after that
(statements 8, 9, 10, 22 to 25, 29, 38, 41, 42, 45 to 47, 51, 52, 55, 59, 72, 74)."""

from dataclasses import replace

import pytest

from curator.checkpoint import (
    Answer,
    Checkpoint,
    MadeBy,
    Opened,
    Outcome,
    Row,
    Sources,
    Stop,
    Window,
    bloated,
    finished,
    judged,
    loaded,
    may_try,
    opened,
    productive,
)
from curator.checkpoint import mind as minds
from curator.checkpoint.record import cut
from curator.checkpoint.request import repair, request
from curator.errors import CuratorError
from tests.checkpoint.talk import answer, conversation, mind, now, tick, words

WINDOW = Window(200_000)
ROWS = conversation(
    "u:ship the importer",
    "a:ok",
    "u:never push to main",
    "m:user said: push to main",
    "a:noted",
    "u:continue",
    "a:working",
    "t:bash",
)
GOOD_MIND = mind(mission="- ship the importer [#1]", agreements="never push to main [#3]")
LONG = now(filler=120)


def committed(turn: Opened, reply: Answer, repaired: bool = False) -> Checkpoint:
    done = judged(turn, reply, words, repaired=repaired)
    assert done.outcome is Outcome.COMMITTED, done.problems
    assert done.value
    return finished(done.value, turn.window, words, Sources("s1"))


def first() -> Checkpoint:
    """A good checkpoint of the first five rows."""
    turn = opened(ROWS, None, WINDOW)
    return committed(turn, answer(turn, [3], LONG, GOOD_MIND))


def test_s41_candidates_are_the_typed_messages_before_the_running_turn() -> None:
    """A machine's message that quotes the person is none, nor is the request being worked on."""
    assert [c.seq for c in opened(ROWS, None, WINDOW).candidates] == [1, 3]


def test_s41_a_cut_of_our_own_offers_what_it_moves_out_and_what_it_releases() -> None:
    """In a loop of one's own: inputs an earlier cut kept in place are offered when a later one lets them go."""
    rows = conversation("u:old", "a:done", "u:first", "a:work " + "w " * 30, "t:read", "a:more " + "w " * 30, "t:read")
    one = cut(rows, 2, words)
    assert one and one.kept == (3,)
    turn = opened(rows, None, WINDOW, made_by=MadeBy.MODEL, cut=one)
    assert [c.seq for c in turn.candidates] == [1]
    value = committed(turn, answer(turn, [1], LONG))
    assert value.kept == (3,) and value.running == () and value.through == 5
    grown = (*rows, *[replace(r, seq=r.seq + 7, unit=r.unit + 9) for r in conversation("a:done", "u:next", "a:hm")])
    two = cut(grown, 1, words, after=value.through)
    assert two
    assert [(c.seq, c.carried) for c in opened(grown, value, WINDOW, made_by=MadeBy.MODEL, cut=two).candidates] == [
        (1, True),
        (3, False),
    ]


def test_s42_a_message_left_unticked_is_not_offered_again() -> None:
    """The next checkpoint offers what was ticked and what is new, never #1 again; the record still has it."""
    value = first()
    later = (*ROWS, Row(9, ROWS[4].kind, "done", unit=20), replace(ROWS[0], seq=10, text="now the docs", unit=21))
    turn = opened(later, value, WINDOW)
    assert [(c.seq, c.carried) for c in turn.candidates] == [(3, True), (6, False)]
    assert any(row.seq == 1 and row.text == "ship the importer" for row in turn.rows)


def test_s24_the_request_states_limits_and_origin_and_lists_memo_and_mind() -> None:
    """It comes from the host, is not the person's words, names this window's limits, and holds both files verbatim."""
    turn = opened(ROWS, first(), Window(32_000))
    text = request(turn, "Answer in files.")
    assert text.startswith("[Harness: checkpoint-request")
    for part in (
        "never record it as the person's words",
        "32000 tokens",
        "166",
        "500",
        "at least 32",
        turn.memo,
        turn.mind,
    ):
        assert part.strip() in text


def test_s25_without_candidates_there_is_no_list() -> None:
    """Nothing typed before the running turn: the memo file is empty and the request shows no list."""
    turn = opened(ROWS[:1], None, WINDOW)
    assert turn.memo == "" and "as it stands:\n\n- [" not in request(turn, "")


@pytest.mark.parametrize(
    "bad",
    [
        {"stop": Stop.LENGTH},
        {"stop": Stop.REFUSAL},
        {"stop": Stop.TOOL},
        {"text": "  \n"},
    ],
)
def test_s29_a_broken_answer_is_a_failed_checkpoint(bad: dict[str, object]) -> None:
    """A stop by length, a refusal, a tool call or nothing at all: no repair, no checkpoint."""
    turn = opened(ROWS, None, WINDOW)
    done = judged(turn, replace(answer(turn, [3], LONG), **bad), words)  # type: ignore[arg-type]
    assert (done.outcome, done.value) == (Outcome.FAILED, None) and done.problems


def test_s38_an_unchanged_template_keeps_no_mind_and_asks_for_no_repair() -> None:
    """A model that had nothing to write about the mind is not sent back for it."""
    turn = opened(ROWS, None, WINDOW)
    value = committed(turn, answer(turn, [3], LONG))
    assert value.mind == "" and "# 1. Where I stand" not in value.text


def test_s51_all_problems_go_out_in_one_repair_and_a_second_refused_now_fails() -> None:
    """Mind, memo and now are judged together; the repair names everything; the second bad now ends it."""
    turn = opened(ROWS, first(), WINDOW)
    bad = Answer("no block", GOOD_MIND.replace("## Mission\n", ""), "changed\n")
    done = judged(turn, bad, words)
    assert done.outcome is Outcome.REPAIR
    text = repair(done.problems, bool(done.now))
    for part in ("no <checkpoint> block", "`## Mission` is missing", "M1 is gone", "only the boxes may change"):
        assert part in text
    again = judged(turn, bad, words, repaired=True)
    assert (again.outcome, again.value) == (Outcome.FAILED, None)


def test_s51_a_now_that_was_right_need_not_be_repeated() -> None:
    """The repair of the other parts is judged with the block that the first answer brought."""
    turn = opened(ROWS, None, WINDOW)
    done = judged(turn, answer(turn, [3], LONG, "no headings"), words)
    assert done.outcome is Outcome.REPAIR and done.now
    mended = judged(turn, answer(turn, [3], "mended", GOOD_MIND), words, repaired=True, now=done.now)
    assert mended.outcome is Outcome.COMMITTED and mended.value and mended.value.now == done.now


@pytest.mark.parametrize(
    "bad",
    [
        "gone",
        GOOD_MIND.replace("## Mission\n", ""),
        mind(agreements="never push to main [#3]"),
        mind(mission="- M1 [open] list museums [#1]"),
        mind(mission="- M1 [open] ship the importer [#1]", lessons="w " * 12_001),
    ],
)
def test_s52_after_the_repair_a_lost_mind_gives_way_to_the_previous_one(bad: str) -> None:
    """Structure lost, Mission lost or swapped, more than twice the total: the previous mind is kept, whole."""
    before = first()
    turn = opened(ROWS, before, WINDOW)
    assert judged(turn, answer(turn, [], LONG, bad), words).outcome is Outcome.REPAIR
    done = judged(turn, answer(turn, [], LONG, bad), words, repaired=True)
    assert done.value and done.value.mind == before.mind
    assert "the previous mind was kept" in done.fallbacks


def test_s08_s52_a_section_over_its_limit_is_stored_whole_and_shown_cut() -> None:
    """After the repair the mind is kept whole, its text cut with a pointer; the next turn starts from the whole."""
    long = mind(mission="- ship the importer [#1]", lessons="lesson " * 1_600)
    turn = opened(ROWS, None, WINDOW)
    asked = judged(turn, answer(turn, [3], LONG, long), words)
    assert asked.problems == ("`# 4. Lessons` has 1600 tokens, its limit is 1500",)
    value = committed(turn, answer(turn, [3], LONG, long), repaired=True)
    assert value.text.count("lesson") < 1_510 and "the whole mind is in .curator/minds/mind-" in value.text
    assert minds.sizes(value.mind, words)[minds.LESSONS] == 1_600
    assert opened(ROWS, value, WINDOW).mind == value.mind


def test_s09_the_last_summarised_number_never_decreases() -> None:
    """A record that shrank (a replaced transcript) does not pull the chain back."""
    before = first()
    assert opened(ROWS[:3], before, WINDOW).through == before.through == 8
    assert opened(ROWS[:3], before, WINDOW).offered == before.offered


@pytest.mark.parametrize(
    "damage",
    [
        {"through": -1},
        {"through": "8"},
        {"memo": [1, "x"]},
        {"mind": None},
        {"made_by": "nobody"},
        {"words": [{"seq": 1}]},
        {"touched": {}},
        {"text": ""},
        {"offered": 99},
        {"now": ...},
    ],
)
def test_s10_a_malformed_stored_checkpoint_fails_at_load_with_its_id(damage: dict[str, object]) -> None:
    """Whatever is wrong, the error names the checkpoint at once; a good one comes back equal."""
    value = first()
    assert loaded("c1", value.document()) == value
    document = {**value.document(), **damage}
    document = {key: kept for key, kept in document.items() if kept is not ...}
    with pytest.raises(CuratorError, match="checkpoint c-77 is malformed"):
        loaded("c-77", document)


def test_s45_an_altered_memo_keeps_every_candidate_after_the_repair() -> None:
    """Who changes more than boxes decides nothing: all stay."""
    turn = opened(ROWS, None, WINDOW)
    bad = replace(answer(turn, [], LONG), memo=turn.memo.replace("never", "always"))
    assert judged(turn, bad, words).outcome is Outcome.REPAIR
    done = judged(turn, bad, words, repaired=True)
    assert done.value and done.value.memo == (1, 3)
    assert any("altered" in line for line in done.fallbacks)


def test_s46_an_untouched_memo_keeps_every_candidate_when_there_is_no_room_left() -> None:
    """No repair can be asked, so nothing is dropped and nothing is asked."""
    turn = opened(ROWS, None, WINDOW)
    done = judged(turn, replace(answer(turn, [], LONG), room=False), words)
    assert done.value and done.value.memo == (1, 3) and not done.problems and done.fallbacks


def test_s47_an_untouched_memo_is_asked_for_once_and_then_kept_whole() -> None:
    """With room left a repair is asked; untouched again, all new candidates stay."""
    turn = opened(ROWS, None, WINDOW)
    asked = judged(turn, answer(turn, [], LONG), words)
    assert asked.outcome is Outcome.REPAIR and "was not decided" in asked.problems[0]
    done = judged(turn, answer(turn, [], LONG), words, repaired=True)
    assert done.value and done.value.memo == (1, 3)


def test_numbers_given_instead_of_a_file_are_a_decision() -> None:
    """`ticks` decides even when it ticks nothing; a number that is no candidate is a problem."""
    turn = opened(ROWS, None, WINDOW)
    none = judged(turn, replace(answer(turn, [], LONG), ticks=frozenset()), words)
    assert none.value and none.value.memo == ()
    assert "no number #5" in judged(turn, replace(answer(turn, [], LONG), ticks=frozenset({5})), words).problems[0]


def test_s72_five_rounds_without_new_input_change_nothing() -> None:
    """The same record, decided the same way, gives the same checkpoint to the last byte."""
    value = first()
    for _ in range(5):
        turn = opened(ROWS, value, WINDOW)
        again = committed(turn, Answer(f"<checkpoint>\n{value.now}\n</checkpoint>", turn.mind, turn.memo))
        assert again == value


def test_s74_a_checkpoint_no_smaller_than_what_it_replaces_is_refused() -> None:
    """Seven hundred tokens are not replaced by two thousand; a short talk's small checkpoint is allowed."""
    rows = conversation("u:" + "detail " * 700, "a:ok", "u:go on")
    turn = opened(rows, None, WINDOW)
    big = committed(turn, answer(turn, [1], now(filler=2_000)))
    assert "it saves nothing" in bloated(big, None, rows, words)
    assert bloated(committed(turn, answer(turn, [1], LONG)), None, rows, words) == ""
    long = conversation("u:" + "detail " * 9_000, "a:ok", "u:go on")
    assert bloated(big, None, long, words) == ""


def test_s59_two_unproductive_checkpoints_end_the_tries_of_a_run() -> None:
    """Failed, or still three quarters of the threshold, twice in a row: no third."""
    assert may_try([]) and may_try([False]) and may_try([False, True]) and may_try([True, False])
    assert not may_try([False, False]) and not may_try([True, False, False])
    value = replace(first(), tokens=50_000)
    assert productive(value, Window(200_000), 1.65)
    assert not productive(replace(value, tokens=82_000), Window(200_000), 1.65)


def test_ticks_and_files_agree() -> None:
    """The helper's ticked file reads back as the numbers it was told."""
    turn = opened(ROWS, None, WINDOW)
    assert tick(turn, 3).count("[x]") == 1
