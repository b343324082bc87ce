"""The server over HTTP: on this machine unless told otherwise, and only for who has the token.

Owns who gets as far as the SDK: the token first, then the Host and Origin headers, so that no page in a browser can
reach it under a name of its own (DNS rebinding). No session is kept between requests.
"""

import hmac
import ipaddress
import logging
import signal
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from curator.errors import BadUsage, CuratorError, NotAllowed
from curator.mcp.server import Calls, made, note_to_stderr
from curator.mcp.token import token

PATH = "/mcp"
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_GRACE = 5  # seconds that calls under way get after a signal


def run(start: Path, address: str, env: Mapping[str, str], *, remote: bool = False, own: bool = False) -> None:
    """Serve until a signal; `own` serves the person's own store.

    Raises `BadUsage` for no address, `NotAllowed` for one that others can reach unless `remote` says that it is
    meant, `CuratorError` where it cannot be taken.
    """
    host, port = parted(address)
    if not remote and not loopback(host):
        raise NotAllowed(f"{host} can be reached from other machines; --allow-remote says that it is meant")
    taken = _taken(host, port)
    secret, where = token(env)
    port = taken.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    note_to_stderr(f"serving http://{shown}:{port}{PATH}; the bearer token is in {where}")
    if not loopback(host):
        note_to_stderr("anyone who sees the traffic sees the token: put it behind a server that speaks TLS")
    logging.getLogger("mcp").setLevel(logging.ERROR)  # each refused request as a warning
    config = uvicorn.Config(
        app(start, shown, port, secret, own=own),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server raises it again when it has ended
    uvicorn.Server(config).run(sockets=[taken])


def app(start: Path, host: str, port: int, secret: str, *, own: bool = False) -> Any:
    """The ASGI application for an address that was taken."""
    names = dict.fromkeys([*_LOOPBACK_NAMES, host, *([socket.gethostname()] if not loopback(host) else [])])
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in names],
        allowed_origins=[f"http://{name}:{port}" for name in names],
    )
    inner = made(start, Calls(), own=own).streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=security
    )
    return _guarded(inner, secret)


def parted(address: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, `[HOST]:PORT` or `:PORT`, which means this machine. Raises `BadUsage`."""
    host, colon, port = address.strip().rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535 or (":" in host and not host.startswith("[")):
        raise BadUsage(f"--http {address}: write HOST:PORT, such as 127.0.0.1:8765")
    return host.strip("[]") or "127.0.0.1", int(port)


def loopback(host: str) -> bool:
    """Can only this machine reach it?"""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _taken(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise CuratorError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error


def _guarded(inner: Any, secret: str) -> Any:
    """The application behind the token; nothing else of a request is looked at before."""
    wanted = f"Bearer {secret}".encode()

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            given = [value for name, value in scope["headers"] if name == b"authorization"]
            if len(given) != 1 or not hmac.compare_digest(given[0], wanted):
                headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b"the bearer token is missing or wrong\n"})
                return
        await inner(scope, receive, send)

    return guarded
