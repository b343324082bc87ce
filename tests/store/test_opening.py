"""Opening is safe in both directions: older after a backup, newer and damaged refused untouched."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from curator.config import Settings
from curator.errors import Busy, CannotLook, CuratorError
from curator.place import Place
from curator.store import backup, condition, migrate, opening
from curator.store.engine import DATABASE, Store
from curator.store.opening import create_store, open_store
from tests.conftest import Clock
from tests.helpers import load_active

CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture
def five(store: Store) -> Store:
    """A store of five entries."""
    load_active(store, CASES / "77/export.jsonl")
    return store


def database(store: Store) -> Path:
    """Its file."""
    return store.place.folder / DATABASE


def settle(store: Store) -> None:
    """Everything in the one file."""
    with closing(sqlite3.connect(database(store))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def run(script: str, *words: str) -> None:
    """One of the cases' own scripts."""
    subprocess.run([sys.executable, str(CASES / script), *words], check=True, capture_output=True)


def digest(path: Path) -> str:
    """Of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def again(store: Store) -> Store | None:
    """Open it as a new process would."""
    return open_store(store.place, Settings(), store.now)


def attempts(store: Store) -> list[Callable[[], object]]:
    """To read it, and to write it."""
    return [lambda: again(store), lambda: create_store(store.place, Settings(), store.now)]


def names(store: Store) -> list[str]:
    """The entries' ids."""
    with store.read() as session:
        return [row[0] for row in session.connection().execute(text("SELECT entry_id FROM entry ORDER BY entry_id"))]


def test_case_76_a_newer_store_is_refused_with_both_versions(five: Store) -> None:
    """Both versions and what to do are said; no byte changes; nobody advises deleting."""
    run("76/bump.py", str(database(five)))
    settle(five)
    before = digest(database(five))
    for attempt in attempts(five):
        with pytest.raises(CannotLook) as caught:
            attempt()
        said = str(caught.value)
        assert "ffff99999999" in said and condition.HEAD in said and "upgrade curator" in said
        assert not {"delete", "remove", "restore", "erase"} & set(said.split())
    assert digest(database(five)) == before


@pytest.mark.parametrize("mode", ["empty-stamp", "no-stamp-table", "garbage-stamp", "truncated-file", "zero-length"])
def test_case_77_a_damaged_store_is_never_taken_for_a_fresh_one(five: Store, mode: str) -> None:
    """The reason names the file and the backup; nothing is written; restoring brings the entries back."""
    kept = backup.make(database(five), five.now(), condition.HEAD)
    settle(five)
    run("77/break.py", str(database(five)), mode)
    before = digest(database(five)) if mode != "zero-length" else ""
    for attempt in attempts(five):
        with pytest.raises(CannotLook) as caught:
            attempt()
        assert str(database(five)) in str(caught.value) and str(kept) in str(caught.value)
    assert not before or digest(database(five)) == before
    backup.put_back(kept, database(five), five.now())
    found = again(five)
    assert found is not None and len(names(found)) == 5


def test_case_77_a_deleted_database_is_missed_when_a_backup_is_there(five: Store) -> None:
    """Without the file the backup is named; an import may make a new store all the same."""
    kept = backup.make(database(five), five.now(), condition.HEAD)
    for path in five.place.folder.glob("curator.db*"):
        path.unlink()
    with pytest.raises(CannotLook, match="is missing") as caught:
        again(five)
    assert str(kept) in str(caught.value)
    made = create_store(five.place, Settings(), five.now, afresh=True)
    assert names(made) == []


def test_half_a_backup_of_a_killed_program_goes_with_the_next(five: Store) -> None:
    """What a dead process left is removed; what a living one is writing stays."""
    folder = backup.folder_of(database(five))
    folder.mkdir(exist_ok=True)
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    dead, living = (folder / f".curator-x.db.{pid}.part" for pid in (gone.pid, os.getpid()))
    journals = [part.with_name(f"{part.name}-journal") for part in (dead, living)]
    for part in (dead, living, *journals):
        part.touch()
    kept = backup.make(database(five), five.now(), condition.HEAD)
    assert kept.exists() and living.exists() and not dead.exists()
    assert [journal.exists() for journal in journals] == [False, True], "the journal goes with its half"


