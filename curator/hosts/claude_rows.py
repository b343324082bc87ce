"""Claude Code's rows: who said what.

Decides from how a row arrived (type, flags, block kind), never
from how it reads; only rows of older clients, which say nothing of their arrival, are told by the client's own
envelopes. Standard library only; never writes.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from curator.plain import one_line, repaired
from curator.transcript import Call, Mark, Message, Record, instant
from curator.vocab import FRAME, Origin, Row, Typed

_MACHINE_FLAGS = {
    "isMeta": "host",
    "isSidechain": "agent",
    "isCompactSummary": "host summary",
    "isVisibleInTranscriptOnly": "host",
    "isVirtual": "host",
    "textNotTyped": "host",
    "handedOff": "host",
    "hookText": "hook",
    "toolUseResult": "tool",
    "wakeupSource": "wake-up",
    "scheduledTaskId": "scheduled task",
    "planContent": "host",  # a plan the agent wrote, handed over as a prompt when the person accepted it
}
_ENVELOPE = re.compile(r"\s*<(task-notification|system-reminder|local-command-|command-|bash-)")
_REMINDER = r"<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>"
_REMINDERS = re.compile(rf"\A(?:\s*{_REMINDER}\s*)+|(?:(?:^|\n)\s*{_REMINDER}\s*)+\Z", re.DOTALL)
_INTERRUPTED = re.compile(r"\s*\[Request interrupted by user[^\]\n]*\]\s*")
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_ORIGINS = {
    "WebFetch": Origin.WEB,
    "WebSearch": Origin.WEB,
    "Read": Origin.FILE,
    "NotebookRead": Origin.FILE,
    "Task": Origin.SUBAGENT,
    "Agent": Origin.SUBAGENT,
}
_READS = {"Read", "NotebookRead"}
_WRITES = {"Edit", "MultiEdit", "Write", "NotebookEdit"}
_PENDING = 200


class Reader:
    """Rows of one file to messages, in order. Holds only what a later row needs: open tool calls, the client's age."""

    def __init__(self, session: str = "", state: Mapping[str, Any] | None = None) -> None:
        state = state or {}
        self._session = session
        self._calls = {str(key): Call(str(key), *map(str, rest)) for key, rest in state.get("calls", {}).items()}
        self._telling = set(state.get("telling", ()))

    def state(self) -> dict[str, Any]:
        """What `__init__` needs to go on from here, as JSON."""
        newest = list(self._calls.values())[-_PENDING:]
        return {
            "calls": {call.id: [call.name, call.detail, call.path] for call in newest},
            "telling": sorted(self._telling),
        }

    def messages(self, record: Record) -> Iterator[Message]:
        """What one record says; nothing for rows that are the client's bookkeeping.

        Raises ValueError where the record's shape is not one of the client's.
        """
        row = record.data
        if row.get("promptSource"):
            self._telling.add(str(row.get("version")))
        match row.get("type"):
            case "user":
                yield from self._user(row, record.line)
            case "assistant":
                yield from self._assistant(row, record.line)
            case "attachment":
                yield from self._attachment(row, record.line)
            case "system" if row.get("subtype") == "compact_boundary":
                yield self._message(row, record.line, Row.INPUT, "", "host", Origin.UNVERIFIED, mark=Mark.BOUNDARY)

    def _user(self, row: dict[str, Any], line: int) -> Iterator[Message]:
        blocks = _blocks(row)
        results = [block for block in blocks if block.get("type") == "tool_result"]
        for block in results:
            yield self._result(row, line, block)
        text = _text(blocks)
        if not text.strip():
            return
        flag = next((name for name in _MACHINE_FLAGS if row.get(name)), "tool" if results else "")
        if flag or row.get("rowSource") in {"hook", "harness", "recorded"}:
            yield self._machine(row, line, text, _MACHINE_FLAGS.get(flag, "host"))
        else:
            yield self._input(row, line, blocks, text)

    def _input(self, row: dict[str, Any], line: int, blocks: list[dict[str, Any]], text: str) -> Message:
        origin, source = _kind(row.get("origin")), row.get("promptSource")
        if origin not in {"", "human"}:
            return self._machine(row, line, text, origin)
        typed = self._typed(row, origin, source)
        if not typed.by_person:
            if source is None and _ENVELOPE.match(text):
                return self._machine(row, line, text, "host")
            return self._message(row, line, Row.INPUT, text, "unknown", Origin.UNVERIFIED, typed=typed)
        if command := _COMMAND.search(text) if _ENVELOPE.match(text) and source is None else None:
            words = _ARGUMENTS.search(text)
            if not words or not words.group(1).strip():
                return self._machine(row, line, text, "host")
            return self._person(row, line, words.group(1).strip(), typed, detail=command.group(1).strip())
        if source is None:
            blocks = [block for block in blocks if not _ENVELOPE.match(_REMINDERS.sub("", _text([block])))]
        words_only = "\n".join(part for block in blocks if (part := _REMINDERS.sub("", _text([block]))).strip())
        if not words_only.strip() or (source is None and _INTERRUPTED.fullmatch(words_only)):
            return self._machine(row, line, text, "host")
        return self._person(row, line, words_only, typed)

    def _typed(self, row: dict[str, Any], origin: str, source: object) -> Typed:
        """How sure it is that the person typed a row that carries no machine's flag."""
        if origin == "human" and source in {"typed", "queued"}:
            return Typed.TYPED
        if source is not None or (not origin and str(row.get("version")) in self._telling):
            return Typed.UNVERIFIED
        return Typed.TYPED if origin == "human" and str(row.get("version")) in self._telling else Typed.OLDER_RULES

    def _assistant(self, row: dict[str, Any], line: int) -> Iterator[Message]:
        blocks, body = _blocks(row), row["message"]
        calls = tuple(_call(block) for block in blocks if block.get("type") == "tool_use")
        self._calls.update({call.id: call for call in calls})
        text = _text(blocks)
        if (not text.strip() and not calls) or row.get("isApiErrorMessage") or body.get("model") == "<synthetic>":
            return
        yield self._message(
            row, line, Row.RESPONSE, text, "assistant", Origin.AGENT, group=str(body.get("id") or ""), calls=calls
        )

    def _attachment(self, row: dict[str, Any], line: int) -> Iterator[Message]:
        held = row.get("attachment")
        if not isinstance(held, dict):
            raise ValueError("attachment is not an object")
        if held.get("type") == "queued_command":
            text = _text(_as_blocks(held.get("prompt")))
            human = _kind(held.get("origin")) == "human" and held.get("commandMode", "prompt") == "prompt"
            if human and not held.get("isMeta") and not row.get("isSidechain") and (words := _REMINDERS.sub("", text)):
                yield self._person(row, line, words, Typed.TYPED)
            elif text.strip():
                yield self._machine(row, line, text, _kind(held.get("origin")) or "host")
        elif held.get("type") in {"hook_success", "hook_additional_context"}:
            text = _text(_as_blocks(held.get("content") or held.get("stdout")))
            if text.strip():
                origin = Origin.ECHO if f"<{FRAME}" in text else Origin.UNVERIFIED
                yield self._message(row, line, Row.INPUT, text, "hook", origin, mark=Mark.INJECTED)

    def _result(self, row: dict[str, Any], line: int, block: dict[str, Any]) -> Message:
        call = self._calls.pop(str(block.get("tool_use_id")), Call(str(block.get("tool_use_id") or ""), "unknown"))
        failed = bool(block.get("is_error"))
        touched = (call.path,) if call.path and not failed else ()
        return self._message(
            row,
            line,
            Row.TOOL_RESULT,
            "",
            call.name,
            _ORIGINS.get(call.name, Origin.TOOL),
            part=call.id,
            call=call.id,
            tool=call.name,
            detail=call.detail,
            size=_size(block.get("content")),
            failed=failed,
            read=touched if call.name in _READS else (),
            written=touched if call.name in _WRITES else (),
        )

    def _person(self, row: dict[str, Any], line: int, text: str, typed: Typed, detail: str = "") -> Message:
        return self._message(row, line, Row.INPUT, text, "user", Origin.HUMAN, typed=typed, detail=detail)

    def _machine(self, row: dict[str, Any], line: int, text: str, sender: str) -> Message:
        mark = Mark.SUMMARY if row.get("isCompactSummary") else Mark.NONE
        return self._message(row, line, Row.INPUT, text, sender, Origin.UNVERIFIED, mark=mark)

    def _message(
        self, row: dict[str, Any], line: int, kind: Row, text: str, sender: str, origin: Origin, **rest: Any
    ) -> Message:
        agent = str(row.get("agentId") or "unnamed") if row.get("isSidechain") else ""
        if agent:
            origin = Origin.SUBAGENT
            sender = f"agent {agent}" if kind is not Row.TOOL_RESULT else sender
        session, source = self._identity(row, text, agent, str(rest.pop("part", "")))
        return Message(
            source=source,
            session=session,
            row=kind,
            text=repaired(text),
            sender=one_line(sender, 80),
            origin=origin,
            at=instant(row.get("timestamp")),
            agent=agent,
            branch=str(row.get("gitBranch") or ""),
            cwd=str(row.get("cwd") or ""),
            line=line,
            **rest,
        )

    def _identity(self, row: dict[str, Any], text: str, agent: str, part: str) -> tuple[str, str]:
        """The session a row was first said in and the id it has in every copy of it."""
        first = row.get("forkedFrom")
        first = first if isinstance(first, dict) else {}
        session = str(first.get("sessionId") or row.get("sessionId") or self._session)
        uuid = str(first.get("messageUuid") or row.get("uuid") or "")
        if not uuid:
            told = "\0".join((session, str(row.get("type")), str(row.get("timestamp")), text))
            uuid = hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]
        return session, "/".join(filter(None, (uuid, agent, part)))


