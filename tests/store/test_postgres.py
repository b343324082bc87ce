"""A team's server: the same memory, the same bytes, one writer at a time, and a way there and back."""

import contextlib
import multiprocessing
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlmodel import SQLModel

from curator.__main__ import main
from curator.config import Settings
from curator.desk.desk import Desk
from curator.desk.views import Filter, Shown
from curator.edge.tokens import tokens
from curator.errors import Busy, CannotLook, Conflict, CuratorError
from curator.interchange.outgoing import export_entries
from curator.place import Place
from curator.recall.search import search
from curator.recall.values import Query
from curator.store import migrate
from curator.store.condition import HEAD
from curator.store.engine import Store, postgres_engine
from curator.store.opening import create_store, open_store
from curator.store.search import Filters
from curator.store.server import stamp
from curator.vocab import Origin
from tests.conftest import REPOSITORY, Clock
from tests.desk.conftest import key
from tests.desk.helpers import desk_on, lesson, propose
from tests.helpers import load_active
from tests.postgres import Server

__all__ = ["key"]

pytestmark = pytest.mark.postgres

ROWS: list[dict[str, Any]] = [
    {
        "id": "n-B",
        "kind": "lesson",
        "title": "Überall",
        "body": "Die Größe steht in limits.toml.",
        "labels": ["b", "A"],
    },
    {"id": "n-a", "kind": "decision", "body": "开放端口 8080 给测试环境", "labels": ["kb"]},
    {"id": "n-Z", "kind": "lesson", "body": "100% of C++ builds use [ccache]_v2.", "pinned": True},
    {"id": "n-_", "kind": "pattern", "body": "Retry the upload twice.", "status": "tombstoned", "reason": "gone"},
]


@pytest.fixture
def shop(server: Server, tmp_path: Path, clock: Clock) -> Iterator[Store]:
    """An empty store on the server."""
    root = tmp_path / "shop"
    store = create_store(Place(root, root, "", False), Settings(database_url=server.database()), clock)
    yield store
    store.engine.dispose()


def hits(store: Store, words: str, filters: Filters = Filters()) -> list[str]:  # noqa: B008 - a frozen value
    """Ids that a search finds."""
    return sorted(hit.entry_id for hit in search(store, Query(words, filters)).hits)


def test_the_same_entries_are_found_and_exported_as_in_sqlite(
    shop: Store, new_store: Callable[[Path], Store], tmp_path: Path
) -> None:
    """Words of every script, signs, filters, and the export to the last byte, although the server sorts in English."""
    here = new_store(tmp_path / "here")
    for store in (shop, here):
        load_active(store, ROWS)
    assert list(export_entries(shop)) == list(export_entries(here))
    with shop.read() as session:
        order = session.connection().execute(text("SELECT entry_id FROM entry ORDER BY entry_id")).scalars().all()
    assert order == ["n-B", "n-Z", "n-_", "n-a"]
    cases = [
        "größe",
        "端口",
        "试",
        "C++",
        "[ccache]_v2",
        "100%",
        "8080 端口",
        "upload",
        "AND",
        "'; --",
        "ccache builds",
    ]
    for words in cases:
        assert hits(shop, words) == hits(here, words), words
    assert hits(shop, "端口") == ["n-a"] and hits(shop, "c++") == ["n-Z"]
    narrowed = Filters(states=("active", "tombstoned"), labels=("A",), contains="LIMITS")
    assert hits(shop, "größe", narrowed) == ["n-B"] == hits(here, "größe", narrowed)


def test_a_word_of_any_length_is_indexed_and_found(shop: Store) -> None:
    """A token or a path of thousands of characters is stored like any text, and found by itself."""
    long = "x" * 3_000 + "'\\"
    load_active(shop, [{"id": "n-long", "kind": "lesson", "body": f"The fixture is {long} and 长{'字' * 2_500}."}])
    assert hits(shop, "fixture") == hits(shop, long) == hits(shop, "长字") == ["n-long"]


