"""The server on standard input and output. It ends when the client closes its side, or on SIGTERM and SIGINT.

Owns that what was asked before the end is answered: a script may write its calls and close, and a signal may come
while a note is being written.
"""

import os
import signal
from pathlib import Path
from typing import Any

import anyio
import mcp_types as wire
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from curator.mcp.server import Calls, made

_POLL = 0.02
_MOST = 60.0
"""Seconds that the last answers may take once the client has closed its side."""


def run(start: Path, *, own: bool = False) -> None:
    """Serve until the client is gone; with `own` the person's own store.

    Nothing but the protocol goes to stdout: the SDK keeps it for itself.
    """
    anyio.run(_serve, start, own)


async def _serve(start: Path, own: bool) -> None:
    calls, asked = Calls(), set[wire.RequestId]()
    async with anyio.create_task_group() as outer:
        outer.start_soon(_until_told, calls)
        async with stdio_server() as (reading, writing), anyio.create_task_group() as inner:
            put, questions = anyio.create_memory_object_stream[SessionMessage | Exception]()
            answers, take = anyio.create_memory_object_stream[SessionMessage]()
            inner.start_soon(_questions, reading, put, asked)
            inner.start_soon(_answers, take, writing, asked)
            server = made(start, calls, own=own)
            await server.run(questions, answers, server.create_initialization_options())
        outer.cancel_scope.cancel()


async def _questions(reading: ReadStream[SessionMessage | Exception], put: Any, asked: set[wire.RequestId]) -> None:
    """Hand on what comes; the end only when everything that was asked has its answer."""
    async with reading, put:
        async for item in reading:
            message = item.message if isinstance(item, SessionMessage) else None
            if isinstance(message, wire.JSONRPCRequest):
                asked.add(message.id)
            elif isinstance(message, wire.JSONRPCNotification) and message.method == "notifications/cancelled":
                asked.discard((message.params or {}).get("requestId", ""))
            await put.send(item)
        with anyio.move_on_after(_MOST):
            while asked:
                await anyio.sleep(_POLL)


async def _answers(take: Any, writing: WriteStream[SessionMessage], asked: set[wire.RequestId]) -> None:
    async with take, writing:
        async for item in take:
            await writing.send(item)
            if isinstance(item.message, wire.JSONRPCResponse | wire.JSONRPCError) and item.message.id is not None:
                asked.discard(item.message.id)


async def _until_told(calls: Calls) -> None:
    """End on a signal, once the calls under way are done: a thread that waits for the client cannot be ended."""
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            while calls.running:
                await anyio.sleep(_POLL)
            os._exit(0)
