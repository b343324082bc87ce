"""Codex's rollout records: who said what.

Decides from what the client says of each piece of a message (its kind and provenance), of the turn (what started it)
and of the session (which program). Older rollouts say none of it: then a user message counts as the person's, by
older rules, unless it is one of the client's own envelopes. Standard library only; never writes.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from curator.plain import one_line, repaired
from curator.transcript import Call, Mark, Message, Record, instant
from curator.vocab import FRAME, Origin, Row, Typed

_ATTENDED = {"", "codex-tui", "codex_cli_rs", "codex_vscode"}  # programs in which a person types
_ENVELOPE = re.compile(
    r"\s*(# AGENTS\.md instructions for |<(environment_context|user_instructions|user_shell_command|turn_aborted"
    r"|subagent_notification|hook_context|session_context|permissions instructions|skills?_instructions|skill)\b)"
)
_CALLS = {"function_call", "custom_tool_call", "local_shell_call", "web_search_call"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output"}
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_PENDING = 200


class Reader:
    """Records of one rollout to messages, in order. Holds what later records need: session, turn, open tool calls."""

    def __init__(self, session: str = "", state: Mapping[str, Any] | None = None) -> None:
        named = _SESSION.search(session)
        self._is: dict[str, Any] = {
            "session": named.group() if named else session,
            "begun": False,
            "attended": True,
            "trigger": "user",
            "attributes": False,
            "agent": "",
            "cwd": "",
            "branch": "",
            "group": "",
        } | dict((state or {}).get("is", {}))
        kept = (state or {}).get("calls", {})
        self._calls = {str(key): Call(str(key), *map(str, rest)) for key, rest in kept.items()}
        self._touched: dict[str, dict[str, list[str]]] = dict((state or {}).get("touched", {}))

    def state(self) -> dict[str, Any]:
        """What `__init__` needs to go on from here, as JSON."""
        newest = list(self._calls.values())[-_PENDING:]
        return {
            "is": self._is,
            "calls": {call.id: [call.name, call.detail] for call in newest},
            "touched": dict(list(self._touched.items())[-_PENDING:]),
        }

    def messages(self, record: Record) -> Iterator[Message]:
        """What one record says; nothing for records that are the client's bookkeeping.

        Raises ValueError where the record's shape is not one of the client's.
        """
        row = record.data
        held = row.get("payload")
        if not isinstance(held, dict):
            raise ValueError("payload is not an object")
        match row.get("type"):
            case "session_meta" if not self._is["begun"]:
                self._begin(held)
            case "turn_context":
                self._is["cwd"] = str(held.get("cwd") or self._is["cwd"])
            case "event_msg":
                self._event(held)
            case "compacted":
                self._is["group"] = ""
                yield self._message(row, record.line, Row.INPUT, "", "host", Origin.UNVERIFIED, mark=Mark.BOUNDARY)
                if text := str(held.get("message") or ""):
                    yield self._message(row, record.line, Row.INPUT, text, "host", Origin.UNVERIFIED, mark=Mark.SUMMARY)
            case "response_item":
                yield from self._item(row, record.line, held)

    def _begin(self, held: dict[str, Any]) -> None:
        """Whose rollout it is. A fork repeats the first session's opening later on; only the first record counts."""
        source, git = held.get("source"), held.get("git")
        own = str(held.get("id") or held.get("session_id") or self._is["session"])
        spawned = source.get("subagent") if isinstance(source, dict) else None
        by = spawned.get("thread_spawn") if isinstance(spawned, dict) else None
        parent = str(by.get("parent_thread_id") or "") if isinstance(by, dict) else ""
        self._is |= {
            "session": parent or own,
            "begun": True,
            "attended": str(held.get("originator") or "") in _ATTENDED,
            "agent": own if spawned or held.get("thread_source") == "subagent" else "",
            "cwd": str(held.get("cwd") or ""),
            "branch": str(git.get("branch") or "") if isinstance(git, dict) else "",
        }

    def _event(self, held: dict[str, Any]) -> None:
        item = held.get("item")
        item = item if isinstance(item, dict) else {}
        match held.get("type"):
            case "task_started":
                told = held.get("turn_attribution")
                if isinstance(told, dict):
                    self._is |= {"attributes": True, "trigger": str(told.get("turn_trigger") or "")}
                else:  # where others are attributed, a turn that is not is the client's own: a compaction
                    self._is["trigger"] = "host" if self._is["attributes"] else "user"
                self._is["group"] = ""
            case "patch_apply_end":
                self._touch(held.get("call_id"), written=held.get("changes") if held.get("success") else ())
            case "exec_command_end":
                self._touch(held.get("call_id"), read=held.get("parsed_cmd"))
            case "item_completed" if item.get("type") == "FileChange":
                self._touch(item.get("id"), written=item.get("changes") if item.get("status") == "completed" else ())
            case "item_completed" if item.get("type") == "CommandExecution":
                self._touch(item.get("id"), read=item.get("parsed_cmd"))

    def _touch(self, call: object, *, read: object = (), written: object = ()) -> None:
        seen = [each for each in read if isinstance(each, dict)] if isinstance(read, list) else []
        paths = [str(each["path"]) for each in seen if each.get("type") == "read" and each.get("path")]
        changed = [str(path) for path in written] if isinstance(written, dict) else []
        if paths or changed:
            self._touched[str(call)] = {"read": [*map(self._whole, paths)], "written": [*map(self._whole, changed)]}

    def _whole(self, path: str) -> str:
        return repaired(str(PurePosixPath(self._is["cwd"]) / path))

    def _item(self, row: dict[str, Any], line: int, held: dict[str, Any]) -> Iterator[Message]:
        kind = held.get("type")
        if kind in _OUTPUTS:
            self._is["group"] = ""
            yield self._output(row, line, held)
        elif kind in _CALLS or (kind == "message" and held.get("role") == "assistant"):
            yield from self._response(row, line, held)
        elif kind == "message":
            self._is["group"] = ""
            yield from self._inputs(row, line, held)

    def _inputs(self, row: dict[str, Any], line: int, held: dict[str, Any]) -> Iterator[Message]:
        """The pieces of one message, runs of the same sender together: the person's, the client's, a hook's."""
        pieces, kinds = _pieces(held), _told(held, "content_item_kinds")
        provenance = _told(held, "content_item_metadata")
        runs: list[tuple[str, list[str]]] = []
        for number, text in enumerate(pieces):
            whose = self._whose(text, held.get("role"), _at(kinds, number), _at(provenance, number))
            if runs and runs[-1][0] == whose:
                runs[-1][1].append(text)
            elif text.strip():
                runs.append((whose, [text]))
        for number, (whose, texts) in enumerate(runs):
            text, part = "\n".join(texts), str(number) if number else ""
            if whose == "user":
                yield self._person(row, line, text, part, told=bool(kinds))
            else:
                origin = Origin.ECHO if f"<{FRAME}" in text else Origin.UNVERIFIED
                yield self._message(row, line, Row.INPUT, text, whose, origin, part=part, mark=Mark.INJECTED)

    def _whose(self, text: str, role: object, kind: object, told: object) -> str:
        if not kind:  # an older client
            return "user" if role == "user" and not _ENVELOPE.match(text) else "host"
        source = told.get("provenance") if isinstance(told, dict) else None
        source = source if isinstance(source, dict) else {}
        if kind == "user.text" and source.get("type") == "user":
            return "user"
        return "hook" if source.get("hook") else "host"

    def _person(self, row: dict[str, Any], line: int, text: str, part: str, *, told: bool) -> Message:
        if self._is["agent"]:
            typed = Typed.MACHINE  # another agent's words
        elif not self._is["attended"] or self._is["trigger"] != "user":
            typed = Typed.UNVERIFIED
        else:
            typed = Typed.TYPED if told and self._is["attributes"] else Typed.OLDER_RULES
        sender, origin = ("user", Origin.HUMAN) if typed.by_person else ("unknown", Origin.UNVERIFIED)
        return self._message(row, line, Row.INPUT, text, sender, origin, part=part, typed=typed)

    def _response(self, row: dict[str, Any], line: int, held: dict[str, Any]) -> Iterator[Message]:
        calls = () if held["type"] == "message" else (_call(held),)
        text = "" if calls else "\n".join(_pieces(held))
        if not calls and not text.strip():
            return
        self._calls.update({call.id: call for call in calls})
        self._is["group"] = self._is["group"] or _source(row, self._is["session"])
        mark = Mark.SUMMARY if self._is["trigger"] == "host" else Mark.NONE
        origin = Origin.UNVERIFIED if mark else Origin.AGENT
        group = str(self._is["group"])
        yield self._message(row, line, Row.RESPONSE, text, "assistant", origin, group=group, calls=calls, mark=mark)

    def _output(self, row: dict[str, Any], line: int, held: dict[str, Any]) -> Message:
        name = str(held.get("call_id") or "")
        call, touched = self._calls.pop(name, Call(name, "unknown")), self._touched.pop(name, {})
        return self._message(
            row,
            line,
            Row.TOOL_RESULT,
            "",
            call.name,
            Origin.WEB if call.name.startswith("web") else Origin.TOOL,
            call=call.id,
            tool=call.name,
            detail=call.detail,
            size=_size(held.get("output")),
            read=tuple(touched.get("read", ())),
            written=tuple(touched.get("written", ())),
        )

    def _message(
        self, row: dict[str, Any], line: int, kind: Row, text: str, sender: str, origin: Origin, **rest: Any
    ) -> Message:
        agent, part = str(self._is["agent"]), rest.pop("part", "")
        if agent:
            origin = Origin.SUBAGENT if origin is not Origin.ECHO else origin
            sender = f"agent {agent}" if kind is not Row.TOOL_RESULT else sender
        mark = str(rest.get("mark") or "")
        source = "-".join(filter(None, (_source(row, str(self._is["session"])), str(part), mark)))
        return Message(
            source=source,
            session=str(self._is["session"]),
            row=kind,
            text=repaired(text),
            sender=one_line(sender, 80),
            origin=origin,
            at=instant(row.get("timestamp")),
            agent=agent,
            branch=str(self._is["branch"]),
            cwd=str(self._is["cwd"]),
            line=line,
            **rest,
        )


