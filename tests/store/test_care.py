"""A store is looked after: what is derived can be checked and built anew."""

import sqlite3
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.store.engine import DATABASE, Store
from tests.helpers import load_active

ROWS = [{"id": f"n-{n:03}", "kind": "lesson", "title": f"lesson {n}", "body": f"body of {n}"} for n in range(5)]


def test_an_index_out_of_step_is_found_and_built_anew(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """`db check` names the fault and its command; after `db reindex` search finds all again."""
    load_active(store, ROWS)
    root = str(store.place.root)
    with sqlite3.connect(Path(store.place.folder) / DATABASE) as connection:
        connection.execute("DELETE FROM entry_words WHERE rowid IN (SELECT rowid FROM entry_words LIMIT 3)")
    connection.close()
    assert main(["-C", root, "db", "check"]) == 1
    assert "2 of 5 entries; `curator db reindex` mends it" in capsys.readouterr().err
    assert main(["-C", root, "db", "reindex"]) == 0
    assert main(["-C", root, "db", "check"]) == 0
