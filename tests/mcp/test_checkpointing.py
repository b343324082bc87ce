"""A whole checkpoint through the tools: begin, edit, memo, commit; the policy of the turn."""

import json
import os
from pathlib import Path

import pytest

from curator.cycle.checkpoints.tools import CALLS
from curator.edge.tokens import tokens
from curator.harvest.files import harvest_file
from curator.hosts.claude import encoded
from curator.mcp.server import answered
from curator.place import find
from curator.store.engine import Store
from tests.mcp.helpers import Call, call

NOW = """<checkpoint>
# 6. Now
## Current step
Raise the pool to 30 connections, as the person asked, and run the load test with the new limit for ten minutes.
## Progress
### Done
(none)
### In progress
The setting in config/pool.toml is edited; the service was not restarted yet, so nothing of it holds so far.
### Blocked or open
(none)
## Waiting on
(none)
## Next steps
Restart the service, then run `make load` and report the result: "tell me when the load test is through".
## Pitfalls
The limit of the database is 100 connections for all services together, so three services may have 30 each.
## Exact references
config/pool.toml, Makefile
</checkpoint>"""


@pytest.fixture
def tool(store: Store, tmp_path: Path) -> Call:
    """Calls a tool on a store with one recorded session of three typed messages."""
    said = ("We never deploy on a Friday.", "continue", "Raise the pool; tell me when the load test is through.")
    rows = []
    for number, text in enumerate(said):
        common = {"sessionId": "s-1", "timestamp": f"2031-03-05T11:0{number}:00Z", "cwd": str(store.place.root)}
        typed = {"origin": {"kind": "human"}, "promptSource": "typed", "uuid": f"u{number}"}
        rows.append({"type": "user", "message": {"role": "user", "content": text}, **typed, **common})
        reply = {"role": "assistant", "content": [{"type": "text", "text": f"Reply {number}."}], "id": f"m{number}"}
        rows.append({"type": "assistant", "message": reply, "uuid": f"a{number}", **common})
    path = tmp_path / "s-1.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    harvest_file(store, path, tokens().count)
    return call(store)


def begun(tool: Call) -> str:
    """The request of an opened checkpoint."""
    answer = tool("checkpoint_begin")
    assert not answer.wrong, answer.text
    return answer.text


def test_a_checkpoint_goes_through_by_tools_alone(store: Store, tool: Call) -> None:
    """Edits in place, the memo by numbers, the now as text: the stored checkpoint holds all three."""
    request = begun(tool)
    assert "checkpoint_commit" in request
    assert "We never deploy on a Friday." in request
    placeholder = "(none yet: agreements)"
    edits = [{"old": placeholder, "new": "Report when the load test is through.", "section": "## Agreements"}]
    assert tool("checkpoint_edit", edits=edits).data == {"edits": 1, "calls_left": CALLS - 1}
    seq = int(request.partition("We never deploy")[0].rpartition("(#")[2].partition(")")[0])
    assert tool("checkpoint_memo", keep=[seq]).data["kept"] == (seq,)
    done = tool("checkpoint_commit", now=NOW)
    assert not done.wrong, done.text
    from curator.cycle.checkpoints import named

    with store.read() as session:
        value = named(session, store.project_id, str(done.data["checkpoint"])).value
    assert "Report when the load test is through." in value.mind
    assert value.memo == (seq,)
    assert "We never deploy on a Friday." in value.text
    assert "run `make load`" in value.now


def test_to_keep_nothing_is_a_decision(store: Store, tool: Call) -> None:
    """An empty list is no untouched memo: the commit asks for no repair of it."""
    begun(tool)
    assert tool("checkpoint_memo", keep=[]).data["kept"] == ()
    assert not tool("checkpoint_commit", now=NOW).wrong


def test_every_problem_is_told_at_once_and_the_second_try_counts(tool: Call) -> None:
    """A wrong now and an undecided memo are one error in one line; mended, the commit goes through."""
    begun(tool)
    first = tool("checkpoint_commit", now="nothing of the form")
    assert first.wrong
    assert "\n" not in first.text
    assert len(first.data["problems"]) == 2
    tool("checkpoint_memo", keep=[])
    assert not tool("checkpoint_commit", now=NOW).wrong


def test_s18_overwriting_is_refused_and_one_bad_edit_undoes_the_call(store: Store, tool: Call) -> None:
    """An edit without its old text, or whose old text stands elsewhere too, changes nothing of its call."""
    begun(tool)
    folder = next((store.place.folder / "checkpoints").iterdir())
    before = (folder / "mind.md").read_bytes()
    good = {"old": "(none yet: mission)", "new": "x"}
    for bad in ({"old": "", "new": "all of it"}, {"old": "(none yet", "new": "x"}, {"old": "not there", "new": "x"}):
        answer = tool("checkpoint_edit", edits=[good, bad])
        assert answer.wrong
        assert "edit 2 of 2" in answer.text
    assert (folder / "mind.md").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["memo.md", "mind.md", "open.json"]


def test_s20_after_five_calls_only_the_commit_is_left(tool: Call) -> None:
    """The sixth call on the two files is refused with one fixed text; committing still works."""
    begun(tool)
    for _ in range(CALLS):
        assert not tool("checkpoint_memo", keep=[]).wrong
    assert "the 5 calls of this checkpoint are used" in tool("checkpoint_memo", keep=[]).text
    assert not tool("checkpoint_commit", now=NOW).wrong


def test_s23_one_at_a_time_and_none_without_begin(tool: Call) -> None:
    """Edits and commits need an open checkpoint; a second one is refused while one is open."""
    for name, given in (
        ("checkpoint_edit", {"edits": {"old": "a", "new": "b"}}),
        ("checkpoint_memo", {"keep": []}),
        ("checkpoint_commit", {"now": NOW}),
    ):
        assert "no checkpoint of session s-1 is open" in tool(name, **given).text
    begun(tool)
    assert "is open until" in tool("checkpoint_begin").text
    assert "the memo has no number #99" in tool("checkpoint_memo", keep=[99]).text


def test_the_session_is_the_one_that_made_the_call(store: Store, home: Path) -> None:
    """Of two sessions in one folder a checkpoint is opened of the one whose transcript has the call, not the newest."""
    folder = home / ".claude" / "projects" / encoded(store.place.root)
    folder.mkdir(parents=True)
    for number, (name, call_id) in enumerate((("s-old", "toolu_of_the_older"), ("s-new", "toolu_of_the_newer"))):
        common = {"sessionId": name, "timestamp": f"2031-03-05T11:0{number}:00Z", "cwd": str(store.place.root)}
        typed = {"origin": {"kind": "human"}, "promptSource": "typed", "uuid": f"{name}-1"}
        said = {"type": "user", "message": {"role": "user", "content": f"We are in {name}."}, **typed, **common}
        used = [{"type": "tool_use", "id": call_id, "name": "mcp__curator__checkpoint_begin", "input": {}}]
        row = {"type": "assistant", "message": {"role": "assistant", "content": used, "id": name}, "uuid": f"{name}-2"}
        path = folder / f"{name}.jsonl"
        path.write_text(json.dumps(said) + "\n" + json.dumps({**row, **common}) + "\n")
        os.utime(path, (1_900_000_000 + number, 1_900_000_000 + number))
    place = find(store.place.root)
    for call_id, session in (("toolu_of_the_older", "s-old"), ("toolu_unknown", "s-new")):
        answer = answered("checkpoint_begin", {}, place, "tester", call_id)
        assert answer.data["session"] == session
    assert not answered("checkpoint_memo", {"keep": []}, place, "tester", "toolu_of_the_older").wrong
