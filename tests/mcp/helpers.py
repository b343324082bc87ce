"""The SDK's own client against the server: in this process, or the real one in a process of its own."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as wire
from mcp import Client, StdioServerParameters

from curator.mcp.answer import Answer
from curator.mcp.server import Calls, answered, made
from curator.place import find
from curator.store.engine import Store
from tests.helpers import load_active

ROWS = (
    {"kind": "lesson", "id": "lock-1", "title": "Lock files", "body": "The lock of a killed run stays in /var/lock."},
    {"kind": "decision", "id": "pool-1", "title": "Pool", "body": "The pool has 20 connections.", "labels": ["db"]},
)

Call = Callable[..., Answer]


def call(store: Store) -> Call:
    """Calls a tool of this store as the server does: `call("search", text="lock")`."""

    def called(name: str, /, **given: Any) -> Answer:
        return answered(name, given, find(store.place.root), "tester")

    return called


def inside(folder: Path, **more: Any) -> Client:
    """A client of a server in this process, started in a folder."""
    return Client(made(folder, Calls()), **more)


def process(folder: Path, *words: str, **more: Any) -> Client:
    """A client of the real program, started in a folder over stdin and stdout."""
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "curator", *words, "mcp"], cwd=str(folder), env=dict(os.environ)
    )
    return Client(program, read_timeout_seconds=60, **more)


def text(result: Any) -> str:
    """The text of an answer, which is one block."""
    assert isinstance(result, wire.CallToolResult)
    (part,) = result.content
    assert isinstance(part, wire.TextContent)
    return part.text


def filled(store: Store) -> None:
    """Two entries in a store."""
    load_active(store, ROWS)
