"""Every test runs in an environment of its own: home, data folder, locale, time zone, and no agent's variables."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

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