def test_decisions_and_undo_do_the_same(shop: Store) -> None:
    """Accept, an edit between showing and accepting, undo: as on a file."""
    load_active(shop, ROWS[:1])
    shown = propose(shop, "add", after=[lesson("Use pnpm.")])
    desk = desk_on(shop)
    assert desk.accept([shown]).complete
    assert hits(shop, "pnpm") != []
    entry = desk.entry("n-B")
    assert desk.edit("n-B", entry.rev, lesson("The size is 20.", entry_id="n-B")).complete
    with pytest.raises(Conflict, match="changed since it was shown"):
        desk.edit("n-B", entry.rev, lesson("The size is 30.", entry_id="n-B"))
    assert desk.undo().complete and desk.undo().complete
    assert hits(shop, "pnpm") == [] and hits(shop, "größe") == ["n-B"]
    assert next(line.verb for line in desk.log(10)) == "undo"


def test_up_and_down_keep_every_row_on_a_server(shop: Store, clock: Clock) -> None:
    """To the first schema and back: the same export, the newest stamp, and a newer one is refused untouched."""
    load_active(shop, ROWS)
    before = list(export_entries(shop))
    migrate.downgrade_server(shop.engine, "0001")
    assert stamp(shop.engine) == "0001"
    again = open_store(shop.place, shop.settings, clock)
    assert again is not None and list(export_entries(again)) == before and stamp(shop.engine) == HEAD
    with shop.write() as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = 'ffff9999'"))
    with pytest.raises(CannotLook, match=f"ffff9999.*{HEAD}.*upgrade curator"):
        open_store(shop.place, shop.settings, clock)
    again.engine.dispose()


