"""The other events: they add a little at the right moment, block nothing, and hand the work to the background."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curator.brief import session
from curator.guard import MARK
from curator.hook.signs import absent, destructive, lost_thread
from tests.hook.helpers import CASES, checkpoint, context, hook, item, project, start

EVENTS = ("session-start", "prompt", "pre-tool", "post-tool", "stop", "pre-compact", "post-compact", "session-end")


def with_work(root: Path) -> Path:
    """A project with a contract and a checkpoint of session S1."""
    made = project(root, [item("n-1", "a fact")], checkpoints=(checkpoint("C1", "S1"),))
    (made / ".curator" / "CONTRACT.md").write_text(
        "# Contract\n## SUMMARY\n- never rename the public API\n"
        "\n## INTERFACES\n- api: src/api.py\n- schemas: schemas/\n"
    )
    (made / ".curator" / "TASK_STATE.md").write_text("## CURRENT\n- task: x\n")
    return made


def said(done: subprocess.CompletedProcess[bytes], event: str) -> str:
    """The added context; the document must be valid and hold no decision."""
    assert done.returncode == 0
    if not done.stdout:
        return ""
    value = json.loads(done.stdout)
    assert set(value) == {"hookSpecificOutput"} and value["hookSpecificOutput"]["hookEventName"] == event
    return str(value["hookSpecificOutput"]["additionalContext"])


def prompt(root: Path, text: str, who: str = "S1") -> str:
    """What the prompt hook adds."""
    return said(hook(root, "prompt", {"session_id": who, "prompt": text}), "UserPromptSubmit")


def spool(root: Path) -> list[dict[str, Any]]:
    """The events that were spooled and not yet taken in."""
    files = sorted((root / ".curator" / "spool").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines() if line.strip()]


def test_a_long_session_is_reminded_at_turn_twenty_and_every_five_after(tmp_path: Path) -> None:
    """Only turns that the person typed count; the reminder is at most 1,500 bytes with mission, step and contract."""
    root = with_work(tmp_path)
    with session.opened(str(root / ".curator"), "S1") as known:
        known["turns"] = 17
    assert prompt(root, "<task-notification>done</task-notification>") == ""
    answers = [prompt(root, f"message {n}") for n in range(18, 31)]
    due = [n for n, answer in enumerate(answers, 18) if answer]
    assert due == [20, 25, 30]
    assert len(answers[2].encode()) <= 1_500
    assert all(part in answers[2] for part in ("mission of C1", "step of C1", "never rename the public API"))


def test_a_person_who_says_that_the_thread_is_lost_is_answered_at_once(tmp_path: Path) -> None:
    """At the first turn already; a setting turns the hook off."""
    root = with_work(tmp_path)
    assert "mission of C1" in prompt(root, "Did you forget what we agreed?")
    assert prompt(root, "please go on") == ""
    (root / ".curator" / "config.toml").write_text("prompt_hook = false\n")
    assert prompt(root, "你是不是忘了我们的约定？") == ""


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("As I already said, use tabs", True),
        ("we already decided that", True),
        ("that's not what I asked for", True),
        ("You are going in circles.", True),
        ("我刚才说过了，不要改接口", True),
        ("你跑偏了", True),
        ("remember to add a test", False),
        ("what does this function do?", False),
        ("the user forgot the password, handle it", False),
        ("请继续", False),
        ("我们已经准备好发布", False),
    ],
)
def test_the_phrases_of_a_lost_thread_are_known_and_others_are_not(text: str, lost: bool) -> None:
    """English and Chinese phrases with which people say it; ordinary requests do not count."""
    assert lost_thread(text) is lost


@pytest.mark.parametrize(
    ("command", "risky"),
    [
        ("rm -rf build", True),
        ("git reset --hard HEAD~1", True),
        ("git push --force origin main", True),
        ("git push -f", True),
        ("psql -c 'DROP TABLE users'", True),
        ("find . -name '*.pyc' -delete", True),
        ("mv src/*.py lib/", True),
        ("git -C repo clean -fdx", True),
        ("git push origin main", False),
        ("git status", False),
        ("rg 'rm -x'", False),
        ("mv a.py b.py", False),
        ("ls -la", False),
        ("git commit -m 'drop the table of contents'", False),
    ],
)
def test_what_is_hard_to_take_back_is_known(command: str, risky: bool) -> None:
    """Deleting, forcing, mass moves and dropping data count; reading and ordinary commits do not."""
    assert destructive(command) is risky


def test_before_a_destructive_operation_the_contract_is_said_once(tmp_path: Path) -> None:
    """Once per distinct command, for a shell command and for an edit of a listed interface; never a decision."""
    root = with_work(tmp_path)

    def fire(tool: str, **given: str) -> str:
        return said(hook(root, "pre-tool", {"session_id": "S1", "tool_name": tool, "tool_input": given}), "PreToolUse")

    first = fire("Bash", command="rm -rf dist")
    assert "never rename the public API" in first and "step of C1" in first
    assert fire("Bash", command="rm -rf dist") == ""
    assert fire("Bash", command="rm -rf build")
    assert fire("Bash", command="ls") == ""
    assert fire("Edit", file_path="src/api.py") and fire("Write", file_path=str(tmp_path / "schemas" / "a.json"))
    assert fire("Edit", file_path="src/other.py") == ""


def test_two_results_in_a_row_that_something_is_missing_bring_one_reminder(tmp_path: Path) -> None:
    """A result in between starts the count anew; a third one says nothing again."""
    root = with_work(tmp_path)

    def fire(result: Any) -> str:
        return said(hook(root, "post-tool", {"session_id": "S1", "tool_response": result}), "PostToolUse")

    gone = {"stderr": "cat: x: No such file or directory"}
    assert [bool(fire(one)) for one in (gone, {"stdout": "ok"}, gone, gone, gone)] == [False, False, False, True, False]
    assert absent("ModuleNotFoundError: No module named 'x'") and not absent("3 passed")


def usage(path: Path, tokens: int) -> Path:
    """A Claude Code transcript whose last answer used so many tokens."""
    rows = [
        {"type": "user", "message": {"content": "x"}},
        {
            "type": "assistant",
            "message": {"model": "m", "usage": {"input_tokens": 1, "cache_read_input_tokens": tokens}},
        },
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_stop_asks_for_a_checkpoint_in_time_and_not_again_before_the_talk_grew(tmp_path: Path) -> None:
    """Nothing below 0.75 T, a suggestion above, a request past 0.9 T; silent when a stop hook is already at work."""
    root = with_work(tmp_path / "p")
    path = tmp_path / "t.jsonl"

    def fire(tokens: int, **more: Any) -> str:
        payload = {"session_id": "S1", "transcript_path": str(usage(path, tokens)), **more}
        return said(hook(root, "stop", payload), "Stop")

    threshold = 160_000
    assert fire(threshold // 2) == ""
    assert "next good moment" in fire(int(threshold * 0.8))
    assert fire(int(threshold * 0.85)) == ""
    assert fire(int(threshold * 0.97), stop_hook_active=True) == ""
    assert "Write one now" in fire(int(threshold * 0.97))


def test_stop_says_once_that_the_task_state_is_behind_the_newest_commit(tmp_path: Path) -> None:
    """Instants are compared, so every time zone gives the same answer; the same commit is not named twice."""
    root = with_work(tmp_path)
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(root)]
    subprocess.run([*run, "init", "-q"], check=True)
    os.utime(root / ".curator" / "TASK_STATE.md", (time.time() - 60,) * 2)
    subprocess.run([*run, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    for who, zone in (("S1", "Pacific/Kiritimati"), ("S2", "America/New_York")):
        answer = said(hook(root, "stop", {"session_id": who}, env={"TZ": zone}), "Stop")
        assert "older than the newest commit" in answer
        assert said(hook(root, "stop", {"session_id": who}, env={"TZ": zone}), "Stop") == ""


def test_case_08_pre_compact_never_blocks(tmp_path: Path) -> None:
    """Good, missing transcript, locked store, unwritable store: empty stdout, exit 0, inside its bound."""
    payload = json.loads((CASES / "08" / "payload.json").read_text())
    root = project(tmp_path / "p", [item("n-1", "a fact")])
    lock = root / ".curator" / "lock"
    import fcntl

    for state in ("good", "locked", "full"):
        with lock.open("w") as held:
            if state == "locked":
                fcntl.flock(held, fcntl.LOCK_EX)
            if state == "full":
                shutil.rmtree(root / ".curator" / "spool", ignore_errors=True)
                (root / ".curator" / "spool").write_text("in the way")
            before = time.monotonic()
            done = hook(root, "pre-compact", payload)
            assert time.monotonic() - before < 15
        assert (done.returncode, done.stdout) == (0, b"")
    assert b"curator" in done.stderr


def test_closing_events_spool_and_print_nothing(tmp_path: Path) -> None:
    """pre-compact, post-compact and session-end leave an event each, with the session and the transcript's path."""
    root = project(tmp_path)
    for event in ("pre-compact", "post-compact", "session-end"):
        done = hook(root, event, {"session_id": "S1", "transcript_path": "/nowhere/t.jsonl"})
        assert (done.returncode, done.stdout) == (0, b"")
    assert session.load(str(root / ".curator"), "S1")["ended"] is True


