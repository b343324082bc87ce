"""The HTTP form: who gets in, and what it refuses to do."""

import os
import re
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.errors import BadUsage, NotAllowed
from curator.mcp.http import loopback, parted
from curator.mcp.token import VARIABLE, token
from curator.store.engine import Store
from tests.mcp.helpers import filled, text

SECRET = "a-token-of-this-test-0123456789"


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("127.0.0.1:80", ("127.0.0.1", 80)),
        ("[::1]:0", ("::1", 0)),
        (":8765", ("127.0.0.1", 8765)),
        ("localhost:1", ("localhost", 1)),
    ],
)
def test_addresses(address: str, wanted: tuple[str, int]) -> None:
    """Host and port, an address in brackets, and a port alone, which is this machine's."""
    assert parted(address) == wanted


@pytest.mark.parametrize("address", ["8765", "host:", "host:http", "::1:80", "host:70000", ""])
def test_what_is_no_address_is_wrong_usage(address: str) -> None:
    """Anything else is refused before a socket is made."""
    with pytest.raises(BadUsage):
        parted(address)


def test_only_this_machine_is_loopback() -> None:
    """A wildcard, a private address and a name are reachable from elsewhere."""
    assert [loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [loopback(host) for host in ("0.0.0.0", "::", "192.168.1.2", "example.org", "localhost.evil.org")] == [
        False
    ] * 5


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.168.1.2"])
def test_it_does_not_listen_for_others_without_being_told(
    host: str, store: Store, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An address that others can reach is refused in one line that names the option."""
    monkeypatch.chdir(store.place.root)
    assert main(["mcp", "--http", f"{host}:0"]) == 1
    assert "--allow-remote" in capsys.readouterr().err
    assert main(["mcp", "--allow-remote"]) == 2
    assert not (home / ".config").exists()  # and no token was made


def test_a_taken_port_is_one_line(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A port that another program has is an error with its reason."""
    monkeypatch.chdir(store.place.root)
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert main(["mcp", "--http", f"127.0.0.1:{other.getsockname()[1]}"]) == 1
    assert "cannot listen on 127.0.0.1" in capsys.readouterr().err


def test_the_token_is_made_once_for_its_owner_only(home: Path) -> None:
    """A file with mode 0600 beside the settings, read again later; one that others can read is refused."""
    first, where = token(os.environ)
    assert token(os.environ) == (first, where)
    assert len(first) >= 40
    assert stat.S_IMODE(Path(where).stat().st_mode) == 0o600
    Path(where).chmod(0o644)
    with pytest.raises(NotAllowed, match="can be read by others"):
        token(os.environ)


def test_the_environment_gives_the_token() -> None:
    """A variable wins over the file; what is too short to be a secret is refused."""
    assert token({VARIABLE: SECRET}) == (SECRET, VARIABLE)
    for weak in ("short", "has a blank in it, so it is none", "ünlike ascii, and long enough for it"):
        with pytest.raises(BadUsage):
            token({VARIABLE: weak})


@pytest.fixture
def served(store: Store) -> Iterator[tuple[str, int]]:
    """A server on loopback with two entries; ended by SIGTERM, which must leave with 0."""
    filled(store)
    with subprocess.Popen(
        [sys.executable, "-m", "curator", "mcp", "--http", "127.0.0.1:0"],
        cwd=store.place.root,
        env={**os.environ, VARIABLE: SECRET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        address = re.search(r"http://([\d.]+):(\d+)/mcp", line)
        assert address, line
        assert SECRET not in line
        yield address[1], int(address[2])
        server.terminate()
        assert server.wait(20) == 0
        assert server.stdout is not None
        assert (server.stdout.read(), server.stderr.read()) == ("", "")


def status(address: tuple[str, int], body: str = "{}", **headers: str) -> int:
    """The status that a POST with these headers gets (`Host` and `Origin` as they are given)."""
    connection = HTTPConnection(*address, timeout=30)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    connection.request("POST", "/mcp", body=body, headers=sent)
    found = connection.getresponse().status
    connection.close()
    return found


@pytest.mark.slow
async def test_over_http_with_the_token_and_not_without(served: tuple[str, int]) -> None:
    """The client with the token works; without it, with a wrong one, from a foreign page or under another name not."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    host, port = served
    bearer = {"Authorization": f"Bearer {SECRET}"}
    assert status(served) == 401
    assert status(served, Authorization="Bearer wrong") == 401
    assert status(served, Authorization=SECRET) == 401
    assert status(served, Host="evil.example", **bearer) == 421
    assert status(served, Host=f"127.0.0.1.evil.example:{port}", **bearer) == 421
    assert status(served, Origin="http://evil.example", **bearer) == 403
    assert status(served, Origin=f"http://127.0.0.1:{port}", **bearer) == 400  # it got as far as the protocol
    assert status(served, body="x" * 5_000_000, **bearer) == 413
    async with (
        httpx2.AsyncClient(headers=bearer) as http,
        Client(streamable_http_client(f"http://{host}:{port}/mcp", http_client=http)) as client,
    ):
        assert len((await client.list_tools()).tools) == 9
        assert "lock-1" in text(await client.call_tool("search", {"text": "lock"}))
        assert not (await client.call_tool("remember", {"text": "lesson: over HTTP"})).is_error
