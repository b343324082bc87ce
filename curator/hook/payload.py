"""What the client says on stdin: read with a bound, named alike for every client.

Owns the wait (at most 200 ms) and the names. An open pipe, no bytes, a terminal, closed stdin and anything that is
no JSON object are all an empty payload.
"""

import os
import select
import time

from curator.light import Any, NamedTuple, parsed

WAIT = 0.2
_LIMIT = 32 * 1024 * 1024  # bytes; a Stop payload carries the whole last answer
_CAMEL = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolResult": "tool_response",
}


class Payload(NamedTuple):
    """A payload's fields with the names that Claude Code uses."""

    values: dict[str, Any]

    def text(self, name: str) -> str:
        """A field that should be text; "" when it is missing or is not."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""


def read(handle: int = 0, wait: float = WAIT) -> Payload:
    """The payload on a file descriptor, waiting at most `wait` seconds in all."""
    values = _object(_bytes(handle, wait))
    return Payload({_CAMEL.get(name, name): value for name, value in values.items()})


def _bytes(handle: int, wait: float) -> bytes:
    """All bytes until the end, until a whole object is there, or until the time is up."""
    parts: list[bytes] = []
    until = time.monotonic() + wait
    try:
        if os.isatty(handle):
            return b""
        while (left := until - time.monotonic()) > 0 and sum(map(len, parts)) < _LIMIT:
            if not select.select([handle], [], [], left)[0]:
                break
            part = os.read(handle, 1 << 20)
            if not part:
                break
            parts.append(part)
            if part.rstrip().endswith(b"}") and _object(b"".join(parts)):
                break
    except (OSError, ValueError):
        pass
    return b"".join(parts)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = parsed(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def client_of(named: str, values: dict[str, Any], env: dict[str, str]) -> str:
    """The client: as named with `--client`, else told from the payload's shape, else from the environment."""
    from curator.brief.envelope import CLIENTS

    if named in CLIENTS:
        return named
    if "turn_id" in values or "CODEX_HOME" in env:
        return "codex"
    if "cursor_version" in values or "CURSOR_AGENT" in env:
        return "cursor"
    if "timestamp" in values:
        return "gemini" if "hook_event_name" in values else "copilot"
    return "claude"