def test_case_07_what_the_product_starts_can_start_no_hook(tmp_path: Path) -> None:
    """With the variable, and with a cleared environment below one of our processes: nothing printed, nothing kept."""
    root = project(tmp_path / "p", [item("n-1", "a fact")])
    marked = hook(root, "session-start", start(), env={MARK: "1"})
    assert (marked.returncode, marked.stdout) == (0, b"")
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    inner = f'cd {root} && echo \'{{"session_id":"inner"}}\' | env -i HOME=$HOME PATH=$PATH PYTHONPATH=$PYTHONPATH '
    worker = bin_ / "curator"
    worker.write_text(
        "import subprocess, sys\n"
        f"out = subprocess.run(['sh', '-c', {inner!r} + {sys.executable!r} + ' -m curator hook session-start'],"
        " capture_output=True)\n"
        "sys.stdout.write(repr((out.returncode, out.stdout)))\n"
    )
    done = subprocess.run([sys.executable, str(worker), "ingest"], capture_output=True, check=True, text=True)
    assert done.stdout == "(0, b'')"
    outside = subprocess.run([sys.executable, str(worker), "status"], capture_output=True, check=True, text=True)
    assert "a fact" in outside.stdout
    assert not (root / ".curator" / "spool").exists() or all(one["session"] == "inner" for one in spool(root))