def test_a_migration_that_fails_on_a_server_changes_nothing(shop: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row lost on the way stops it; rows and stamp are as they were."""
    load_active(shop, ROWS)
    migrate.downgrade_server(shop.engine, "0001")
    real = migrate.counts
    calls = iter(range(9))
    monkeypatch.setattr(migrate, "counts", lambda connection: real(connection) | {"entry": 4 - next(calls)})
    with pytest.raises(CuratorError, match="entry"):
        migrate.upgrade_server(shop.engine)
    assert stamp(shop.engine) == "0001"


def test_two_projects_share_a_server_and_nothing_else(server: Server, tmp_path: Path, clock: Clock) -> None:
    """Each sees its own; a project that the server does not hold reads as nothing stored, and nothing is made."""
    url = server.database()
    settings = Settings(database_url=url)
    places = [Place(tmp_path / name, tmp_path / name, "", False) for name in ("one", "two")]
    with postgres_engine(url).connect() as connection:
        assert connection.execute(text("SELECT to_regclass('entry')")).scalar_one() is None
    one, two = (create_store(place, settings, clock) for place in places)
    load_active(one, ROWS)
    assert list(export_entries(two)) == [] and hits(two, "größe") == []
    load_active(two, ROWS[:1])
    assert len(list(export_entries(one))) == 4
    (tmp_path / "two/.curator/config.toml").write_text('project_id = "another"\n')
    assert open_store(places[1]._replace(found=True), settings, clock) is None
    for store in (one, two):
        store.engine.dispose()


def test_a_view_stays_what_it_was_and_cannot_write(shop: Store) -> None:
    """Two questions of one read see one state although a write ended in between; a write in a read is an error."""
    with shop.read() as session:
        count = select(func.count()).select_from(SQLModel.metadata.tables["entry"])
        before = session.connection().execute(count).scalar_one()
        load_active(shop, ROWS)
        assert session.connection().execute(count).scalar_one() == before
    with pytest.raises(Exception, match="read-only"), shop.read() as session:
        session.connection().execute(text("DELETE FROM entry"))


def raced(url: str, root: Path, name: str) -> None:
    """One of several persons who accept, remember and read at once."""
    from curator.edge.clock import now
    from curator.harvest.remembering import Handed, remember

    store = open_store(Place(root, root), Settings(database_url=url), now)
    assert store is not None
    desk = Desk(store, tokens(), name)
    for number in range(10):
        remember(store, Handed(f"lesson: {name} fact {number}"), Origin.HUMAN)
    while rows := desk.queue(Filter()).rows:
        with contextlib.suppress(Conflict):  # another was faster
            desk.accept([Shown(rows[0].proposal_id, rows[0].rev)])
    store.engine.dispose()


def test_racing_writers_lose_nothing_and_do_nothing_twice(shop: Store) -> None:
    """Four processes note and accept the same queue: every note is there, every proposal is applied once, in order."""
    for number in range(12):
        propose(shop, "add", after=[lesson(f"Fact number {number} stands.")])
    fork = multiprocessing.get_context("spawn")
    call = (shop.settings.database_url, shop.place.root)
    running = [fork.Process(target=raced, args=(*call, name)) for name in ("ann", "ben", "cyd", "dan")]
    for each in running:
        each.start()
    for each in running:
        each.join()
        assert each.exitcode == 0
    with shop.read() as session:
        connection = session.connection()
        assert connection.execute(text("SELECT count(*) FROM note")).scalar_one() == 40
        assert connection.execute(text("SELECT count(*), count(DISTINCT title) FROM entry")).one() == (12, 12)
        assert connection.execute(text("SELECT count(*) FROM proposal WHERE state = 'accepted'")).scalar_one() == 12


def test_a_writer_waits_for_its_turn_in_bounded_time(shop: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds the turn makes the others wait; when it does not come, that is said, and nothing is written."""
    monkeypatch.setattr("curator.store.engine.TURN_SECONDS", 0.2)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with shop.write():
            held.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(10)
    with pytest.raises(Busy, match="could not be written"):
        load_active(shop, ROWS)
    done.set()
    holder.join()
    assert len(load_active(shop, ROWS)) == 4


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://x/y", "must begin with postgresql://"),
        ("postgresql://u@h:port/x", "could not be read"),
        ("postgresql://u@/x?host=/nowhere", "could not be reached"),
    ],
)
def test_a_server_that_cannot_be_used_is_one_line(tmp_path: Path, clock: Clock, url: str, said: str) -> None:
    """A wrong URL and a server that is not there are named, without password."""
    with pytest.raises(CannotLook, match=said) as caught:
        create_store(Place(tmp_path, tmp_path, "", False), Settings(database_url=url), clock)
    assert "\n" not in str(caught.value)


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command as a process."""
    call = [sys.executable, "-m", "curator", *words]
    return subprocess.run(call, cwd=cwd, capture_output=True, text=True, check=False)


def test_a_store_moves_to_a_server_and_back(
    server: Server, store: Store, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every table is counted, the export is the same byte for byte on both, and a project that is there is refused."""
    root, url = store.place.root, server.database()
    load_active(store, ROWS)
    assert main(["-C", str(root), "remember", "lesson: Ports are listed in ports.txt."]) == 0
    assert main(["-C", str(root), "sweep"]) == 0
    assert main(["-C", str(root), "accept", "--all"]) == 0
    assert main(["-C", str(root), "harvest", str(REPOSITORY / "curator/demo/conversation.jsonl")]) == 0
    before = list(export_entries(store))
    capsys.readouterr()
    assert main(["-C", str(root), "db", "migrate-to", url]) == 0
    moved = capsys.readouterr()
    assert "       5  entry\n" in moved.out and "backups/curator-" in moved.err
    assert not (root / ".curator/curator.db").exists()
    done = run("export", "entries", cwd=root)
    assert (done.returncode, done.stdout.encode(), done.stderr) == (0, b"".join(before), "")
    for words in (["search", "ports.txt"], ["status"], ["notes"], ["proposals"], ["db", "check"]):
        done = run(*words, cwd=root)
        assert (done.returncode, done.stderr) == (0, ""), words
    assert main(["-C", str(root), "undo"]) == 0
    assert main(["-C", str(root), "db", "migrate-to", url]) == 2
    capsys.readouterr()
    assert main(["-C", str(root), "db", "migrate-to", "sqlite"]) == 0
    assert "database_url" not in (root / ".curator/config.toml").read_text()
    back = run("export", "entries", cwd=root).stdout.encode().splitlines(keepends=True)
    assert back == [line for line in before if b"ports.txt" not in line]
    capsys.readouterr()
    assert main(["-C", str(root), "db", "migrate-to", url]) == 1
    assert "holds rows of this project already" in capsys.readouterr().err
    assert run("db", "check", cwd=root).returncode == 0
