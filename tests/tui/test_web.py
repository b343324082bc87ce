"""The review in a browser: who gets in, what is asked of whom, and that the same screen decides there."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from curator.__main__ import main
from curator.cli import reviewing
from curator.cli.call import Call
from curator.draft import draft
from curator.errors import CuratorError
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import desk_on, propose
from tests.tui.terminal import Terminal

pytest.importorskip("textual_serve", reason="the extra `web` is not installed")

import aiohttp
from aiohttp import web

from tui.web import HOST, Door

NOBODY = (sys.executable, "-c", "pass")


class Behind(Door):
    """The door, with nobody to speak to behind it."""

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Open and close."""
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        await answer.close()
        return answer


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Door, aiohttp.ClientSession]]:
    """A door that is served on loopback, and a client that keeps no cookies by itself."""
    import socket

    listening = socket.create_server((HOST, 0))
    door = Behind(NOBODY, "review", listening.getsockname()[1])
    runner = web.AppRunner(await door.application(), access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
        yield door, client
    await runner.cleanup()


async def entered(door: Door, client: aiohttp.ClientSession) -> tuple[str, dict[str, str]]:
    """Through the door with its token: the page behind it, and the header that a browser sends from then on."""
    async with client.get(door.address, allow_redirects=False) as answer:
        assert answer.status == 303
        cookie = SimpleCookie(answer.headers["Set-Cookie"])["curator"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert answer.headers["Location"] == cookie["path"] + "/"
        return door.public_url + answer.headers["Location"], {"Cookie": f"curator={cookie.value}"}


async def test_the_token_opens_once_and_the_cookie_from_then_on() -> None:
    """Without either nothing is handed out, of any path; the token is worth nothing after its first use."""
    async with opened() as (door, client):
        for path in ("/", "/?token=", "/?token=wrong", "/ws", "/static/js/textual.js", "/x/"):
            async with client.get(door.public_url + path, allow_redirects=False) as answer:
                assert answer.status == 403, path
                assert "Set-Cookie" not in answer.headers
        page, cookie = await entered(door, client)
        async with client.get(door.address, allow_redirects=False) as answer:
            assert answer.status == 403
        async with client.get(page) as answer:
            assert answer.status == 403
        async with client.get(page, headers=cookie) as answer:
            assert answer.status == 200
        for other in ("curator=", "curator=wrong", "other=1"):
            async with client.get(page, headers={"Cookie": other}) as answer:
                assert answer.status == 403


async def test_the_page_asks_no_other_host() -> None:
    """Script, style and font come from the door itself; the browser is told to load nothing from elsewhere."""
    async with opened() as (door, client):
        page, cookie = await entered(door, client)
        async with client.get(page, headers=cookie) as answer:
            text = await answer.text()
            policy = answer.headers["Content-Security-Policy"]
        assert text.count("://") == text.count(door.public_url) + text.count(f"ws://{HOST}:{door.port}/")
        assert "default-src 'none'" in policy
        assert policy.count("//") == policy.count(f"ws://{HOST}:{door.port}") == 1
        assert "page/focus.js" in text
        for name in ("js/textual.js", "css/xterm.css", "fonts/RobotoMono-VariableFont_wght.ttf"):
            assert f"/static/{name}" in text
            async with client.get(f"{page}static/{name}", headers=cookie) as answer:
                assert answer.status == 200


async def test_a_page_of_another_origin_cannot_speak_to_the_review() -> None:
    """The socket opens only for our own page; no other host name leads here, even with the cookie."""
    async with opened() as (door, client):
        page, cookie = await entered(door, client)
        for origin in (
            None,
            "http://example.org",
            f"http://localhost:{door.port}",
            f"https://{HOST}:{door.port}",
            "null",
        ):
            headers = {**cookie, **({"Origin": origin} if origin else {})}
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await client.ws_connect(page + "ws", headers=headers)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await client.ws_connect(page + "ws", headers={"Origin": door.public_url})
        async with client.ws_connect(page + "ws", headers={**cookie, "Origin": door.public_url}) as socket:
            assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
        async with client.get(page, headers={**cookie, "Host": f"rebound.example:{door.port}"}) as answer:
            assert answer.status == 403


async def test_it_listens_on_loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address that it binds is this machine's own."""
    import tui.web

    bound: list[object] = []

    def stop(application: object, *, sock: object, **_: object) -> None:
        bound.append(sock.getsockname()[0])  # type: ignore[attr-defined]
        sock.close()  # type: ignore[attr-defined]
        application.close()  # type: ignore[attr-defined]

    monkeypatch.setattr(web, "run_app", stop)
    told: list[str] = []
    tui.web.serve(NOBODY, "review", 0, told.append)
    assert bound == ["127.0.0.1"]
    assert urlsplit(told[0]).hostname == "127.0.0.1"


def test_without_the_extra_one_line_says_what_to_install(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is served."""
    monkeypatch.setattr(reviewing, "decider", lambda _: None)
    monkeypatch.setitem(sys.modules, "tui.web", None)
    with pytest.raises(CuratorError, match=r"pip install 'curator-memory\[web\]'"):
        reviewing.in_browser(Call(Path(store.place.root)), 0)


def test_nobody_but_a_person_on_a_terminal_opens_it(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that starts `review --web` is refused before anything is served."""
    assert main(["-C", str(store.place.root), "review", "--web"]) == 1
    assert "only a person decides" in capsys.readouterr().err


@pytest.mark.slow
async def test_the_same_screen_decides_in_the_browser(store: Store) -> None:
    """`review --web` on a terminal, a client in the browser's place: the queue is drawn, `a` accepts, Ctrl-C ends."""
    propose(store, Op.ADD, (), [draft("", "pnpm in web/", "lesson")])
    words = (sys.executable, "-m", "curator", "review", "--web")
    with Terminal(Path(store.place.root), words) as terminal:
        terminal.until(b"Ctrl-C")
        address = bytes(terminal.seen).split()[0].decode()
        base = f"http://{urlsplit(address).netloc}"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as client:
            async with client.get(address) as answer:
                assert answer.status == 200
                page = str(answer.url)
            async with client.ws_connect(f"{page}ws?width=120&height=36", headers={"Origin": base}) as socket:
                await heard(socket, "pnpm in web/")
                await socket.send_json(["stdin", "a"])
                await heard(socket, "accepted P-0001")
                await socket.send_json(["stdin", "q"])
        terminal.send(b"\x03")
        assert await asyncio.to_thread(terminal.ended) == 0
        assert not list(store.place.folder.glob("review-token-*"))
    assert [(line.verb.value, line.via) for line in desk_on(store).log(1)] == [("accept", "browser")]


async def heard(socket: aiohttp.ClientWebSocketResponse, words: str) -> None:
    """Read until the screen has been sent these words."""
    seen = ""
    while words not in seen:
        message = await socket.receive(timeout=30)
        assert message.type is aiohttp.WSMsgType.BINARY or message.type is aiohttp.WSMsgType.TEXT, (
            message,
            seen[-500:],
        )
        seen += message.data.decode("utf-8", "replace") if isinstance(message.data, bytes) else message.data


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
async def test_a_real_browser_shows_the_screen_and_decides(store: Store, tmp_path: Path) -> None:
    """Headless Chromium opens the printed address, asks our own host only, and a key typed in it accepts."""
    propose(store, Op.ADD, (), [draft("", "pnpm in web/", "lesson")])
    words = (sys.executable, "-m", "curator", "review", "--web")
    with Terminal(Path(store.place.root), words) as terminal:
        terminal.until(b"Ctrl-C")
        address = bytes(terminal.seen).split()[0].decode()
        async with chromium(tmp_path / "profile") as browser:
            await browser.call("Page.navigate", url=address)
            await browser.until("document.body.classList.contains('-first-byte')")
            await browser.until("document.fonts.check('16px \"Roboto Mono\"')")
            await browser.until("document.activeElement.className == 'xterm-helper-textarea'")
            for _ in range(100):  # until the queue is there
                await browser.call("Input.dispatchKeyEvent", type="keyDown", text="a", key="a", code="KeyA")
                await browser.call("Input.dispatchKeyEvent", type="keyUp", key="a", code="KeyA")
                if decided := desk_on(store).log(1):
                    break
                await asyncio.sleep(0.3)
        assert browser.asked <= {urlsplit(address).netloc}
        assert browser.complained == []
        terminal.send(b"\x03")
        assert await asyncio.to_thread(terminal.ended) == 0
    assert [(line.verb.value, line.via) for line in decided] == [("accept", "browser")]


class Browser:
    """A page of a browser, spoken to by its debugging protocol. `asked` are the hosts that it asked for anything."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.asked: set[str] = set()
        self.complained: list[str] = []

    async def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask the browser; its answer."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        while True:
            message = json.loads(await self._socket.receive_str(timeout=30))
            if message.get("method") == "Network.requestWillBeSent":
                url = urlsplit(message["params"]["request"]["url"])
                self.asked |= {url.netloc} if url.scheme != "data" else set()
            if message.get("method") == "Network.webSocketCreated":
                self.asked.add(urlsplit(message["params"]["url"]).netloc)
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                self.complained.append(message["params"]["entry"]["text"])
            if message.get("id") == self._number:
                assert "error" not in message, message
                return dict(message["result"])

    async def until(self, expression: str) -> None:
        """Wait until a script's expression is true in the page."""
        for _ in range(150):
            answer = await self.call("Runtime.evaluate", expression=expression)
            if answer["result"].get("value") is True:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"never true: {expression}")


@asynccontextmanager
async def chromium(profile: Path) -> AsyncIterator[Browser]:
    """A headless browser with one empty page."""
    assert CHROMIUM is not None
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
             "--window-size=1200,800", f"--user-data-dir={profile}", "about:blank")  # fmt: skip
    with subprocess.Popen([CHROMIUM, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            port = profile / "DevToolsActivePort"
            for _ in range(300):
                if port.exists() and port.read_text(encoding="ascii").count("\n"):
                    break
                await asyncio.sleep(0.1)
            number = port.read_text(encoding="ascii").split()[0]
            async with aiohttp.ClientSession() as client:
                async with client.get(f"http://127.0.0.1:{number}/json") as answer:
                    pages = [page for page in await answer.json() if page["type"] == "page"]
                async with client.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    browser = Browser(socket)
                    await browser.call("Emulation.setFocusEmulationEnabled", enabled=True)
                    for domain in ("Network", "Page", "Log"):
                        await browser.call(f"{domain}.enable")
                    yield browser
        finally:
            child.kill()
