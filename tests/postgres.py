"""A throwaway PostgreSQL server: its own user, a temporary folder, a local socket only."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest


def programs() -> Path | None:
    """The folder of the server's programs; None where PostgreSQL is not installed."""
    found = [Path(path).resolve().parent for name in ("initdb",) if (path := shutil.which(name))]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in found if (folder / "postgres").exists()), None)


def missing() -> str:
    """Why there can be no server here; "" where there can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: pip install 'curator-memory[postgres]'"
    if programs() is None:
        return "PostgreSQL's initdb is not installed"
    if os.name == "posix" and os.getuid() == 0 and not (shutil.which("setpriv") and _user()):
        return "as root the server needs the program setpriv and a user postgres"
    return ""


class Server:
    """A running server; `database()` makes an empty database and gives its URL."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.made = 0

    def url(self, name: str) -> str:
        """The URL of a database."""
        return f"postgresql://curator@/{name}?host={quote(str(self.socket))}"

    def database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        self.made += 1
        name = f"test_{os.getpid()}_{self.made}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def running() -> Iterator[Server]:
    """A server while the block runs; its texts are in English order, so that byte order is the program's own doing."""
    folder = programs()
    assert folder is not None
    with tempfile.TemporaryDirectory(prefix="curator-pg-", ignore_cleanup_errors=True) as name:
        top = Path(name)
        top.chmod(0o711)
        data = top / "data"
        data.mkdir()
        user = _user()
        as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"] if user else []
        if user:
            for path in (top, data):
                os.chown(path, user.pw_uid, user.pw_gid)
        english = ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"]
        make = [str(folder / "initdb"), "-D", str(data), "-U", "curator", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([*as_user, *make, *english], check=True, capture_output=True, cwd="/")
        # What a throwaway server need not do: survive a power loss.
        options = ["-c", "listen_addresses=", "-k", str(top), "-c", "fsync=off", "-c", "full_page_writes=off"]
        control = [*as_user, str(folder / "pg_ctl"), "-D", str(data), "-w"]
        start = [*control, "-l", str(top / "log"), "-o", " ".join(options), "start"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd="/")
        try:
            yield Server(top)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True, cwd="/")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One server for all tests of a run; skips where there can be none."""
    if reason := missing():
        pytest.skip(reason)
    with running() as found:
        yield found


def _user() -> "pwd.struct_passwd | None":
    """Whom the server runs as: PostgreSQL refuses root; None = as oneself."""
    if os.name != "posix" or os.getuid() != 0:
        return None
    return next((one for one in pwd.getpwall() if one.pw_name in {"postgres", "nobody"}), None)
