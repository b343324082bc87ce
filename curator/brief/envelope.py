"""Each client's output form as data, and a validator of it. No client accepts another's envelope with a complaint."""

from curator.light import Any, Mapping, NamedTuple, parsed, written

EVENTS = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "pre-tool": "PreToolUse",
    "post-tool": "PostToolUse",
    "stop": "Stop",
    "pre-compact": "PreCompact",
    "post-compact": "PostCompact",
    "session-end": "SessionEnd",
}
"""Our event names and Claude Code's."""

FAILED = "PostToolUseFailure"
"""Claude Code's event for a tool that failed: it takes no other name in the answer (measured with 2.1.332)."""

NOTICE = "systemMessage"


class Said(NamedTuple):
    """What an event has to say: to the model, and to the person ("" = nothing)."""

    text: str
    notice: str = ""


_GEMINI = {"prompt": "BeforeAgent", "stop": "AfterAgent", "pre-tool": "BeforeTool", "post-tool": "AfterTool"}
_SPECIFIC = frozenset({"claude", "codex", "gemini"})
_FLAT = {"copilot": "additionalContext", "opencode": "additionalContext", "cursor": "additional_context"}
CLIENTS = (*sorted(_SPECIFIC), *_FLAT)


def wrap(client: str, event: str, said: Said, payload_name: str = "") -> str:
    """The one document for stdout; "" for nothing. ASCII only, so that no console encoding can break it.

    A notice goes to Claude Code only, which shows it on its screen and keeps it from the model (measured, 2.1.332).
    """
    if not said.text:
        return ""
    shown = {NOTICE: said.notice} if said.notice and client == "claude" else {}
    return written({**document(client, event, said.text, payload_name), **shown})


def document(client: str, event: str, text: str, payload_name: str = "") -> dict[str, Any]:
    """The envelope with which this client takes text at this event; `payload_name` is the event's in the payload."""
    if client in _FLAT:
        return {_FLAT[client]: text}
    if client == "codex" and event == "stop":
        return {"decision": "block", "reason": text}
    named = _GEMINI.get(event, EVENTS[event]) if client == "gemini" else EVENTS[event]
    named = payload_name if payload_name == FAILED else named
    return {"hookSpecificOutput": {"hookEventName": named, "additionalContext": text}}


def faults(client: str, event: str, stdout: bytes, limit: int) -> list[str]:
    """Everything that would keep this client from handing the output to its model; nothing on stdout is right too."""
    if not stdout.strip():
        return []
    try:
        value = parsed(stdout)
    except ValueError:
        return ["stdout is not one JSON document"]
    if client == "claude" and isinstance(value, dict) and isinstance(value.get(NOTICE), str):
        del value[NOTICE]
    text = _text(value)
    if text is None or value != document(client, event, text):
        return [f"the envelope is not {client}'s for {event}"]
    used = len(text.encode("utf-8", "replace"))
    return [f"{used} bytes are more than {limit}"] if used > limit else []


def _text(value: Any) -> str | None:
    inner = value.get("hookSpecificOutput", value) if isinstance(value, Mapping) else {}
    names = ("additionalContext", "additional_context", "reason")
    texts = [inner[name] for name in names if isinstance(inner, Mapping) and isinstance(inner.get(name), str)]
    return texts[0] if len(texts) == 1 else None