def test_an_empty_file_without_a_backup_is_no_store_yet(five: Store) -> None:
    """What a creation that was killed leaves behind is made again."""
    for path in five.place.folder.glob("curator.db*"):
        path.unlink()
    database(five).touch()
    assert again(five) is None
    assert names(create_store(five.place, Settings(), five.now)) == []


def test_up_and_down_keep_every_row(five: Store, clock: Clock) -> None:
    """An older schema is brought up on opening, after a backup that still has the older one; then down and up again."""
    migrate.downgrade(five.place.folder, "0001", clock)
    clock.at += timedelta(seconds=1)
    assert condition.examine(database(five)).version == "0001"
    found = again(five)
    assert found is not None and len(names(found)) == 5
    (notice,) = found.notices
    assert "from schema 0001" in notice
    older = backup.newest(database(five))
    assert older is not None and str(older) in notice
    with closing(sqlite3.connect(older)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert connection.execute("SELECT count(*) FROM entry").fetchone() == (5,)
    assert again(five) is not None and condition.examine(database(five)).version == condition.HEAD


def test_a_migration_that_fails_leaves_the_store_as_it_was(five: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row lost on the way up stops the migration; the older store is still there, whole."""
    migrate.downgrade(five.place.folder, "0001", five.now)
    real = command.upgrade

    def lossy(config: Config, revision: str) -> None:
        real(config, revision)
        config.attributes["connection"].execute(text("DELETE FROM revision"))

    monkeypatch.setattr(command, "upgrade", lossy)
    with pytest.raises(CuratorError, match="revision"):
        again(five)
    assert condition.examine(database(five)).version == "0001"
    with closing(sqlite3.connect(database(five))) as connection:
        assert connection.execute("SELECT count(*) FROM revision").fetchone() == (5,)


def test_the_known_versions_are_the_migrations() -> None:
    """The list stands in the order of the files."""
    found = sorted(path.name[:4] for path in (migrate.scripts() / "versions").glob("0*.py"))
    assert list(condition.KNOWN) == found


def test_rights_of_others_are_taken_away_and_said(five: Store) -> None:
    """A folder that others can read is closed when the store is opened for writing."""
    five.place.folder.chmod(0o755)
    opened = create_store(five.place, Settings(), five.now)
    assert five.place.folder.stat().st_mode & 0o077 == 0
    assert "could be read by others" in opened.notices[0]


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0 or not shutil.which("setpriv"), reason="needs setpriv as root")
def test_a_read_only_folder_can_be_read(five: Store) -> None:
    """A user without write access to the folder reads the entries and is told that nothing can be written."""
    settle(five)
    code = (
        "import sys; from pathlib import Path; from tests.store.test_opening import reader; reader(Path(sys.argv[1]))"
    )
    with tempfile.TemporaryDirectory() as above:  # pytest closes its own folders to other users again and again
        root = Path(above) / "shop"
        shutil.copytree(five.place.folder, root / ".curator", ignore=shutil.ignore_patterns("curator.db-*"))
        for path in (root.parent, root, *root.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        call = ["setpriv", "--reuid=65534", "--clear-groups", sys.executable, "-c", code, str(root)]
        done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.stdout == "5 read-only\n", done.stderr


def reader(root: Path) -> None:
    """What a reader without write access sees."""
    opened = open_store(Place(root, root), Settings(), Clock())
    assert opened is not None
    try:
        with opened.write():
            pass
    except CannotLook as error:
        sys.stdout.write(f"{len(names(opened))} {'read-only' if 'read-only' in str(error) else error}\n")


def test_a_network_file_system_is_recognised(tmp_path: Path) -> None:
    """The longest mount point above the folder decides; a local one inside a network one is local."""
    mounts = tmp_path / "mounts"
    here = tmp_path / "my store"
    (here / "local").mkdir(parents=True)
    escaped = str(here).replace(" ", "\\040")
    mounts.write_text(f"x / ext4 rw 0 0\nsrv:/a {escaped} nfs4 rw 0 0\ny {escaped}/local tmpfs rw 0 0\n")
    assert condition.on_network(here, mounts) == "nfs4"
    assert condition.on_network(here / "local", mounts) == ""
    assert condition.on_network(tmp_path, mounts) == ""


_CREATE = """
import sys; from pathlib import Path
from curator.config import Settings; from curator.edge.clock import now; from curator.place import Place
from curator.store.opening import create_store; from curator.store.tables import Fact
root = Path(sys.argv[1])
for number in range(25):
    store = create_store(Place(root, root, "", (root / ".curator").exists()), Settings(), now)
    with store.write() as session:
        session.add(Fact(project_id=store.project_id, key=f"{sys.argv[2]}-{number}", value={}, at=now()))
"""


@pytest.mark.slow
def test_case_44_eight_processes_make_one_store(tmp_path: Path) -> None:
    """8 processes × 25 writes begin on a store that does not exist: 200 rows, one project, no error."""
    calls = [[sys.executable, "-c", _CREATE, str(tmp_path), str(number)] for number in range(8)]
    running = [subprocess.Popen(call, stderr=subprocess.PIPE) for call in calls]
    assert [each.communicate()[1] for each in running] == [b""] * 8
    with closing(sqlite3.connect(tmp_path / ".curator" / DATABASE)) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT project_id) FROM fact").fetchone() == (200, 1)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert sorted(p.name for p in (tmp_path / ".curator").iterdir() if p.name.endswith(".part")) == []


def test_a_full_disk_changes_nothing_and_says_so(
    new_store: Callable[[Path], Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 79 without a mount: a database that may not grow refuses the write with reason and path and stays whole."""
    store = new_store(tmp_path / "shop")
    load_active(store, [{"id": f"n-{n}", "kind": "lesson", "body": f"belt {n}"} for n in range(20)])

    def load() -> None:
        with store.write() as session:
            pages = session.connection().exec_driver_sql("PRAGMA page_count").scalar_one()
            session.connection().exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            session.connection().exec_driver_sql(
                "INSERT INTO fact SELECT project_id, 'big', hex(randomblob(900000)), created_at FROM project"
            )

    with pytest.raises(CannotLook, match="No space left on device") as caught:
        load()
    assert str(database(store)) in str(caught.value)
    assert len(names(store)) == 20
    with closing(sqlite3.connect(database(store))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    load_active(store, [{"id": "n-99", "kind": "lesson", "body": "room again"}])
    assert len(names(store)) == 21


def test_a_store_that_is_locked_as_a_whole_is_not_called_damaged(five: Store) -> None:
    """While another program holds the file for itself the reason says so, and nothing about backups."""
    with closing(sqlite3.connect(database(five), isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(condition, "BUSY_SECONDS", 0.1)
            with pytest.raises(Busy, match="locked") as caught:
                again(five)
    assert "restore" not in str(caught.value)


def test_on_a_network_file_system_a_rollback_journal_is_used_and_that_is_said(
    five: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new store says so and has no log beside it; one that was moved there gives its log up with the next write."""
    for module in (opening, migrate):
        monkeypatch.setattr(module, "on_network", lambda folder: "nfs4")
    new = tmp_path / "new"
    made = create_store(Place(new, new, "", False), Settings(), five.now)
    assert "nfs4" in made.notices[-1] and "one machine at a time" in made.notices[-1]
    moved = again(five)
    assert moved is not None
    load_active(moved, [{"id": "n-9", "kind": "lesson", "body": "green belt"}])
    for path in (database(made), database(five)):
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert len(names(moved)) == 6
