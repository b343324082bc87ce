"""Every test runs in an environment of its own: home, data folder, locale, time zone, and no agent's variables."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from curator.store.engine import Store

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


@pytest.fixture
def new_store(store_template: Path, clock: Clock) -> "Callable[..., Store]":
    """Makes an empty store in a folder: `new_store(path)`; the project is the folder."""
    from curator.config import Settings
    from curator.place import Place
    from curator.store.opening import open_store

    def make(root: Path, settings: Settings | None = None) -> "Store":
        root.mkdir(parents=True, exist_ok=True)
        shutil.copytree(store_template, root / ".curator")
        (root / ".curator").chmod(0o700)
        store = open_store(Place(root, root), settings or Settings(), clock)
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
