"""The MCP server that is registered: once, with a program behind it, answering with its tools.

The stored command line is run as a client runs it, and asked for nothing but what it has.
"""

import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curator.cli.checks.finding import Finding, broken, note, ok
from curator.hosts.hookline import words_of
from curator.hosts.registered import claude_commands
from curator.hosts.servers import Server, registered
from curator.place import Place

_SECONDS = 20
_AGAIN = "curator uninstall && curator init"


def check(place: Place, home: Path) -> Iterator[Finding]:
    """Everything about Claude Code's entry of our server; nothing where there is neither an entry nor a hook."""
    found = list(registered(place.top, home))
    hooks = [one for one in claude_commands(place.top, home) if words_of(one.command)]
    if not found and hooks and not any(one.plugin for one in hooks):
        yield note("mcp", "no agent starts the MCP server here", "curator init")
    if len(found) > 1:
        where = " and ".join(dict.fromkeys(str(one.path) for one in found))
        yield broken("mcp", f"the server is registered twice: {where}", _AGAIN)
    for one in found[:1]:
        gone = next((word for word in one.words if word.startswith("/") and not Path(word).exists()), "")
        yield (
            broken("mcp", f"{one.path} runs {gone}, which is not there", _AGAIN) if gone else started(one, place, home)
        )


def started(server: Server, place: Place, home: Path) -> Finding:
    """Start the server, shake hands, ask for the tools, and judge the answers."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            server.words,
            input="".join(json.dumps(message) + "\n" for message in _ASKED).encode(),
            cwd=place.top,
            env=dict(os.environ) | {"HOME": str(home)},
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return broken("mcp", f"{server.path}: the server does not start ({error})", _AGAIN)
    seconds = time.monotonic() - began
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    tools = _tools(done.stdout)
    if done.returncode or not tools:
        reason = said[-1] if said else f"exit code {done.returncode}, no tools"
        return broken(
            "mcp", f"{server.path}: the server gives no tools ({reason})", f"{shlex.join(server.words)} </dev/null"
        )
    text = f"answers with {len(tools)} tools in {seconds:.1f} s"
    return note("mcp", f"{text}, and says on stderr: {said[-1]}") if said else ok("mcp", text)


_ASKED: tuple[dict[str, Any], ...] = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "curator doctor", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def _tools(stdout: bytes) -> list[str]:
    """The names of the tools; none where a line is no message of the protocol."""
    try:
        answers = [json.loads(line) for line in stdout.decode("utf-8").splitlines()]
        return [tool["name"] for one in answers if one.get("id") == 2 for tool in one["result"]["tools"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
