"""A model service on loopback that speaks the Messages format: scripted answers, every request kept.

The double of what lies outside; the client that talks to it is the real one.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Service:
    """The answers still to give (then plain "ok") and the requests that came."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self.answers = answers
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    def texts(self) -> list[str]:
        """All texts of all conversation requests, in order."""
        return [text for request in self.requests for text in _strings(request.get("messages"))]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The content block for one request; calls without tools are the client's own side calls."""
        self.requests.append(request)
        if self.answers and request.get("tools"):
            return self.answers.pop(0)
        return {"type": "text", "text": "ok"}


@contextmanager
def serving(*answers: dict[str, Any]) -> Iterator[Service]:
    """The service, running for as long as the block."""
    service = Service(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if self.path.partition("?")[0].endswith("/count_tokens"):
                self._send("application/json", json.dumps({"input_tokens": 100}))
            else:
                self._send("text/event-stream", _events(request.get("model", ""), service.answer(request)))

        def do_HEAD(self) -> None:
            self._send("application/json", "")

        def _send(self, kind: str, text: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def text(words: str) -> dict[str, Any]:
    """An answer in words."""
    return {"type": "text", "text": words}


def tool(name: str, **given: Any) -> dict[str, Any]:
    """An answer that asks for a tool."""
    return {"type": "tool_use", "id": f"toolu_{abs(hash(json.dumps(given)))}", "name": name, "input": given}


def _events(model: str, block: dict[str, Any]) -> str:
    """One streamed answer."""
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    if block["type"] == "text":
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    reason = "tool_use" if block["type"] == "tool_use" else "end_turn"
    stream: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in stream)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
