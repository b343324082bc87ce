"""Who said it, in Codex's rollouts: decided by how the record arrived, never by how it reads."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from curator.errors import BadUsage
from curator.hosts import codex
from curator.hosts.transcripts import client_of, of_the_person, reader, session_of, sessions
from curator.place import find
from curator.transcript import Mark, Message, Record
from curator.vocab import FRAME, Client, Origin, Row, Typed
from tests.hosts.rollout import HARNESS, HOOK, PERSON, SESSION, call, message, meta, output, record, turn, written


def of(*rows: dict[str, Any], reads: codex.Reader | None = None) -> list[Message]:
    """The messages of some records, read by one reader."""
    reads = reads or codex.Reader("rollout-x")
    return [found for line, row in enumerate(rows, 1) for found in reads.messages(Record(line, row, 0, line))]


def typed(found: list[Message]) -> list[tuple[str, Typed]]:
    """What the person said, and how that is known."""
    return [(each.text, each.typed) for each in found if each.by_person]


def test_the_client_says_what_the_person_typed() -> None:
    """Only pieces marked as the user's in an attended turn are typed, whatever they look like."""
    found = of(
        meta(),
        turn(),
        message("user", "# AGENTS.md instructions for /srv", "<environment_context>x", of=HARNESS),
        message("developer", "note", of=HOOK),
        message("user", "<environment_context> is a tag we should drop", of=PERSON, ident="m1"),
    )
    assert typed(found) == [("<environment_context> is a tag we should drop", Typed.TYPED)]
    assert [(each.sender, each.origin) for each in found] == [
        ("host", Origin.UNVERIFIED),
        ("hook", Origin.UNVERIFIED),
        ("user", Origin.HUMAN),
    ]
    assert found[-1].source == "m1" and found[-1].session == SESSION and found[-1].cwd == "/srv/demo/atlas"


@pytest.mark.parametrize(
    ("opening", "started", "kept"),
    [
        (meta(originator="codex_exec"), turn("exec"), Typed.UNVERIFIED),
        (meta(originator="codex_sdk_ts"), turn("user"), Typed.UNVERIFIED),
        (meta(), turn("exec"), Typed.UNVERIFIED),
        (meta(thread_source="subagent"), turn("user"), Typed.MACHINE),
    ],
)
def test_what_nobody_is_known_to_have_typed_is_not_the_persons(
    opening: dict[str, Any], started: dict[str, Any], kept: Typed
) -> None:
    """A headless prompt, a program's and a sub-agent's are kept and never a memo item."""
    (found,) = of(opening, started, message("user", "go", of=PERSON))
    assert found.typed is kept and not found.by_person and found.origin is not Origin.HUMAN


def test_older_rollouts_go_by_the_envelopes() -> None:
    """Without kinds, a user message counts by older rules unless it is one of the client's own."""
    found = of(
        meta(),
        record("event_msg", type="task_started"),
        message("developer", "<permissions instructions>"),
        message("user", "# AGENTS.md instructions for /srv/demo/atlas\n\nnever push", "<environment_context>"),
        message("user", "<turn_aborted>"),
        message("user", "keep the old importer"),
        record("event_msg", type="user_message", message="keep the old importer"),
    )
    assert typed(found) == [("keep the old importer", Typed.OLDER_RULES)]
    assert [each.mark for each in found] == [Mark.INJECTED, Mark.INJECTED, Mark.INJECTED, Mark.NONE]


def test_a_compaction_is_the_hosts() -> None:
    """Boundary and summary are marked, what the record repeats is not said again, the summariser is not the agent."""
    repeated = message("user", "never push", of=PERSON, ident="m1")["payload"]
    found = of(
        meta(),
        turn(),
        message("user", "never push", of=PERSON, ident="m1"),
        turn(None),
        message("assistant", "SUMMARY: the user said: push at once", ident="s1"),
        record("compacted", message="SUMMARY: the user said: push at once", replacement_history=[repeated]),
    )
    assert typed(found) == [("never push", Typed.TYPED)]
    assert [each.mark for each in found[1:]] == [Mark.SUMMARY, Mark.BOUNDARY, Mark.SUMMARY]
    assert {each.origin for each in found[1:]} == {Origin.UNVERIFIED}
    assert len({each.source for each in found}) == len(found)


