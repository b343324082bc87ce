"""The end of a session's transcript: tokens in use, the window, whether our text arrived.

Reads a bounded part of the file and never raises: what cannot be told is None.
"""

import json
import os

from curator.light import Any, Iterator, NamedTuple

_BYTES = 512 * 1024
_WHOLE = 16 * 1024 * 1024  # bytes of a transcript that are searched for a digest


class Use(NamedTuple):
    """Tokens of the last request with its answer, and the client's window (0 = it did not say)."""

    tokens: int
    window: int


def use(path: str) -> Use | None:
    """The last usage record of a Claude Code, Codex or Gemini transcript; None where there is none."""
    for row in _last_rows(path):
        if found := _claude(row) or _codex(row) or _gemini(row):
            return found
    return None


def holds(path: str, digest: str) -> bool | None:
    """Is a digest in the transcript? None while the transcript has no answer yet, is missing or is too long to tell."""
    try:
        with open(path, "rb") as file:
            data = file.read(_WHOLE)
    except OSError:
        return None
    if digest.encode() in data:
        return True
    answered = b'"assistant"' in data or b'"agent_message"' in data or b'"gemini"' in data
    return False if answered and len(data) < _WHOLE else None


def _last_rows(path: str) -> Iterator[dict[str, Any]]:
    """Objects of the file's end, last one first."""
    try:
        with open(path, "rb") as file:
            start = max(0, file.seek(0, os.SEEK_END) - _BYTES)
            file.seek(start)
            lines = file.read().split(b"\n")
    except OSError:
        return
    for line in reversed(lines[1:] if start else lines):
        if b"oken" not in line:  # every usage record has a key with it; parsing the others is wasted
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _claude(row: dict[str, Any]) -> Use | None:
    message = row.get("message")
    if row.get("type") != "assistant" or not isinstance(message, dict) or row.get("isSidechain"):
        return None
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    total = sum(_number(usage.get(name)) for name in names)
    window = 1_000_000 if "[1m]" in str(message.get("model", "")) else 200_000
    return Use(total, window) if total else None


def _codex(row: dict[str, Any]) -> Use | None:
    payload = row.get("payload")
    info = payload.get("info") if isinstance(payload, dict) and payload.get("type") == "token_count" else None
    last = info.get("last_token_usage") if isinstance(info, dict) else None
    if not isinstance(last, dict) or not isinstance(info, dict):
        return None
    total = _number(last.get("total_tokens")) or _number(last.get("input_tokens")) + _number(last.get("output_tokens"))
    return Use(total, _number(info.get("model_context_window"))) if total else None


def _gemini(row: dict[str, Any]) -> Use | None:
    counted = row.get("tokens")
    total = _number(counted.get("total")) if isinstance(counted, dict) else 0
    return Use(total, 0) if total else None


def _number(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0
