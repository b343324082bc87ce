"""Every test runs in an environment of its own: home, data folder, locale, time zone, and no agent's variables."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.postgres import server

if TYPE_CHECKING:
    from curator.store.engine import Store
    from tests.postgres import Server

__all__ = ["server"]

_KEPT = (
    "PATH",
    "SYSTEMROOT",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "SSL_CERT_FILE",
    "PYTEST_XDIST_WORKER",
)

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A throwaway home; returns it."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith(("PYTEST_", "COV_", "OPENBLAS_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    time.tzset()
    yield home
    time.tzset()


@pytest.fixture
def home(clean_environment: Path) -> Path:
    """The throwaway home folder of this test."""
    return clean_environment


NOON = datetime(2031, 3, 5, 12, 0, tzinfo=UTC)


class Clock:
    """Time as a parameter: call it for the present instant, set `at` to move it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The present instant."""
        return self.at


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at noon on 5 March 2031, UTC, until a test moves it."""
    return Clock()


@pytest.fixture(scope="session")
def store_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One migrated, empty database, made once; every store of a test starts as its copy."""
    from curator.config import Settings
    from curator.place import Place
    from curator.store.opening import create_store

    root = tmp_path_factory.mktemp("template")
    create_store(Place(root, root, "", False), Settings(), Clock())
    return root / ".curator"


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--postgres`: the stores of the tests lie on a throwaway server."""
    parser.addoption("--postgres", action="store_true", help="keep the tests' stores on a PostgreSQL server")


@pytest.fixture
def new_store(store_template: Path, clock: Clock, request: pytest.FixtureRequest) -> "Callable[..., Store]":
    """Makes an empty store in a folder: `new_store(path)`; the project is the folder."""
    from curator.config import Settings
    from curator.place import Place
    from curator.store.opening import create_store, open_store

    pg: Server | None = request.getfixturevalue("server") if request.config.getoption("--postgres") else None

    def make(root: Path, settings: Settings | None = None) -> "Store":
        root.mkdir(parents=True, exist_ok=True)
        settings = settings or Settings()
        if pg:
            settings = replace(settings, database_url=pg.database())
            made = create_store(Place(root, root, "", False), settings, clock)
            with (root / ".curator" / "config.toml").open("a", encoding="utf-8") as file:
                file.write(f'database_url = "{settings.database_url}"\n')
            request.addfinalizer(made.engine.dispose)
            return made
        shutil.copytree(store_template, root / ".curator")
        (root / ".curator").chmod(0o700)
        store = open_store(Place(root, root), settings, clock)
        assert store is not None
        with store.write() as session:
            from curator.store.tables import Project

            project = session.get(Project, store.project_id)
            assert project is not None
            project.name = root.name
        return store

    return make


@pytest.fixture
def store(new_store: "Callable[..., Store]", tmp_path: Path) -> "Store":
    """An empty store in `tmp_path / "shop"`."""
    return new_store(tmp_path / "shop")
