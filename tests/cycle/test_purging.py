"""Private data goes everywhere it stands: tables, history, index, proposals, files, free pages, the log."""

import sqlite3
from pathlib import Path

import pytest
from sqlmodel import select

from curator.cycle import purging
from curator.door import fingerprint
from curator.edge.tokens import tokens
from curator.errors import BadUsage, NotFound
from curator.harvest.book import notes, rows
from curator.harvest.files import harvest_file
from curator.harvest.noting import Outcome
from curator.harvest.remembering import Handed, remember
from curator.snapshot import refresh
from curator.store import index
from curator.store.engine import Store
from curator.store.tables import Cursor, Decision, Entry, Note, Proposal, Revision, Vector
from curator.store.words import query_words
from curator.vocab import Origin
from tests.helpers import load_active, rows_of

CASES = Path(__file__).parent.parent / "cases"
SECRET = "gl" + "pat-FAKEFAKEFAKE98765432"
S = "5e550000-0000-4000-8000-000000000001"
WHO = {"reviewer": "test", "via": "key"}


def anywhere(store: Store, text: str) -> list[str]:
    """Files of the store's folder that hold the bytes."""
    return [p.name for p in store.place.folder.rglob("*") if p.is_file() and text.encode() in p.read_bytes()]


def filled(store: Store) -> None:
    """The two notes of case 37 as entries, a proposal that quotes one, a vector, a note, and a backup."""
    lines = [
        {**row, "body": str(row["body"]).replace("{~}", ""), "title": str(row["title"]).replace("{~}", "")}
        for row in rows_of(CASES / "37/note.jsonl")
    ]
    load_active(store, lines)
    remember(store, Handed(f"the bot uses {SECRET} today"), Origin.HUMAN, keep_secrets=True)
    with store.write() as session:
        entry = session.get(Entry, (store.project_id, "n-001"))
        assert entry is not None and SECRET in entry.body
        digest = entry.content_hash
        session.add(Vector(project_id=store.project_id, model="m", content_hash=digest, dim=1, data=b"1234"))
        session.add(
            Proposal(
                project_id=store.project_id,
                proposal_id="P-0001",
                op="merge",
                targets=[{"entry_id": "n-001", "rev": 1, "content_hash": digest}],
                before=[{"body": entry.body}],
                after=[{"body": f"{entry.body}; rotates monthly"}],
                evidence=[{"string": entry.body}],
                created_at=store.now(),
            )
        )
    refresh(store)
    backups = store.place.folder / "backups"
    backups.mkdir()
    with sqlite3.connect(store.place.folder / "curator.db") as source, sqlite3.connect(backups / "old.db") as target:
        source.backup(target)
    source.close()
    target.close()
    (store.place.folder / "export.jsonl").write_text(f'{{"body": "token is {SECRET}"}}\n')


def test_case_37_a_value_is_gone_from_every_copy(store: Store) -> None:
    """No file holds the value, no search finds it, and the ledger says only that it happened."""
    filled(store)
    assert {"old.db", "snapshot.json", "export.jsonl"} <= set(anywhere(store, SECRET))
    done = purging.value(store, SECRET, **WHO)
    refresh(store)
    assert anywhere(store, SECRET) == []
    assert (done.backups, done.trouble) == (1, [])
    with store.read() as session:
        entry = session.get(Entry, (store.project_id, "n-001"))
        assert entry is not None and entry.body == "lesson: bot token is [purged] for now"
        proposal = session.exec(select(Proposal)).one()
        assert proposal.targets[0]["content_hash"] == entry.content_hash
        assert entry.fingerprint == fingerprint(entry.body)
        assert session.exec(select(Vector)).all() == []
        parts = query_words(SECRET)
        assert index.match(session, store.project_id, parts, every=True) == []
        decision = session.exec(select(Decision)).one()
    assert (decision.verb, SECRET in decision.reason) == ("purge", False)
    with pytest.raises(BadUsage):
        purging.value(store, "a", **WHO)


def test_an_entry_goes_with_all_that_quotes_it(store: Store) -> None:
    """By id: entry, revisions, proposals, notes of the same text and quotations; other entries stay as they are."""
    filled(store)
    purging.items(store, ["n-001"], **WHO)
    refresh(store)
    assert anywhere(store, "bot token is") == []
    with store.read() as session:
        assert [row.entry_id for row in session.exec(select(Entry))] == ["n-002"]
        assert {row.entry_id for row in session.exec(select(Revision))} == {"n-002"}
        assert session.exec(select(Proposal)).all() == []
    with pytest.raises(NotFound):
        purging.items(store, ["n-001"], **WHO)


def test_a_conversation_goes_and_does_not_come_back(store: Store) -> None:
    """By session: rows, notes and their text; reading the client's file again brings nothing back."""
    count = tokens().count
    harvest_file(store, CASES / "21/t.jsonl", count)
    harvest_file(store, CASES / "20/fork.jsonl", count)
    purging.session(store, S, **WHO)
    assert {row.session for row in rows(store)} == {"5e550000-0000-4000-8000-0000000000f0"}
    assert [note.body for note in notes(store)] == ["fork-only fact"]
    assert anywhere(store, "smoke test") == []
    with store.write() as session:
        for cursor in session.exec(select(Cursor)).all():
            session.delete(cursor)
    again = harvest_file(store, CASES / "21/t.jsonl", count)
    assert (again.rows, again.outcomes.get(Outcome.NEW, 0)) == (0, 0)
    with store.read() as session:
        assert len(session.exec(select(Note)).all()) == 1
