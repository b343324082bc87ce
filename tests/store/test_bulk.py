"""Many entries at once are the same entries as one by one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from curator.draft import Draft, draft
from curator.errors import Conflict
from curator.store import entries, index
from curator.store.bulk import New, insert_many
from curator.store.engine import Store
from tests.helpers import load_active

DRAFTS = [
    draft("", "Retry the upload twice, never five times", "lesson", None, ["net", "upload"], ["src/up.py:10"], "n-1"),
    draft("Ports", "开放端口 8080 给测试环境", "decision", None, ["ops"], (), "n-2"),
]


def contents(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything stored about entries, apart from the project's id."""
    tables = {
        name: list(SQLModel.metadata.tables[name].columns.keys()) for name in ("entry", "entry_label", "revision")
    }
    tables["entry_words"] = ["rowid", "entry_id", "title", "labels", "body"]
    out = {}
    with store.engine.connect() as connection:
        for name, columns in tables.items():
            kept = [column for column in columns if column not in {"project_id", "rowid"}]
            out[name] = [tuple(row) for row in connection.execute(text(f"SELECT {', '.join(kept)} FROM {name}"))]
    return {name: sorted(rows, key=repr) for name, rows in out.items()}


def test_bulk_and_single_insertion_make_the_same_rows(new_store: Callable[[Path], Store], tmp_path: Path) -> None:
    """Entries, labels, revisions and index rows do not differ by the way they were made."""
    one, many = new_store(tmp_path / "one"), new_store(tmp_path / "many")
    with one.write() as session:
        for each in DRAFTS:
            entries.insert(session, one.project_id, each, one.now(), reviewer="ann", decision=3, origin="human")
    with many.write() as session:
        new = [New(each, {"origin": "human"}) for each in DRAFTS]
        assert insert_many(session, many.project_id, new, many.now(), reviewer="ann", decision=3) == ["n-1", "n-2"]
    assert contents(one) == contents(many)


def test_an_id_that_exists_or_comes_twice_stops_the_whole(store: Store) -> None:
    """Nothing is written when an id is taken, in the store or within the call; the reason names it."""
    load_active(store, [{"id": "n-1", "kind": "lesson", "body": "first"}])
    again: list[Draft] = [draft("", "other", "lesson", entry_id=name) for name in ("n-7", "n-1", "n-7")]
    for new in (again[:2], [again[0], again[2]]):
        with pytest.raises(Conflict, match=r"n-[17]"), store.write() as session:
            insert_many(session, store.project_id, [New(each) for each in new], store.now())
    with store.read() as session:
        assert len(session.connection().execute(text("SELECT 1 FROM entry")).all()) == 1


def test_loaded_rows_are_found_and_keep_how_they_stand(store: Store) -> None:
    """The helper keeps id, state, times, pin and salience; an active row is found by its words, a tombstone is not."""
    rows = [
        {"id": "n-1", "kind": "lesson", "body": "green belt", "updated_at": "2031-01-02T00:00:00Z", "pinned": True},
        {"id": "n-2", "kind": "lesson", "body": "red belt", "status": "tombstoned", "reason": "gone", "salience": 0.4},
    ]
    assert load_active(store, rows) == ["n-1", "n-2"]
    with store.read() as session:
        found = index.match(session, store.project_id, [["belt"]], every=True)
        first, second = (entries.get(session, store.project_id, name) for name in ("n-1", "n-2"))
    assert [entry_id for entry_id, _ in found] == ["n-1"]
    assert (first.state, first.pinned, first.updated_at.isoformat()) == ("active", True, "2031-01-02T00:00:00+00:00")
    assert (second.state, second.reason, second.importance) == ("tombstoned", "gone", 0.4)
    assert first.tokens > 0
