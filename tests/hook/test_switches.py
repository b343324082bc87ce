"""Each hook inside a session can be turned off, and the reminder's interval follows a known window."""

import json
from pathlib import Path
from typing import Any

import pytest

from curator.brief import session
from tests.hook.helpers import context, hook, start
from tests.hook.test_events import prompt, usage, with_work

GONE = {"session_id": "S1", "tool_response": "ENOENT"}
SWITCHES: dict[str, tuple[str, dict[str, Any], int]] = {
    "prompt_hook": ("prompt", {"session_id": "S1", "prompt": "did you forget what we agreed?"}, 1),
    "pre_tool_hook": ("pre-tool", {"session_id": "S1", "tool_name": "Bash", "tool_input": {"command": "rm -rf x"}}, 1),
    "post_tool_hook": ("post-tool", GONE, 2),
    "stop_hook": ("stop", {"session_id": "S1"}, 1),
}


@pytest.mark.parametrize("name", SWITCHES)
def test_each_hook_speaks_unless_its_setting_is_off(name: str, tmp_path: Path) -> None:
    """The event that makes it speak, with the setting on and off; the start goes on either way."""
    event, payload, times = SWITCHES[name]
    root = with_work(tmp_path / "p")
    payload = {**payload, "transcript_path": str(usage(tmp_path / "t.jsonl", 159_000))} if event == "stop" else payload
    for value, speaks in (("false", False), ("true", True)):
        (root / ".curator" / "config.toml").write_text(f"{name} = {value}\n")
        answers = [hook(root, event, payload).stdout for _ in range(times)]
        assert bool(answers[-1]) is speaks
        assert context(hook(root, "session-start", start(value)))


def test_the_interval_of_the_reminder_follows_a_known_window(tmp_path: Path) -> None:
    """Window x 0.3 / average tokens a turn: 100,000 and 3,000 a turn make 10 turns, not the twentieth."""
    root = with_work(tmp_path)
    (root / ".curator" / "config.toml").write_text("window = 100000\n")
    due = []
    for turn in (1, 9, 10, 11, 19, 20, 21):
        with session.opened(str(root / ".curator"), "S1") as known:
            known.update(turns=turn - 1, tokens=3_000 * (turn - 1))
        if prompt(root, f"message {turn}"):
            due.append(turn)
    assert due == [10, 20]


def test_what_a_reminder_cost_is_left_for_the_ledger(tmp_path: Path) -> None:
    """Every reminder spools why it was given and its bytes."""
    root = with_work(tmp_path)
    said = prompt(root, "did you forget what we agreed?")
    events = [json.loads(line) for line in (root / ".curator/spool/events.jsonl").read_text().splitlines() if line]
    assert [(one["reminder"], one["bytes"]) for one in events if "reminder" in one] == [
        ("the person says that the thread was lost", len(said.encode()))
    ]
