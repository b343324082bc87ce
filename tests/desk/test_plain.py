"""Plain mode: every letter, one question a line, on a real pseudo-terminal too."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.cli import plainly
from curator.draft import Draft
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import desk_on, documents, enter, lesson, propose, states
from tui.keys import ACTIONS


def review(
    store: Store, *answers: str, edit: Callable[[Draft], Draft] = lambda draft: draft
) -> tuple[list[str], list[str]]:
    """What is told and asked in a review with these answers; the person goes after the last."""
    told: list[str] = []
    asked: list[str] = []
    left = list(answers)

    def ask(question: str) -> str | None:
        asked.append(question)
        return left.pop(0) if left else None

    plainly.PlainReview(desk_on(store), ask, told.append, edit).run()
    assert left == [], "the review ended before these answers"
    return told, asked


def said(lines: Sequence[str], part: str) -> bool:
    """Is the part in one of the lines?"""
    return any(part in line for line in lines)


def test_each_letter_of_the_table_with_a_plain_form_works_here() -> None:
    """Plain mode is complete: the table names no letter that it lacks, and help tells each."""
    assert set(plainly.letters()) | {"m"} == {action.plain for action in ACTIONS if action.plain}


def test_accept_reject_snooze_leave_undo_and_the_summary(store: Store) -> None:
    """Decisions go on to the next proposal, undo stays; what is left is left undecided."""
    (old,) = enter(store, "The staging config file is in the repo root.")
    update = [old.with_(body="The staging config file is config/staging.yaml, not the repo root.")]
    propose(store, Op.UPDATE, [old], update, harm=0.9, reason="Corrected twice.")
    for number in range(4):
        propose(store, Op.ADD, after=[lesson(f"Text {number}.")], harm=0.5 - number / 10)
    told, asked = review(store, "a", "r", "3", "z", "u", "", "q")
    assert said(told, "Change: The staging config file is [-in-] {+config/staging.yaml, not+} the repo root.")
    assert said(told, 'Removed "in"; added "config/staging.yaml, not".')
    assert said(told, f"Accepted P-0001 -> {old.entry_id} rev 2.") and said(told, "Rejected P-0002 (one-off).")
    assert states(store) == {
        "P-0001": "accepted",
        "P-0002": "rejected",
        **dict.fromkeys(("P-0003", "P-0004", "P-0005"), "open"),
    }
    assert said(told, "Accepted: 1 update. Rejected: 1 one-off.") and said(told, "3 left, 0 snoozed")
    assert all("\x1b" not in line for line in (*told, *asked))


def test_editing_route_labels_restoring_and_splitting(store: Store) -> None:
    """Each changes the proposal, shows it again and lets the person go on."""
    lost = [{"kind": "number", "text": "8080", "context": "Port 8080."}]
    propose(store, Op.ADD, after=[lesson("Use pnpm.")], harm=0.9, lost=lost)
    propose(store, Op.ADD, after=[lesson("Two things.")], harm=0.1)
    told, _ = review(
        store,
        *("e", "Use pnpm,", "never npm.", "."),
        "+",
        "t",
        *("l", "pattern", "", "web, js"),
        "E",
        "a",
        *("s", "One.", "---", "Two.", "."),
        edit=lambda draft: draft.with_(title="Package manager"),
    )
    (document,) = documents(store).values()
    assert document["body"] == "Use pnpm,\nnever npm.\nPort 8080." and document["title"] == "Package manager"
    assert (document["kind"], document["route"], document["labels"]) == ("pattern", "injected", ["js", "web"])
    assert said(told, "Missing from the result: number 8080") and states(store)["P-0002.2"] == "open"


def test_bulk_filter_fold_help_log_preview_and_source(store: Store) -> None:
    """The other letters; a wrong letter and a wrong filter change nothing."""
    (old,) = enter(store, "Use pnpm in web/.")
    similar = [{"entry_id": old.entry_id, "score": 0.7}]
    evidence = [{"speaker": "user", "string": "never npm", "session": "s", "seq": 3}]
    propose(store, Op.ADD, after=[lesson("npm breaks the lock.")], harm=0.9, similar=similar, evidence=evidence)
    propose(store, Op.ADD, after=[lesson("Use UTC.", labels=["time"])], harm=0.2)
    propose(store, Op.ADD, after=[lesson("Use ISO dates.", labels=["time"])], harm=0.1)
    told, _ = review(
        store,
        *("w", "?", "U", "p", "o"),
        *("m", "pnpm", "m", "1", "a"),
        *("/", "op:frob", "/", "label:time"),
        *("A", "no", "A", "yes"),
    )
    for part in (
        "'w' is no letter here",
        "merge into a similar memory",
        "The next session gets",
        "no conversation is kept",
        f"{old.entry_id} rev 1 lesson",
        "Folded P-0001",
        "there are add",
        "2 proposals, +0 tokens; left out: none.",
    ):
        assert said(told, part), part
    assert set(states(store).values()) == {"accepted"}
    assert documents(store)[old.entry_id]["body"] == "Use pnpm in web/.\nnpm breaks the lock."


@pytest.mark.parametrize(("answer", "body"), [("n", "Run make lint."), ("p", "Run ruff --fix."), ("e", "By hand.")])
def test_a_conflict_is_settled_by_the_person(store: Store, answer: str, body: str) -> None:
    """Base, now and proposed are told; only the chosen text stands."""
    (old,) = enter(store, "Run ruff.")
    propose(store, Op.UPDATE, [old], [old.with_(body="Run ruff --fix.")])
    desk_on(store).edit(old.entry_id, 1, old.with_(body="Run make lint."))
    told, asked = review(store, "a", answer, edit=lambda draft: draft.with_(body="By hand."))
    assert said(told, "Base m-") and said(told, "Now: Run make lint.") and said(told, "Proposed: Run ruff --fix.")
    assert asked[1].startswith("Which text stands?") and documents(store)[old.entry_id]["body"] == body


def test_without_a_terminal_the_queue_is_printed_read_only(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 1 while something waits, 0 when nothing does; nothing is created where no store is."""
    monkeypatch.chdir(store.place.root)
    assert main(["review"]) == 0 and "Nothing is waiting" in capsys.readouterr().out
    propose(store, Op.ADD, after=[lesson("Use [/dim] \x1b]0;owned\x07.")])
    for words in (["review"], ["review", "--plain"], ["-C", str(store.place.root), "review"]):
        assert main(words) == 1
        got = capsys.readouterr()
        assert "P-0001" in got.out and "\x1b" not in got.out and "[/dim]" in got.out and "terminal" in got.err
    assert states(store) == {"P-0001": "open"}


