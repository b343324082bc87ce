"""pre-tool and post-tool: a reminder before what is hard to take back, and when the agent looks for what is not there.

Neither ever blocks: there is no decision in the answer, only context.
"""

import json
import os

from curator.brief import layers, session
from curator.brief.bootstrap import bootstrap, rules
from curator.brief.gather import gather
from curator.hook.call import Call, setting, spooled
from curator.hook.signs import absent, destructive
from curator.light import Any, digest

_SHELLS = ("bash", "shell", "exec", "terminal", "command", "powershell")
_KEPT = 50
"""So many commands of a session are remembered as already answered."""


def before(call: Call) -> str:
    """Contract summary and current step before a destructive operation, once per distinct command."""
    what = _dangerous(call) if setting(call, "pre_tool_hook") else ""
    if not what:
        return ""
    mark = digest(what)[:12]
    with session.opened(call.spot.folder, call.session) as known:
        answered = [str(one) for one in known.get("answered", [])]
        if mark in answered:
            return ""
        known["answered"] = [*answered, mark][-_KEPT:]
    asked = gather(call.spot, source="prompt", client=call.client, today=call.today, named=call.session)
    return _said(call, rules(asked, "before an operation that is hard to take back"), "destructive")


def after(call: Call) -> str:
    """The reminder once, after two results in a row that say that a path or symbol does not exist."""
    if not setting(call, "post_tool_hook"):
        return ""
    gone = absent(_result(call))
    with session.opened(call.spot.folder, call.session) as known:
        row = int(known.get("absent", 0)) + 1 if gone else 0
        if row != int(known.get("absent", 0)):
            known["absent"] = row
        if row != 2:
            return ""
    asked = gather(call.spot, source="prompt", client=call.client, today=call.today, named=call.session)
    return _said(call, bootstrap(asked, "two results in a row say that something does not exist"), "absent")


def _said(call: Call, text: str, why: str) -> str:
    if text:
        spooled(call, reminder=why, bytes=len(text.encode("utf-8", "replace")))
    return text


def _dangerous(call: Call) -> str:
    """What makes the call hard to take back, as one string; "" when nothing does."""
    tool, given = call.payload.text("tool_name"), _input(call)
    command = given.get("command") or given.get("cmd") or given.get("script") or ""
    command = " ".join(map(str, command)) if isinstance(command, list) else str(command)
    if any(name in tool.lower() for name in _SHELLS) or command:
        return command if destructive(command) else ""
    path = next(
        (str(given[name]) for name in ("file_path", "path", "filePath", "absolute_path") if given.get(name)), ""
    )
    return f"{tool} {path}" if path and _is_interface(call, path) else ""


def _is_interface(call: Call, path: str) -> bool:
    """Is the file listed in the contract as a public interface?"""
    listed = layers.read(call.spot.folder, call.spot.worktree).interfaces
    if not listed:
        return False
    inside = os.path.relpath(os.path.realpath(os.path.join(call.spot.top, path)), os.path.realpath(call.spot.top))
    named = [
        word.strip("`,;:()") for line in listed.splitlines() for word in line.lstrip("- ").replace(":", " ").split()
    ]
    return any(inside == name or (name.endswith("/") and inside.startswith(name)) for name in named if name)


def _input(call: Call) -> dict[str, Any]:
    value = call.payload.values.get("tool_input")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _result(call: Call) -> str:
    """The tool's result or error as text, bounded."""
    for name in ("error", "tool_response", "tool_output"):
        value = call.payload.values.get(name)
        if isinstance(value, str):
            return value[:40_000]
        if value is not None:
            return json.dumps(value, ensure_ascii=False)[:40_000]
    return ""
