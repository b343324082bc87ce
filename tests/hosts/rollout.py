"""Codex rollouts in the form that 0.171 writes, record by record; text written for these tests."""

import json
from pathlib import Path
from typing import Any

SESSION = "01a22b5c-f980-7d51-8d48-2b8a7b0f1100"
PERSON = ("user.text", {"provenance": {"type": "user"}})
HARNESS = ("agents_md.instructions", {"provenance": {"type": "harness", "hook": False}})
HOOK = ("hooks.additional_context", {"provenance": {"type": "harness", "hook": True}})


def record(kind: str, /, **payload: Any) -> dict[str, Any]:
    """One record of a rollout."""
    return {"timestamp": "2031-03-04T09:01:00.000Z", "type": kind, "payload": payload}


def meta(session: str = SESSION, **more: Any) -> dict[str, Any]:
    """The first record: whose rollout it is."""
    told = {
        "id": session,
        "cwd": "/srv/demo/atlas",
        "originator": "codex-tui",
        "source": "cli",
        "thread_source": "user",
    }
    return record("session_meta", **told | more)


def turn(trigger: str | None = "user") -> dict[str, Any]:
    """What started a turn; None = the client does not say (a compaction, in today's client)."""
    told = {} if trigger is None else {"turn_attribution": {"turn_trigger": trigger}}
    return record("event_msg", type="task_started", turn_id="t", **told)


def message(role: str, *texts: str, of: tuple[str, Any] | None = None, ident: str = "") -> dict[str, Any]:
    """A message; `of` is what today's client says of its pieces."""
    kind = "output_text" if role == "assistant" else "input_text"
    held: dict[str, Any] = {
        "type": "message",
        "role": role,
        "content": [{"type": kind, "text": text} for text in texts],
    }
    if of:
        passed = {"content_item_kinds": [of[0]] * len(texts), "content_item_metadata": [of[1]] * len(texts)}
        held["internal_chat_message_metadata_passthrough"] = passed
    return record("response_item", **held | ({"id": ident} if ident else {}))


def call(number: int, name: str, **given: Any) -> dict[str, Any]:
    """A tool call."""
    return record("response_item", type="function_call", call_id=f"c{number}", name=name, arguments=json.dumps(given))


def output(number: int, text: str = "done") -> dict[str, Any]:
    """A call's output."""
    return record("response_item", type="function_call_output", call_id=f"c{number}", output=text)


def written(path: Path, *rows: dict[str, Any] | str) -> Path:
    """A file of these records; a text stands as it is."""
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path
