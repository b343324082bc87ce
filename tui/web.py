"""The review in a browser of this machine: textual-serve behind a door that one token opens once.

Owns who gets in: the token opens the door for one browser, which is then known by a cookie that is valid for one path
only (cookies know no ports, so that a neighbour on another port is never sent it). Asks no other host for anything.
"""

import secrets
import shlex
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from textual_serve.server import Server

HOST = "127.0.0.1"
COOKIE = "curator"
PAGE = Path(__file__).parent.absolute() / "browser"
REFUSED = "Not open to this browser. `curator review --web` prints an address that opens it once; start it again."
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; "
        "connect-src 'self' {socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Door(Server):
    """Textual's server, and what stands before it. `address` opens it, once."""

    def __init__(self, words: Sequence[str], title: str, port: int) -> None:
        super().__init__(shlex.join(words), HOST, port, title=title, templates_path=PAGE)
        self._token: str | None = secrets.token_urlsafe(32)
        self._session = secrets.token_urlsafe(32)
        self._room = "/" + secrets.token_urlsafe(16)
        self.address = f"{self.public_url}/?token={self._token}"

    async def application(self) -> web.Application:
        """The door and, behind a path that nobody can guess, Textual's server."""
        outer = web.Application(middlewares=[self._guard])
        outer.router.add_get("/", self._enter)
        inner = await self._make_app()
        inner.router.add_static("/page", PAGE)
        outer.add_subapp(self._room, inner)
        return outer

    async def on_startup(self, app: web.Application) -> None:
        """Nothing is printed: who started it has said what there is to say."""

    async def _enter(self, request: web.Request) -> web.Response:
        """The token is good for one browser; afterwards it opens nothing."""
        given = request.query.get("token", "")
        if self._token is None or not secrets.compare_digest(given.encode(), self._token.encode()):
            return web.Response(status=403, text=REFUSED)
        self._token = None
        answer = web.Response(status=303, headers={"Location": f"{self._room}/"})
        answer.set_cookie(COOKIE, self._session, path=self._room, httponly=True, samesite="Strict")
        return answer

    @property
    def _guard(self) -> Middleware:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            allowed = self._allowed(request)
            answer = await handler(request) if allowed else web.Response(status=403, text=REFUSED)
            if not answer.prepared:
                for name, value in HEADERS.items():
                    answer.headers[name] = value.format(socket=f"ws://{HOST}:{self.port}")
            return answer

        return guard

    def _allowed(self, request: web.Request) -> bool:
        """By name of this machine only (no other name may lead here), and with the cookie behind the door."""
        if request.headers.get("Host") != f"{HOST}:{self.port}":
            return False
        if request.path == "/":
            return True
        if "Upgrade" in request.headers and request.headers.get("Origin") != self.public_url:
            return False
        return secrets.compare_digest(request.cookies.get(COOKIE, "").encode(), self._session.encode())


def serve(words: Sequence[str], title: str, port: int, told: Callable[[str], None]) -> None:
    """Serve the program that `words` start until Ctrl-C; `told` gets the address. Port 0 takes a free one.

    Raises `OSError` when the port is taken.
    """
    listening = socket.create_server((HOST, port))
    door = Door(words, title, listening.getsockname()[1])
    told(door.address)
    web.run_app(door.application(), sock=listening, print=None, access_log=None, shutdown_timeout=1)