def _kind(origin: object) -> str:
    return str(origin.get("kind") or "") if isinstance(origin, dict) else str(origin or "")


def _blocks(row: dict[str, Any]) -> list[dict[str, Any]]:
    message = row.get("message")
    if not isinstance(message, dict):
        raise ValueError("message is not an object")
    return _as_blocks(message.get("content"))


def _as_blocks(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return []
    return [{"type": "text", "text": b} if isinstance(b, str) else b for b in content if isinstance(b, str | dict)]


def _text(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")


def _call(block: dict[str, Any]) -> Call:
    given = block.get("input")
    given = given if isinstance(given, dict) else {}
    path = str(given.get("file_path") or given.get("notebook_path") or "")
    names = ("command", "path", "pattern", "query", "url", "skill", "description", "prompt")
    detail = path or next((str(given[name]) for name in names if given.get(name)), "")
    return Call(str(block.get("id") or ""), str(block.get("name") or "unknown"), one_line(detail, 300), repaired(path))


def _size(content: object) -> int:
    """Bytes of a tool's output as text; other content counts as its JSON would."""
    if isinstance(content, str):
        return len(content.encode("utf-8", "replace"))
    return sum(len(str(block.get("text") or block).encode("utf-8", "replace")) for block in _as_blocks(content))
