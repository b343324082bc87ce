"""The real program over standard input and output, driven by the SDK's client and by hand."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.store.engine import Store
from tests.mcp.helpers import filled, process, text

HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "by hand", "version": "1"},
}


def lines(*messages: dict[str, Any]) -> str:
    """Messages as a client writes them, with the handshake before."""
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    rest: list[dict[str, Any]] = [{"jsonrpc": "2.0", "method": "notifications/initialized"}, *messages]
    return "".join(json.dumps(message) + "\n" for message in (first, *rest))


def tool(number: int, name: str, **given: Any) -> dict[str, Any]:
    """A call of a tool."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": given}}


def test_what_was_asked_before_the_end_is_answered_and_stdout_is_the_protocol_only(store: Store) -> None:
    """Calls written at once and the pipe closed: every one has its answer, each line of stdout is a message."""
    filled(store)
    asked = lines(
        tool(1, "search", text="lock"), tool(2, "remember", text="lesson: a new one"), tool(3, "show", ids=["nope"])
    )
    done = subprocess.run(
        [sys.executable, "-m", "curator", "mcp"],
        cwd=store.place.root,
        input=f"{asked}this is no message\n\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0
    answers = {one.get("id"): one for one in map(json.loads, done.stdout.splitlines())}
    assert {0, 1, 2, 3} <= answers.keys()
    assert "lock-1" in answers[1]["result"]["content"][0]["text"]
    assert answers[3]["result"]["isError"] is True
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_sdk_s_client_gets_along_in_both_ages_of_the_protocol(store: Store, mode: str) -> None:
    """List, note, find, read: with the handshake and without it; `-C` names the project."""
    filled(store)
    async with process(Path("/"), "-C", str(store.place.root), mode=mode) as client:
        assert len((await client.list_tools()).tools) == 9
        assert not (await client.call_tool("remember", {"text": "lesson: over the pipe"})).is_error
        found = await client.call_tool("search", {"text": "connections"})
        assert found.structured_content is not None
        assert found.structured_content["hits"][0]["id"] == "pool-1"
        assert "20 connections" in text(await client.call_tool("show", {"ids": ["pool-1"]}))
        huge = await client.call_tool("remember", {"text": "lesson: " + "x y " * 12_500_000})
        assert "cut at" in text(huge)


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(store: Store, sign: int) -> None:
    """With the client's side still open a signal ends the process with 0, and nothing is said."""
    with subprocess.Popen(
        [sys.executable, "-m", "curator", "mcp"],
        cwd=store.place.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(lines().encode())
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(sign)
        assert server.wait(20) == 0
        assert server.stderr is not None
        assert server.stderr.read() == b""


@pytest.mark.slow
def test_without_the_package_it_is_one_line(store: Store) -> None:
    """Where the SDK is missing the command says what to install and exits 1."""
    code = (
        "import sys, importlib.util as u; find = u.find_spec;"
        "u.find_spec = lambda name, *more: None if name == 'mcp' else find(name, *more);"
        "from curator.__main__ import main; sys.exit(main(['mcp']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=store.place.root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "pip install" in done.stderr
