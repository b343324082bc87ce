"""What each tool does to a store and answers."""

from typing import Any

import pytest
from sqlmodel import select

from curator.desk.views import Shown
from curator.errors import Busy
from curator.store.engine import Store
from curator.store.tables import Entry, Note, Proposal, Refusal
from tests.desk.helpers import desk_on
from tests.mcp.helpers import Call, call, filled


@pytest.fixture
def tool(store: Store) -> Call:
    """Calls a tool on a store with two entries."""
    filled(store)
    return call(store)


def notes(store: Store) -> list[Note]:
    """Every note."""
    with store.read() as session:
        return list(session.exec(select(Note)))


def proposals(store: Store) -> list[Proposal]:
    """Every proposal."""
    with store.read() as session:
        return list(session.exec(select(Proposal)))


def test_remember_stores_a_note_of_the_agent_and_no_entry(store: Store, tool: Call) -> None:
    """A remembered text is one waiting note with origin agent; said again it is the same note."""
    first = tool("remember", text="root-cause: the import hangs on a stale lock", ref=["src/lock.py:40"], label="locks")
    assert (first.wrong, first.data["outcome"]) == (False, "new")
    assert tool("remember", text="root-cause: the import hangs on a stale lock").data["outcome"] == "again"
    (note,) = notes(store)
    assert (note.kind, note.origin, note.state) == ("root-cause", "agent", "waiting")
    assert (note.refs, note.labels, note.source["client"]) == (["src/lock.py:40"], ["locks"], "tester")
    with store.read() as session:
        assert len(session.exec(select(Entry)).all()) == 2


def test_origin_can_only_go_down(store: Store, tool: Call) -> None:
    """An agent may say that a text is from the web; that it is a person's is refused."""
    assert not tool("remember", text="lesson: seen on a page", origin="web").wrong
    assert tool("remember", text="lesson: the person said so", origin="human").wrong
    assert [note.origin for note in notes(store)] == ["web"]


def test_secrets_are_taken_out_and_said(store: Store, tool: Call) -> None:
    """A credential reaches neither the store nor the answer."""
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    answer = tool("remember", text=f"lesson: the key is {key} for the bucket", title=f"about {key}")
    assert "taken out before storing" in answer.text
    assert key not in answer.text + str(answer.data) + notes(store)[0].body + notes(store)[0].title


def test_what_the_memory_says_already_is_an_echo(store: Store, tool: Call) -> None:
    """An entry's own words handed back make no note."""
    answer = tool("remember", text="lesson: The lock of a killed run stays in /var/lock.")
    assert (answer.data["outcome"], notes(store)) == ("echo", [])