def test_case_06_no_event_imports_a_heavy_package(tmp_path: Path) -> None:
    """Stubs that mark and sleep stand first on the path; every event ends quickly and none was imported."""
    root = with_work(tmp_path / "p")
    env = {"PYTHONPATH": f"{CASES / '06' / 'stub'}:{os.environ['PYTHONPATH']}", "CASE_MARK": str(tmp_path)}
    for event in ("session-start", "prompt", "pre-tool", "post-tool"):
        payload = {"session_id": "S9", "prompt": "did you forget?", "tool_input": {"command": "rm -rf x"}}
        assert hook(root, event, payload, env=env).returncode == 0
    assert not list(tmp_path.glob("IMPORTED_*"))


def test_the_hooks_path_is_standard_library_only(tmp_path: Path) -> None:
    """A subprocess imports every module of the hook and answers a start; none of the heavy names is loaded."""
    root = with_work(tmp_path)
    code = (
        "import sys, os; os.chdir(sys.argv[1])\n"
        "from curator.hook.call import answer\n"
        "from curator.hook import start, prompt, tools, closing\n"
        "answer(['session-start', '--client', 'claude'])\n"
        "heavy = {'typer', 'sqlmodel', 'sqlalchemy', 'pydantic', 'textual', 'alembic', 'tiktoken', 'numpy', 'torch',"
        " 'snowballstemmer', 'rich', 'curator.store'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_start_imports_none_of_what_is_slow_in_the_standard_library(tmp_path: Path) -> None:
    """What `curator.light` stands in for and its like would each cost a start up to a fifth of its time."""
    root = with_work(tmp_path)
    code = (
        "import sys, os; os.chdir(sys.argv[1])\n"
        "from curator.hook.call import answer\n"
        "answer(['session-start', '--client', 'claude'])\n"
        "slow = {'dataclasses', 'pathlib', 'tomllib', 'subprocess', 'inspect', 'collections', 're', 'json', 'typing',"
        " 'enum', 'hashlib', 'datetime', 'math'}\n"
        "print(sorted(slow & set(sys.modules)))\n"
    )
    from dataclasses import asdict

    from curator.config import Settings

    settled = {"settings": asdict(Settings()), "sources": {}}
    project(root, [item("n-1", "a fact")], **settled)
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True
    )
    assert done.stdout.strip() == "[]"