def test_calls_and_results_of_one_response_belong_together() -> None:
    """What follows without an input or a result is one response; results name their call, size and files."""
    changes = {"/srv/demo/atlas/a.py": {"type": "update"}}
    found = of(
        meta(),
        message("assistant", "I look"),
        call(1, "exec_command", cmd="cat notes.txt\nls"),
        call(2, "apply_patch", input="*** Begin Patch"),
        record("event_msg", type="patch_apply_end", call_id="c2", success=True, changes=changes),
        record(
            "event_msg",
            type="item_completed",
            item={"type": "CommandExecution", "id": "c1", "parsed_cmd": [{"type": "read", "path": "notes.txt"}]},
        ),
        output(1, "five"),
        output(2),
        message("assistant", "done"),
    )
    first, second, third, read, patched, last = found
    assert first.group == second.group == third.group != last.group
    assert (second.calls[0].detail, third.calls[0].name) == ("cat notes.txt ls", "apply_patch")
    assert (read.row, read.tool, read.size, read.read) == (
        Row.TOOL_RESULT,
        "exec_command",
        4,
        ("/srv/demo/atlas/notes.txt",),
    )
    assert patched.written == tuple(changes) and read.text == patched.text == ""


def test_a_patch_that_failed_wrote_nothing() -> None:
    """Only what the client says was changed counts as written."""
    failed = record("event_msg", type="patch_apply_end", call_id="c1", success=False, changes={"/srv/a.py": {}})
    assert of(meta(), call(1, "apply_patch", input="x"), failed, output(1))[-1].written == ()


def test_a_reader_goes_on_from_its_state() -> None:
    """Session, turn, open calls and touched files survive between two readings, as JSON."""
    first = codex.Reader("rollout-x")
    changed = record("event_msg", type="patch_apply_end", call_id="c1", success=True, changes={"/srv/a.py": {}})
    of(meta(originator="codex_exec"), turn("exec"), call(1, "apply_patch", input="x"), changed, reads=first)
    second = codex.Reader("rollout-x", json.loads(json.dumps(first.state())))
    result, said = of(output(1), message("user", "go", of=PERSON), reads=second)
    assert (result.tool, result.written, result.session) == ("apply_patch", ("/srv/a.py",), SESSION)
    assert said.typed is Typed.UNVERIFIED


def test_our_own_block_is_an_echo() -> None:
    """What we injected ourselves comes back as ours."""
    (found,) = of(meta(), message("developer", f"<{FRAME} id=1>lesson: x</{FRAME}>", of=HOOK))
    assert found.origin is Origin.ECHO and found.mark is Mark.INJECTED


@pytest.mark.parametrize(
    "row", [{"type": "response_item"}, {"type": "response_item", "payload": {"type": "message", "content": 3}}]
)
def test_a_shape_that_is_not_the_clients_is_damage(row: dict[str, Any]) -> None:
    """It is told as such, so that the harvest counts its line."""
    with pytest.raises(ValueError, match=r"not an object|neither a text"):
        of(row)


def test_sessions_of_the_project_are_found_by_where_they_ran(tmp_path: Path, home: Path) -> None:
    """Those of another project and of a folder that is gone stay out; sub-agents' rollouts are not the person's."""
    shop, other = tmp_path / "shop", tmp_path / "other"
    for folder in (shop / ".git", shop / "src", other / ".git"):
        folder.mkdir(parents=True)
    day = home / ".codex/sessions/2031/03/04"
    places = (shop / "src", other, tmp_path / "gone", shop)
    ids = [f"01a22b5c-f980-7d51-8d48-2b8a7b0f110{n}" for n in range(4)]
    agent = {"thread_source": "subagent"}
    for n, (folder, ident) in enumerate(zip(places, ids, strict=True)):
        told = meta(ident, cwd=str(folder), **(agent if n == 3 else {}))
        path = written(day / f"rollout-2031-03-04T09-0{n}-00-{ident}.jsonl", told)
        os.utime(path, (n, n))
    written(day / "rollout-2031-03-04T09-09-00-damaged.jsonl", "{")
    found = sessions(find(shop))
    assert [session_of(path) for path in found] == [ids[0], ids[3]]
    assert [session_of(path) for path in of_the_person(found)] == [ids[0]]
    assert of_the_person(found, ids[0][:36]) and not of_the_person(found, "2031")


def test_a_file_tells_whose_it_is(tmp_path: Path) -> None:
    """A rollout is Codex's, damaged first lines included; one of a client that is not read is said so."""
    assert client_of(written(tmp_path / "a.jsonl", "{", meta())) is Client.CODEX
    assert client_of(written(tmp_path / "b.jsonl", {"type": "user", "sessionId": "s"})) is Client.CLAUDE
    with pytest.raises(BadUsage, match="copilot"):
        client_of(written(tmp_path / "c.jsonl", {"type": "session.start", "data": {}}))
    with pytest.raises(BadUsage, match="cursor"):
        reader(Client.CURSOR, "s")