def _source(row: dict[str, Any], session: str) -> str:
    """The record's own id, the same in a fork's copy of it; older records have none, but their turn or time."""
    held = row["payload"]
    if found := held.get("id") or held.get("call_id"):
        return f"{found}-{held['type']}" if held.get("type") in _OUTPUTS else str(found)
    told = held.get("internal_chat_message_metadata_passthrough")
    turn = told.get("turn_id") if isinstance(told, dict) else None
    content = json.dumps([held.get("role"), held.get("content"), held.get("message")], ensure_ascii=False)
    text = "\0".join((session, str(turn), str(row.get("timestamp")), str(row.get("type")), content))
    return "x-" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _pieces(held: dict[str, Any]) -> list[str]:
    content = held.get("content")
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        raise ValueError("content is neither a text nor a list")
    return [str(piece.get("text") or "") if isinstance(piece, dict) else "" for piece in content]


def _told(held: dict[str, Any], name: str) -> list[Any]:
    """What the client says of each piece of a message."""
    told = held.get("internal_chat_message_metadata_passthrough")
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, list) else []


def _at(found: list[Any], number: int) -> object:
    return found[number] if number < len(found) else ("unknown" if found else None)


def _call(held: dict[str, Any]) -> Call:
    given: Any = held.get("arguments") or held.get("input") or held.get("action") or ""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {"input": given}
    given = given if isinstance(given, dict) else {"input": given}
    names = ("cmd", "command", "path", "query", "url", "input", "prompt")
    detail = next((given[name] for name in names if given.get(name)), "")
    detail = " ".join(map(str, detail)) if isinstance(detail, list) else str(detail)
    name = str(held.get("name") or held["type"].removesuffix("_call"))
    return Call(str(held.get("call_id") or held.get("id") or ""), name, one_line(detail, 300))


def _size(output: object) -> int:
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return len(text.encode("utf-8", "replace"))