def test_a_locked_store_keeps_the_note_in_the_spool(store: Store, tool: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the store cannot be written now the answer says so, and the next call notes what waits."""
    with monkeypatch.context() as patched:

        def locked(*_: Any, **__: Any) -> None:
            raise Busy("it is locked")

        patched.setattr("curator.harvest.remembering.remember", locked)
        answer = tool("remember", text="lesson: said while it was locked")
    assert answer.text.startswith("could not look: it is locked; kept in the spool")
    assert notes(store) == []
    assert not tool("remember", text="lesson: another").wrong
    assert {note.body for note in notes(store)} == {"said while it was locked", "another"}


def test_search_says_all_in_text_and_in_data(tool: Call) -> None:
    """A hit stands in both forms, with the reminder that hits are an index."""
    answer = tool("search", text="lock")
    assert "lock-1" in answer.text
    assert answer.data["total"] == 1
    assert answer.data["hits"][0]["id"] == "lock-1"
    assert answer.data["hint"] == "Hits are an index: read the body with `show` before relying on it."
    assert answer.text.endswith(answer.data["hint"])


def test_search_filters_and_says_what_was_cut(tool: Call) -> None:
    """Without words the filters decide; a limit says how many were left out."""
    assert [hit["id"] for hit in tool("search", store="deferred").data["hits"]] == ["pool-1"]
    assert [hit["id"] for hit in tool("search", label=["db"]).data["hits"]] == ["pool-1"]
    assert "1 not shown" in tool("search", limit=1).text
    assert tool("search", text="zebra").data["hint"] == "Nothing matches."


def test_show_gives_whole_entries_and_names_what_is_missing(tool: Call) -> None:
    """Several ids at once, each by a unique beginning; none at all is an error."""
    answer = tool("show", ids=["lock", "pool-1", "nope"])
    assert [entry["id"] for entry in answer.data["entries"]] == ["lock-1", "pool-1"]
    assert "stays in /var/lock" in answer.text
    assert answer.data["missing"] == ["not found: nope"]
    assert tool("show", ids=["nope"]).wrong


def test_preview_gives_what_the_hook_hands_over(store: Store, tool: Call) -> None:
    """The text of a start, with its size."""
    from curator.snapshot import refresh

    refresh(store)
    answer = tool("preview")
    assert "The lock of a killed run" in answer.data["text"]
    assert answer.data["bytes"] == len(answer.data["text"].encode())


def test_propose_makes_a_proposal_and_changes_no_entry(store: Store, tool: Call) -> None:
    """Another text for an entry waits for the person, with both texts and the agent as its origin."""
    answer = tool("propose", entry="pool", text="The pool has 30 connections since the move.", reason="it was raised")
    assert not answer.wrong, answer.text
    (proposal,) = proposals(store)
    assert (answer.data["proposal"], proposal.state, proposal.op) == (proposal.proposal_id, "open", "update")
    assert proposal.reason == "it was raised"
    assert proposal.origin in {"agent", "unverified", "import"}
    assert proposal.before[0]["body"] == "The pool has 20 connections."
    assert proposal.after[0]["body"] == "The pool has 30 connections since the move."
    with store.read() as session:
        entry = session.get(Entry, (store.project_id, "pool-1"))
        assert entry is not None
        assert (entry.body, entry.state, entry.rev) == ("The pool has 20 connections.", "active", 1)
    assert "waits for the person's decision already" in tool("propose", entry="pool-1", text="Another.").text


def test_propose_without_an_entry_is_a_note(store: Store, tool: Call) -> None:
    """A text alone goes to the sweep like every other note."""
    assert not tool("propose", text="lesson: something new").wrong
    assert ([note.state for note in notes(store)], proposals(store)) == (["waiting"], [])


def test_a_refused_suggestion_does_not_come_back(store: Store, tool: Call) -> None:
    """What the person rejected is refused again, whatever reason the agent gives, and the repeat is counted."""
    for given in ({"text": "The pool has 30 connections."}, {"reason": "it is old"}):
        assert not tool("propose", entry="pool-1", **given).wrong
        (open_,) = [each for each in proposals(store) if each.state == "open"]
        desk_on(store).reject([Shown(open_.proposal_id, open_.rev)], "wrong")
        again = tool("propose", entry="pool-1", **{name: value + " " for name, value in given.items()})
        assert again.wrong
        assert "not proposed" in again.text
    with store.read() as session:
        assert [refusal.blocked for refusal in session.exec(select(Refusal))] == [1, 1]


def test_propose_refuses_what_is_not_there_or_says_the_same(tool: Call) -> None:
    """An unknown entry, an unchanged text, and nothing at all are one-line errors."""
    assert tool("propose", entry="nope", text="x").text == "not found: nope"
    assert "says so already" in tool("propose", entry="pool-1", text="The pool has 20 connections.").text
    assert tool("propose").wrong
    assert tool("propose", entry="pool-1").wrong


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ({"text": "The pool has 30 connections."}, "superseded"),
        ({"text": "The pool has 20 connections, shared by all workers."}, "active"),
        ({"reason": "the pool is gone"}, "tombstoned"),
    ],
)
def test_what_the_person_accepts_is_applied_and_can_be_undone(
    store: Store, tool: Call, given: dict[str, str], state: str
) -> None:
    """A suggestion is a proposal like any other: another value supersedes, more detail updates, a removal retires."""
    (made,) = [tool("propose", entry="pool-1", **given).data["proposal"]]
    desk = desk_on(store)
    done = desk.accept([Shown(str(made), 1)])
    assert [item.done for item in done.items] == [True], done
    assert desk.entry("pool-1").state == state
    texts = {hit["excerpt"] for hit in tool("search", text="pool").data["hits"]} if given.get("text") else set()
    assert not given.get("text") or any(text.startswith(given["text"][:26]) for text in texts)
    desk.undo()
    assert (desk.entry("pool-1").state, desk.entry("pool-1").draft.body) == ("active", "The pool has 20 connections.")
