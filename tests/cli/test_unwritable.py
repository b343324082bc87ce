"""A store that cannot be written now: said in one line, nothing lost, nothing half done; reading goes on."""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from curator import spool
from curator.__main__ import main
from curator.harvest.book import notes
from curator.harvest.spooled import QUEUE, take_in
from curator.snapshot import refresh
from curator.store import engine
from curator.store.engine import DATABASE, Store
from tests.helpers import load_active

CASES = Path(__file__).parent.parent / "cases"
TOKEN = "ghp_" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zA7bC"


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """Somebody else's program holds the write lock."""
    with closing(sqlite3.connect(store.place.folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a tenth of a second for a lock instead of five."""
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.1)


def bodies(store: Store) -> list[str]:
    """Of all notes, sorted."""
    return sorted(note.body for note in notes(store))


def call(store: Store, *words: str) -> int:
    """A command in the store's project."""
    return main(["-C", str(store.place.root), *words])


@pytest.mark.usefixtures("impatient")
def test_case_44_what_cannot_be_noted_now_is_noted_once_by_the_next_command(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """While another program holds the lock a text goes to the spool, which is said; later it is noted exactly once."""
    with locked(store):
        assert call(store, "remember", "lesson: the green belt slips") == 0
    said = capsys.readouterr()
    assert said.out == "" and len(said.err.splitlines()) == 1
    assert "database is locked" in said.err and "kept in the spool" in said.err
    assert bodies(store) == []
    for number in range(3):
        assert call(store, "remember", f"the red belt holds {number}") == 0
    assert bodies(store) == ["the green belt slips", *(f"the red belt holds {number}" for number in range(3))]
    assert capsys.readouterr().err.count("noted 1 that waited") == 1
    (kept,) = (note for note in notes(store) if "green" in note.body)
    assert (kept.kind, kept.marked) == ("lesson", True)


@pytest.mark.usefixtures("impatient")
def test_no_credential_waits_in_the_spool(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """A credential is taken out before the line is written, and that is said."""
    with locked(store):
        assert call(store, "remember", f"the key {TOKEN} opens the gate", "--title", TOKEN) == 0
    assert "taken out" in capsys.readouterr().err
    waiting = (store.place.folder / QUEUE / spool.NAME).read_text()
    assert "opens the gate" in waiting and TOKEN not in waiting


@pytest.mark.usefixtures("impatient")
def test_where_nothing_can_be_kept_the_reason_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a full disk under the spool, too, the command fails with the store's reason in one line."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spool, "append", full)
    with locked(store):
        assert call(store, "remember", "lesson: the green belt slips") == 1
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and "database is locked" in said and str(store.place.folder) in said


@pytest.mark.usefixtures("impatient")
def test_a_kill_between_noting_and_forgetting_notes_nothing_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch that stays behind is taken in again and changes nothing; a foreign line costs only itself."""
    with locked(store):
        call(store, "remember", "lesson: the green belt slips")
    spool.append(str(store.place.folder), {"text": 7}, QUEUE)
    with monkeypatch.context() as patch:
        patch.setattr(spool.Batch, "done", lambda batch: None)
        assert take_in(store) == 1
    assert bodies(store) == ["the green belt slips"]
    take_in(store)
    assert bodies(store) == ["the green belt slips"]
    assert not spool.waiting(str(store.place.folder), QUEUE)


@pytest.mark.usefixtures("impatient")
def test_a_decision_while_locked_is_refused_whole(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Sweep and harvest say why in one line and change nothing."""
    with locked(store):
        for words in (("sweep",), ("harvest", str(CASES / "12/t.jsonl"))):
            assert call(store, *words) == 1
            said = capsys.readouterr().err
            assert len(said.splitlines()) == 1 and "database is locked" in said
    assert bodies(store) == []


def run(root: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The program as a process."""
    command = [sys.executable, "-m", "curator", *words]
    return subprocess.run(command, cwd=root, input=text, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [3, 60])
def test_case_44_an_outside_lock_holder(store: Store, seconds: int) -> None:
    """With 3 s the command waits and notes; with 60 s it spools in bounded time, and the hook does not wait at all."""
    load_active(store, [{"id": "n-1", "kind": "lesson", "body": "red belt"}])
    refresh(store)
    holder = subprocess.Popen(
        [sys.executable, str(CASES / "44/hold_lock.py"), str(store.place.folder / DATABASE), str(seconds)],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout and holder.stdout.readline()
    began = time.monotonic()
    done = run(store.place.root, "remember", "lesson: the green belt slips")
    waited = time.monotonic() - began
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    hook = run(store.place.root, "hook", "session-start", "--client", "claude", text=json.dumps(payload))
    still = holder.poll() is None
    holder.kill()
    holder.communicate()
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert (hook.returncode, "red belt" in hook.stdout) == (0, True)
    assert bodies(store) == ([] if seconds == 60 else ["the green belt slips"])
    if seconds == 60:
        assert still and waited < 30 and "kept in the spool" in done.stderr
        assert run(store.place.root, "ingest").returncode == 0
        assert bodies(store) == ["the green belt slips"]


@pytest.fixture
def small(new_store: Callable[[Path], Store], tmp_path: Path) -> Iterator[Store]:
    """A store of 200 entries on a file system of 4 MiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    try:
        store = new_store(place / "shop")
        load_active(store, [{"id": f"n-{n}", "kind": "lesson", "body": f"belt {n}"} for n in range(200)])
        refresh(store)
        yield store
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(folder: Path) -> Path:
    """Leave not one byte free."""
    path = folder / "fill"
    with path.open("wb", buffering=0) as file:
        for size in (1 << 16, 4096, 512, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return path


@pytest.mark.slow
def test_case_79_a_full_disk(small: Store) -> None:
    """Every write fails with reason and path and changes nothing; the hook injects; with room again all goes on."""
    root, base = small.place.root, small.place.folder / DATABASE
    settings = root / "settings.json"
    shutil.copy(CASES / "79/settings.json", settings)
    (root / "t.jsonl").write_bytes((CASES / "12/t.jsonl").read_bytes())
    filler = fill(root)
    before = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (base, settings)]
    names = sorted(path.name for path in root.rglob("*"))
    for words in (("remember", "green belt"), ("harvest", "t.jsonl"), ("export", "entries", "out.jsonl")):
        done = run(root, *words)
        spooled = "kept in the spool" in done.stderr  # the failed write may have freed just enough for one line
        assert (
            done.returncode == (0 if spooled else 1) and "No space left" in done.stderr and str(root) in done.stderr
        ), (words, done)
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    hook = run(root, "hook", "session-start", "--client", "claude", text=json.dumps(payload))
    assert (hook.returncode, "belt" in hook.stdout) == (0, True)
    found = run(root, "search", "belt", "--json")
    assert (found.returncode, json.loads(found.stdout)["total"]) == (0, 200)
    assert [hashlib.sha256(path.read_bytes()).hexdigest() for path in (base, settings)] == before
    left = {path.name for path in root.rglob("*")} - set(names)
    assert not {name for name in left if name.endswith((".part", ".tmp")) or name == "out.jsonl"}, left
    with filler.open("r+b") as file:
        file.truncate(filler.stat().st_size - (1 << 20))
    assert run(root, "remember", "green belt").returncode == 0
    assert bodies(small) == ["green belt"]
    with closing(sqlite3.connect(base)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (200,)