def test_an_unknown_event_and_a_paused_project_are_quiet(tmp_path: Path) -> None:
    """Exit 0 and empty stdout for words that make no sense, and for every event while the hooks are off."""
    root = with_work(tmp_path)
    for words in ((), ("--client",), ("--client=warp", "--what")):
        assert hook(root, "nonsense", {}, *words).stdout == b""
    (root / ".curator" / "off").write_text("")
    assert all(hook(root, event, start()).stdout == b"" for event in EVENTS[:4])
    (root / ".curator" / "off").unlink()
    assert context(hook(root, "session-start", start()))


def test_what_did_not_arrive_is_delivered_once_more_with_a_prompt(tmp_path: Path) -> None:
    """The transcript has answers but not the frame's digest: once more, then never again; when it is there, nothing."""
    root = with_work(tmp_path / "p")
    path = tmp_path / "t.jsonl"
    text = context(hook(root, "session-start", {**start("S1"), "transcript_path": str(path)}))
    payload = {"session_id": "S1", "prompt": "go on", "transcript_path": str(path)}
    path.write_text(json.dumps({"type": "user"}) + "\n")
    assert said(hook(root, "prompt", payload), "UserPromptSubmit") == ""
    path.write_text(json.dumps({"type": "assistant"}) + "\n")
    assert "a fact" in said(hook(root, "prompt", payload), "UserPromptSubmit")
    assert said(hook(root, "prompt", payload), "UserPromptSubmit") == ""
    there = context(hook(root, "session-start", {**start("S2"), "transcript_path": str(path)}))
    assert there.split('id="')[1][:16] == text.split('id="')[1][:16]
    path.write_text(json.dumps({"type": "assistant", "x": there}) + "\n")
    assert said(hook(root, "prompt", {**payload, "session_id": "S2"}), "UserPromptSubmit") == ""
    assert session.load(str(root / ".curator"), "S2")["arrived"] == there.split('id="')[1][:16]


def test_gemini_gets_its_memories_with_the_first_prompt(tmp_path: Path) -> None:
    """Nothing at its start hook; once at the first prompt, in its own envelope."""
    root = with_work(tmp_path)
    client = ("--client", "gemini")
    assert hook(root, "session-start", start(), *client).stdout == b""
    first = json.loads(hook(root, "prompt", {"session_id": "S1", "prompt": "hi"}, *client).stdout)
    assert first["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"
    assert "a fact" in first["hookSpecificOutput"]["additionalContext"]
    assert hook(root, "prompt", {"session_id": "S1", "prompt": "more"}, *client).stdout == b""


def test_recall_is_off_until_the_setting_says_so(tmp_path: Path) -> None:
    """On: the entries that share the prompt's rare words; the log says how many, or how far the best fell short."""
    facts = [item(f"n-{n}", f"an ordinary fact {n}") for n in range(20)]
    root = project(tmp_path, [*facts, item("n-p", "the parser skips the header row")])
    assert prompt(root, "why does the parser skip the header?") == ""
    (root / ".curator" / "config.toml").write_text("recall = true\n")
    assert "[n-p]" in prompt(root, "why does the parser skip the header?", "S2")
    assert prompt(root, "weather in Lisbon tomorrow", "S3") == ""
    assert [one["recall"] for one in spool(root) if "recall" in one] == [
        "recalled 1 (threshold 0.30)",
        "no recall: best score 0.00 below 0.30",
    ]


def test_stdin_that_never_ends_is_waited_for_at_most_200_ms(tmp_path: Path) -> None:
    """An open pipe without bytes is an empty payload: the start still gets everything."""
    root = project(tmp_path, [item("n-1", "a fact")])
    reader, writer = os.pipe()
    try:
        command = [sys.executable, "-m", "curator", "hook", "session-start", "--client", "claude"]
        done = subprocess.run(command, stdin=reader, capture_output=True, cwd=root, timeout=20, check=False)
    finally:
        os.close(writer)
        os.close(reader)
    assert "a fact" in context(done)