def on_terminal(words: list[str], typed: list[str], cwd: Path, program: str = "", **env: str) -> tuple[int, str]:
    """Run `curator` (or a script) on a pseudo-terminal; each answer is typed once a question stands there."""
    far, near = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *([program] if program else ["-m", "curator"]), *words],
        cwd=cwd,
        env={**os.environ, **env},
        stdin=near,
        stdout=near,
        stderr=near,
        start_new_session=True,
    )
    os.close(near)
    shown = b""
    seen = 0
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if select.select([far], [], [], 0.1)[0]:
            try:
                data = os.read(far, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            shown += data
        if typed and shown.rstrip(b" ").endswith(b"]") and len(shown) > seen:
            seen = len(shown)
            os.write(far, typed.pop(0).encode() + b"\n")
    os.close(far)
    return process.wait(timeout=10), shown.decode("utf-8", "replace")


def test_plain_mode_on_a_real_terminal(store: Store) -> None:
    """`TERM=dumb` chooses it by itself; what content holds never steers the terminal; an agent is refused."""
    propose(store, Op.ADD, after=[lesson("Use pnpm \x1b]0;owned\x07 [/dim].")], harm=0.9)
    propose(store, Op.ADD, after=[lesson("Use UTC.")])
    code, shown = on_terminal(["review"], ["a", "q"], store.place.root, TERM="dumb")
    assert code == 0, shown
    assert "\x1b" not in shown and "\\x1b]0;owned\\x07 [/dim]" in shown and "Accepted P-0001 -> m-" in shown
    assert states(store) == {"P-0001": "accepted", "P-0002": "open"}
    code, shown = on_terminal(["review", "--plain"], ["a"], store.place.root, CLAUDECODE="1")
    assert code == 1 and "CLAUDECODE" in shown and states(store)["P-0002"] == "open"


def test_nothing_heavy_is_imported_before_the_screen_is_up(store: Store) -> None:
    """The store, typer and the tokenizer wait for the first frame."""
    code = """
import sys, tui.app
heavy = {"sqlmodel", "sqlalchemy", "typer", "tiktoken", "alembic", "torch", "pydantic"}
tui.app.run = lambda *rest: print("heavy:", sorted(heavy & set(sys.modules)), rest[2]) or 0
from curator.__main__ import main
sys.exit(main(["review"]))
"""
    script = store.place.root / "start.py"
    script.write_text(code, encoding="utf-8")
    left, shown = on_terminal([], [], store.place.root, program=str(script))
    assert left == 0 and "heavy: [] shop" in shown, shown


def test_a_target_that_was_only_pinned_is_looked_at_again_and_accepted(store: Store) -> None:
    """Nothing to choose between: the proposal stands on what is there now, is shown again, and `a` accepts it."""
    (old,) = enter(store, "Run ruff.")
    propose(store, Op.UPDATE, [old], [old.with_(body="Run ruff --fix.")])
    desk_on(store).pin(old.entry_id, 1)
    told, asked = review(store, "a", "a")
    assert said(told, "not done, rebased") and len(asked) == 2
    assert (documents(store)[old.entry_id]["body"], documents(store)[old.entry_id]["pinned"]) == (
        "Run ruff --fix.",
        True,
    )
