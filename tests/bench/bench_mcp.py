"""What the MCP server costs: to start, to answer, in memory, and in tokens of a session."""

import json
import resource
import subprocess
import sys

from curator.edge.tokens import tokens
from curator.mcp.tools import INSTRUCTIONS, TOOLS
from curator.store.engine import Store
from tests.helpers import load_active
from tests.mcp.test_stdio import lines, tool

CALLS = 200


def spent(store: Store, *messages: dict[str, object]) -> tuple[float, int]:
    """Processor seconds of a server that answers these messages, and the largest memory of any so far, in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "curator", "mcp"],
        cwd=store.place.root,
        input=lines(*messages).encode(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss // 1024


def test_the_server(store: Store) -> None:
    """Start, the first call, later calls (processor time), memory; tokens of what a session is told."""
    load_active(store, [{"kind": "lesson", "body": f"Statement {n} about the import of orders."} for n in range(1_000)])
    ask: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    start, _ = spent(store, ask)
    first, memory = spent(store, tool(1, "search", text="orders"))
    many, _ = spent(store, *(tool(n, "search", text="orders") for n in range(1, CALLS + 1)))
    notes, _ = spent(store, *(tool(n, "remember", text=f"lesson: number {n} of many") for n in range(1, CALLS + 1)))
    count = tokens().count
    schemas = [{"name": t.name, "description": t.says, "input_schema": t.schema} for t in TOOLS.values()]
    print(f"\nstart and tools/list {start:.2f} s; with one search {first:.2f} s, {memory} MB")
    print(
        f"a search {(many - first) / (CALLS - 1) * 1000:.1f} ms, a note {(notes - first) / (CALLS - 1) * 1000:.1f} ms"
    )
    print(f"instructions {count(INSTRUCTIONS)}, schemas {count(json.dumps(schemas, separators=(',', ':')))} tokens")
