"""A project whose person made a key for scripts."""

import os
import pty
from pathlib import Path

import pytest

from curator.desk import guard
from curator.store.engine import Store


@pytest.fixture
def key(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The key file, named in the environment."""
    from curator.place import Place

    far, near = pty.openpty()
    with os.fdopen(near, "r") as terminal:
        path, _ = guard.make_key(Place(tmp_path / "shop", tmp_path / "shop"), os.environ, terminal)
    os.close(far)
    monkeypatch.setenv(guard.KEY_FILE, str(path))
    return path


@pytest.fixture
def shop(store: Store, key: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in the working directory, with a key at hand."""
    monkeypatch.chdir(store.place.root)
    return store
