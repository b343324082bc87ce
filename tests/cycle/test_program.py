"""A program does the checkpoint's turn (issue 4.5; cases 91 and 92)."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlmodel import select

from curator.checkpoint import Outcome, Window
from curator.checkpoint.turn import opened
from curator.cycle.checkpoints import Committed, history
from curator.cycle.checkpoints.current import taken
from curator.cycle.checkpoints.program import answered, by_command, run
from curator.errors import CuratorError
from curator.store import tables
from curator.store.engine import Store
from tests.checkpoint.talk import conversation, now
from tests.cycle.kept import COUNTER, made, record

CASES = Path(__file__).parent.parent / "cases"
FAITHFUL = """\
Here is my answer.
<edit section="## Mission"><old>(none yet: mission)</old><new>- plan the holiday [#1]</new></edit>
<edit><old>(none yet: agreements)</old><new>
- no outdoor steps [#1]
</new></edit>
<memo>1 3</memo>
"""


def program(folder: Path, *answers: str) -> str:
    """A program that prints one answer a call, the last one for ever, and keeps the prompts it was given."""
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    script = folder / "model"
    script.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "answers = json.loads((folder / 'answers.json').read_text(encoding='utf-8'))\n"
        "calls = len(list(folder.glob('prompt-*')))\n"
        "(folder / f'prompt-{calls}').write_bytes(sys.stdin.buffer.read())\n"
        "sys.stdout.buffer.write(answers[min(calls, len(answers) - 1)].encode())\n",
        encoding="utf-8",
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def prompts(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("prompt-*"))]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return made(tmp_path / "project")


def outcomes(store: Store) -> list[tuple[str, list[str]]]:
    with store.read() as session:
        rows = session.exec(select(tables.Attempt)).all()
        return [(row.outcome, row.value["problems"]) for row in rows]


def round_of(store: Store, name: str, tmp_path: Path, *answers: str) -> Committed:
    """One round of case 91: only the new part of the transcript is given."""
    folder = tmp_path / name
    folder.mkdir()
    session = taken(store, CASES / "91" / f"{name}.jsonl", COUNTER.count)
    return run(store, by_command(program(folder, *answers)), COUNTER.count, session)


def test_case_91_what_a_forgetful_model_drops_is_kept(store: Store, tmp_path: Path) -> None:
    """Rounds two and three drop a constraint and the mission: one repair, then the rule keeps more, and says so."""
    first = round_of(store, "r1", tmp_path, FAITHFUL + now("planning the trip", 120))
    assert first.outcome is Outcome.COMMITTED and first.value
    said = subprocess.run([CASES / "91/forgetful_model.sh"], capture_output=True, text=True, check=True).stdout
    step = said.splitlines()[-1]
    forgetful = (
        '<edit section="## Mission"><old>- M1 [open] plan the holiday [#1]</old><new>(no mission)</new></edit>\n'
        "<memo>3 4</memo>\n" + now(step, 120)
    )
    for name in ("r2", "r3"):
        done = round_of(store, name, tmp_path, forgetful)
        assert done.outcome is Outcome.COMMITTED and done.value, done.problems
        assert "the previous mind was kept" in done.fallbacks
        assert len(prompts(tmp_path / name)) == 2 and "Mission entry M1" in prompts(tmp_path / name)[1]
    assert done.value
    assert "- M1 [open] plan the holiday [#1]" in done.value.mind
    assert "- no outdoor steps [#1]" in done.value.text
    assert "- (#3) budget is 300 EUR, hard limit" in done.value.text
    assert done.value.request and done.value.request.text == "book the second one"


def test_case_91_a_memo_the_model_never_decides_keeps_both_sentences(store: Store, tmp_path: Path) -> None:
    """A forgetful model that says nothing of the memo: every candidate stays, verbatim, with its number."""
    round_of(store, "r1", tmp_path, FAITHFUL + now("planning", 120))
    for name in ("r2", "r3"):
        done = round_of(store, name, tmp_path, now("listing museums", 120))
    assert done.value and done.value.memo[:2] == (1, 3)
    for said in (
        "- (#1) I am allergic to pollen: no outdoor steps in any plan",
        "- (#3) budget is 300 EUR, hard limit",
    ):
        assert said in done.value.text
    assert "the memo was untouched: every candidate was kept" in done.fallbacks


def test_case_92_a_result_that_saves_nothing_is_refused_and_not_tried_for_ever(store: Store, tmp_path: Path) -> None:
    """A 700-token history and an answer of thousands: refused twice, then no third attempt in the run."""
    session = taken(store, CASES / "92/history.jsonl", COUNTER.count)
    bloat = subprocess.run([CASES / "92/bloated_model.sh"], capture_output=True, text=True, check=True).stdout
    ask = by_command(program(tmp_path, now(bloat.splitlines()[-1], 0)))
    for _ in range(2):
        done = run(store, ask, COUNTER.count, session)
        assert done.outcome is Outcome.FAILED and "it saves nothing" in done.problems[-1]
    for _ in range(3):
        with pytest.raises(CuratorError, match="did not help"):
            run(store, ask, COUNTER.count, session)
    assert len(prompts(tmp_path)) == 2
    assert [outcome for outcome, _ in outcomes(store)] == ["failed", "failed"]
    assert "it saves nothing" in outcomes(store)[0][1][-1]
    with store.read() as reading:
        assert not history(reading, store.project_id)


TALK = conversation("u:rule: never push", "a:ok", "u:go", "a:on it", "t:Bash")


def test_an_answer_is_edits_numbers_and_a_block() -> None:
    """Edits are applied in order; one that fits nowhere is a problem; tags inside the block are text."""
    turn = opened(TALK, None, Window())
    block = now("<memo>9</memo> and <edit><old>a</old><new>b</new></edit>", 60)
    got, mind = answered(turn, turn.mind, f"{FAITHFUL}<edit><old>not there</old><new>x</new></edit>{block}")
    assert (
        got.ticks == frozenset({1, 3}) and "- plan the holiday [#1]" in mind and "- no outdoor steps [#1]\n\n#" in mind
    )
    assert len(got.problems) == 1 and "'not there'" in got.problems[0]
    assert answered(turn, turn.mind, block)[0].ticks is None
    assert answered(turn, turn.mind, "<memo></memo>")[0].ticks == frozenset()


def test_what_still_does_not_fit_after_the_repair_is_told(store: Store, tmp_path: Path) -> None:
    """An edit and a number that fit nowhere twice: the rest is committed, and each is named as left out."""
    record(store, TALK)
    good = "<edit><old>(none yet: mission)</old><new>- ship it [#1]</new></edit>"
    bad = f"{good}<edit><old>not there</old><new>x y</new></edit><memo>1 77</memo>" + now("pushing nothing", 120)
    done = run(store, by_command(program(tmp_path, bad, bad)), COUNTER.count)
    assert done.outcome is Outcome.COMMITTED and done.value and done.value.memo == (1,)
    edit, number = done.fallbacks
    assert "ship it" in done.value.mind and "mission" not in edit
    assert "left out" in edit and "'not there'" in edit and "numbers" in number


@pytest.mark.parametrize("command", ["/nonexistent/program", f"{sys.executable} -c 'raise SystemExit(3)'", "'"])
def test_a_program_that_fails_is_a_failed_checkpoint(store: Store, command: str) -> None:
    """No answer: audited once with the reason, nothing stored, nothing left open."""
    record(store, TALK)
    done = run(store, by_command(command), COUNTER.count)
    assert done.outcome is Outcome.FAILED and "gave no answer" in done.problems[0]
    assert [outcome for outcome, _ in outcomes(store)] == ["failed"]
    assert not list((store.place.folder / "checkpoints").iterdir())


def test_a_program_may_repair_once(store: Store, tmp_path: Path) -> None:
    """The second prompt names every problem; a good second answer is committed."""
    record(store, TALK)
    ask = by_command(program(tmp_path, "I would rather not.", "<memo>1</memo>" + now("pushing nothing", 120)))
    done = run(store, ask, COUNTER.count)
    assert done.outcome is Outcome.COMMITTED and done.value and done.value.memo == (1,)
    first, second = prompts(tmp_path)
    assert "Answer in this form" in first and "there is no <checkpoint> block" in second


def test_the_file_of_case_91_names_its_session(store: Store) -> None:
    """A transcript's own rows say which session it belongs to."""
    rows = [json.loads(line) for line in (CASES / "91/r1.jsonl").read_text().splitlines()]
    assert taken(store, CASES / "91/r1.jsonl", COUNTER.count) == rows[0]["sessionId"]
