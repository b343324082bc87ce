"""The server: the official SDK's, with our tools. A call runs in a thread, because the store waits for locks.

Owns that a call ends in an answer, whatever happens: an error is one line, a fault of ours names its kind and no
more. Imports the SDK (0.5 s), so only `curator mcp` may import this.
"""

import logging
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import anyio
import mcp_types as wire
from anyio.to_thread import run_sync
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from curator import __version__
from curator.errors import CannotLook, CuratorError
from curator.mcp.answer import Answer, error, shown
from curator.mcp.loading import load
from curator.mcp.project import caller
from curator.mcp.tools import INSTRUCTIONS, TOOLS
from curator.place import Place, find, user_place
from curator.plain import one_line, plain
from curator.vocab import Client

AT_ONCE = 8
"""Calls that run at the same time; more wait their turn."""

_ROOTS_SECONDS = 2.0

_Context = ServerRequestContext[Any]


class Calls:
    """The calls under way: how many, and room for no more than a few at once."""

    def __init__(self) -> None:
        self.running = 0
        self.room = anyio.CapacityLimiter(AT_ONCE)


def made(start: Path, calls: Calls, *, own: bool = False) -> Server[Any]:
    """A server for the project that `start` lies in, or else for the first root a client names that has a memory.

    `own` serves the person's own store instead.
    """

    async def list_tools(_: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        return wire.ListToolsResult(tools=[_listed(name) for name in TOOLS])

    async def call_tool(context: _Context, params: wire.CallToolRequestParams) -> wire.CallToolResult:
        calls.running += 1
        try:
            place = user_place() if own else await _place(start, context)
            work = partial(answered, params.name, params.arguments or {}, place, _name(context), _call(params))
            return _result(await run_sync(work, limiter=calls.room))
        finally:
            calls.running -= 1

    return Server(
        "curator",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def answered(name: str, given: Mapping[str, Any], place: Place | CuratorError, client: str, call: str = "") -> Answer:
    """What a call gives; never raises."""
    tool = TOOLS.get(name)
    if tool is None:
        return error(f"there is no tool {one_line(name, 40)!r}; there are {', '.join(TOOLS)}")
    try:
        if isinstance(place, CuratorError):
            raise place
        load()
        return tool.call(caller(place, client, call), given)
    except CannotLook as problem:
        return error(f"could not look: {problem}")
    except CuratorError as problem:
        return error(str(problem))
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return error(f"could not look: {where}{problem.strerror or problem}")
    except Exception as problem:  # the server lives on; the traceback is the log's
        logging.getLogger("curator.mcp").exception("%s failed", name)
        return error(f"{name} failed: {type(problem).__name__}")


def _listed(name: str) -> wire.Tool:
    tool = TOOLS[name]
    hints = wire.ToolAnnotations(read_only_hint=tool.reads, destructive_hint=None if tool.reads else False)
    return wire.Tool(name=name, description=tool.says, input_schema=tool.schema, annotations=hints)


def _result(answer: Answer) -> wire.CallToolResult:
    return wire.CallToolResult(
        content=[wire.TextContent(type="text", text=plain(answer.text))],
        structured_content=shown(answer.data) if answer.data else None,
        is_error=answer.wrong,
    )


def _name(context: _Context) -> str:
    """Which client calls: one we know, told from the name it gives (`codex-mcp-client`), else that name, short."""
    given = context.session.client_params
    name = one_line(given.client_info.name, 40) if given else ""
    return next((known.value for known in Client if known.value in name.lower()), name)


def _call(params: wire.CallToolRequestParams) -> str:
    """The id that Claude Code gives a call, as it stands in its transcript; empty for every other client."""
    given = (params.meta or {}).get("claudecode/toolUseId")
    return given if isinstance(given, str) and re.fullmatch(r"[A-Za-z0-9_-]{8,80}", given) else ""


async def _place(start: Path, context: _Context) -> Place | CuratorError:
    """The project of this call; what keeps it from being found is told as the call's answer."""
    try:
        place = find(start)
    except CuratorError as problem:
        return problem
    if place.found:
        return place
    for root in await _roots(context):
        try:
            other = find(root)
        except (CuratorError, OSError, ValueError):
            continue
        if other.found:
            return other
    return place


async def _roots(context: _Context) -> list[Path]:
    """The folders a client says it works in; none where it says nothing, or cannot be asked."""
    given = context.session.client_params
    if given is None or given.capabilities.roots is None:
        return []
    try:
        with anyio.fail_after(_ROOTS_SECONDS):
            listed = await context.session.send_request(wire.ListRootsRequest(), wire.ListRootsResult)
    except (MCPError, TimeoutError, RuntimeError, ValueError):
        return []
    parts = [urlsplit(str(root.uri)) for root in listed.roots]
    return [Path(unquote(part.path)) for part in parts if part.scheme == "file" and part.path]


def note_to_stderr(line: str) -> None:
    """Narration of the server: stdout is the protocol's."""
    sys.stderr.write(plain(line) + "\n")
