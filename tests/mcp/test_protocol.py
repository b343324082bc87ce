"""The server as a client sees it: tools, instructions, errors, several calls at once, the project's folder."""

import json
from pathlib import Path
from typing import Any

import anyio
import mcp_types as wire
import pytest
from sqlmodel import select

from curator.edge.tokens import tokens
from curator.mcp.tools import INSTRUCTIONS, TOOLS
from curator.store.engine import Store
from curator.store.tables import Note
from tests.mcp.helpers import filled, inside, text

DECIDING = ("accept", "reject", "snooze", "revise", "edit", "pin", "tombstone", "restore", "promote", "undo", "purge")


async def test_the_tools_are_listed_with_schemas_and_none_decides(store: Store) -> None:
    """Nine tools, each with a closed schema; those that only read say so; no name of a decision is among them."""
    async with inside(store.place.root) as client:
        listed = (await client.list_tools()).tools
        assert client.instructions == INSTRUCTIONS
    assert [tool.name for tool in listed] == list(TOOLS)
    assert {tool.name for tool in listed if tool.annotations and tool.annotations.read_only_hint} == {
        "search",
        "show",
        "preview",
    }
    assert all(tool.input_schema["additionalProperties"] is False for tool in listed)
    assert not {tool.name for tool in listed} & set(DECIDING)


async def test_what_a_session_pays_for_the_tools_is_small(store: Store) -> None:
    """Instructions cost at most 100 tokens, names, descriptions and schemas together at most 850."""
    count = tokens().count
    async with inside(store.place.root) as client:
        listed = (await client.list_tools()).tools
    assert count(INSTRUCTIONS) <= 100
    told = [f"{tool.name} {tool.description} {json.dumps(tool.input_schema, separators=(',', ':'))}" for tool in listed]
    assert sum(map(count, told)) <= 850


async def test_an_error_is_a_tool_error_with_one_line(store: Store) -> None:
    """A wrong call is answered as the tool's error, not as the protocol's, and carries no trace."""
    async with inside(store.place.root) as client:
        for name, given in (("show", {"ids": ["nope"]}), ("remember", {"txt": 1}), ("approve", {})):
            result = await client.call_tool(name, given)
            assert result.is_error
            assert "\n" not in text(result)
            assert "Traceback" not in text(result)


async def test_a_fault_of_ours_is_one_line_and_the_server_lives_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unforeseen exception names its kind to the client, its trace goes to the log."""

    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("the inside of the program")

    monkeypatch.setattr("curator.recall.search.search", broken)
    async with inside(store.place.root) as client:
        result = await client.call_tool("search", {"text": "x"})
        assert text(result) == "search failed: ZeroDivisionError"
        assert not (await client.call_tool("remember", {"text": "lesson: it goes on"})).is_error
    assert "the inside of the program" in caplog.text


@pytest.mark.slow
async def test_many_calls_at_once_lose_nothing(store: Store) -> None:
    """Twenty notes and as many searches at the same time: every note is there once, every search is answered."""
    filled(store)
    wrong: list[str] = []

    async def one(client: Any, name: str, given: dict[str, Any]) -> None:
        result = await client.call_tool(name, given)
        if result.is_error:
            wrong.append(text(result))

    async with inside(store.place.root) as client, anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(one, client, "remember", {"text": f"lesson: statement number {number}"})
            group.start_soon(one, client, "search", {"text": "lock"})
    assert wrong == []
    with store.read() as session:
        assert len(session.exec(select(Note)).all()) == 20


async def test_a_slow_call_holds_up_no_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one call waits for the store, another is answered: the loop is free."""
    import threading

    free = threading.Event()

    def waiting(*_: Any, **__: Any) -> None:
        assert free.wait(30)
        raise ZeroDivisionError

    monkeypatch.setattr("curator.harvest.remembering.remember", waiting)
    async with inside(store.place.root) as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "remember", {"text": "lesson: it waits"})
        await client.call_tool("search", {"text": "x"})
        free.set()


async def test_a_client_we_know_is_told_from_the_name_it_gives(store: Store) -> None:
    """The note's source names the client, where its environment does not."""
    for number, name in enumerate(("codex-mcp-client", "claude-code", "some editor")):
        async with inside(store.place.root, client_info=wire.Implementation(name=name, version="1")) as client:
            assert not (await client.call_tool("remember", {"text": f"lesson: number {number}"})).is_error
    with store.read() as session:
        assert {note.source["client"] for note in session.exec(select(Note))} == {"codex", "claude", "some editor"}


async def test_the_project_is_found_by_a_root_where_the_start_has_none(store: Store, tmp_path: Path) -> None:
    """A client of the older protocol that names its folders is served from the first one with a memory."""
    filled(store)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    async def roots(_: Any) -> wire.ListRootsResult:
        uris = [elsewhere.as_uri(), store.place.root.as_uri()]
        return wire.ListRootsResult(roots=[wire.Root.model_validate({"uri": uri}) for uri in uris])

    async with inside(elsewhere, mode="legacy", list_roots_callback=roots) as client:
        result = await client.call_tool("search", {"text": "lock"})
    assert "lock-1" in text(result)
