"""The engine settings matter: in one race the usual ones lose and fail, ours do not; and readers change nothing."""

import hashlib
import multiprocessing
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError

from curator.errors import Busy
from curator.recall.search import search
from curator.recall.values import Query
from curator.store.engine import DATABASE, Store, sqlite_engine
from tests.helpers import load_active

FORK = multiprocessing.get_context("fork")
PROCESSES, TIMES = 4, 25


def usual(path: Path) -> Engine:
    """SQLAlchemy as it comes: the driver begins when something is written, after what was read."""
    return create_engine(f"sqlite:///{path}")


def deferred(path: Path) -> Engine:
    """With the transaction begun before the read, but as SQLite begins one, and without waiting."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"isolation_level": None, "timeout": 0})
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def ours(path: Path) -> Engine:
    """As the product opens a store to write."""
    return sqlite_engine(path).execution_options(curator_write=True)


def count_up(path: Path, which: str, start: Barrier) -> None:
    """Read, think for a millisecond, write one more; an error is noted and not tried again."""
    engine: Engine = {"usual": usual, "deferred": deferred, "ours": ours}[which](path)
    start.wait()
    for _ in range(TIMES):
        try:
            with engine.begin() as connection:
                number = connection.execute(text("SELECT number FROM count")).scalar_one()
                time.sleep(0.001)
                connection.execute(text("UPDATE count SET number = :number"), {"number": number + 1})
        except OperationalError as error:
            with path.with_suffix(".errors").open("a") as file:
                file.write(f"{error.orig}\n")


def raced(path: Path, which: str) -> tuple[int, int]:
    """Writes that were acknowledged and are not there, and writes that failed."""
    with closing(sqlite3.connect(path)) as base:
        base.executescript("PRAGMA journal_mode = WAL; CREATE TABLE count (number); INSERT INTO count VALUES (0)")
    start = FORK.Barrier(PROCESSES)
    found = [FORK.Process(target=count_up, args=(path, which, start)) for _ in range(PROCESSES)]
    for each in found:
        each.start()
    for each in found:
        each.join()
        assert each.exitcode == 0
    errors = path.with_suffix(".errors")
    failed = len(errors.read_text().splitlines()) if errors.exists() else 0
    with closing(sqlite3.connect(path)) as base:
        (number,) = base.execute("SELECT number FROM count").fetchone()
    return PROCESSES * TIMES - failed - number, failed


def test_the_usual_settings_lose_writes_and_ours_do_not(tmp_path: Path) -> None:
    """Four processes count one number up: as SQLAlchemy comes many are lost, deferred they fail; ours all count."""
    lost, _ = raced(tmp_path / "usual.db", "usual")
    assert lost > 0
    _, failed = raced(tmp_path / "deferred.db", "deferred")
    assert failed > 0
    assert raced(tmp_path / "ours.db", "ours") == (0, 0)


def test_a_command_that_reads_leaves_the_files_as_they_are(store: Store) -> None:
    """A writer died and left its log: reading finds what it wrote and moves not one byte of it into the database."""
    path = store.place.folder / DATABASE
    load_active(store, [{"id": "n-1", "kind": "lesson", "body": "green belt"}])
    crash = f"import os, sqlite3; c = sqlite3.connect({str(path)!r}); c.execute(\"UPDATE entry SET title = 'red'\"); "
    subprocess.run([sys.executable, "-c", crash + "c.commit(); os._exit(0)"], check=True)

    def digests() -> list[str]:
        files = (path, path.with_name(path.name + "-wal"))
        return [hashlib.sha256(each.read_bytes()).hexdigest() for each in files]

    before = digests()
    assert [hit.title for hit in search(store, Query("belt")).hits] == ["red"]
    assert digests() == before


def test_nothing_can_be_written_while_reading(store: Store) -> None:
    """What reads has no right to write: a mistake in the program is an error, not a lost change."""
    with pytest.raises(Busy, match="readonly"), store.read() as session:
        session.connection().execute(text("UPDATE project SET name = 'x'"))


def test_a_view_stays_what_it_was_while_others_write(store: Store) -> None:
    """Two questions of one read see one state, although a write ended in between."""
    with store.read() as session:
        before = session.connection().execute(text("SELECT count(*) FROM entry")).scalar_one()
        load_active(store, [{"id": "n-1", "kind": "lesson", "body": "green belt"}])
        assert session.connection().execute(text("SELECT count(*) FROM entry")).scalar_one() == before
