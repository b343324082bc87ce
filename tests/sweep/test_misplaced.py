"""Entries in the wrong one of the two stores, and what the person had to say again, become proposals."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curator.draft import draft
from curator.harvest.noting import Heard, note
from curator.interchange.entries import import_entries
from curator.ledger.values import Shown
from curator.store.engine import Store
from curator.store.tables import Receipt, Record, Session
from curator.sweep.classify import classify
from curator.vocab import Kind, Origin
from tests.conftest import Clock
from tests.helpers import load_active
from tests.sweep.helpers import COUNT, accept_all, desk, entries, noted, notes, proposals, swept

DESIGN = (
    "## Comparison of message brokers\nWe evaluated Kafka, NATS and RabbitMQ for the ingest path. Kafka: 1.2M msg/s,"
    " NATS: 800k msg/s. We decided to adopt NATS instead of Kafka. Alternatives considered: Redis streams."
    " Consequences: one more service to run. Status: accepted."
)
RULE = (
    "Never set a ticket to done by yourself. Why: the user was annoyed twice when tickets were closed before a test."
    " How to apply: wait until the user confirms."
)
LIKELY = (
    "When the build fails with ENOSPC, always clear the cache first: never delete the lock file by hand, or the next"
    " build fails too."
)


def _entry(number: int, kind: str, body: str, **more: object) -> dict[str, object]:
    return {"id": f"m-{number:03d}", "kind": kind, "body": body, "created_at": "2031-01-10T00:00:00Z"} | more


def _typed(store: Store, text: str, at: datetime, session_id: str, kind: Kind | None = None) -> None:
    """The person types a text in a session: record, note and sighting, as a harvest makes them."""
    with store.write() as session:
        session.add(Session(project_id=store.project_id, session_id=session_id, client="claude"))
        session.flush()
        row = Record(project_id=store.project_id, session_id=session_id, seq=1, kind="input", text=text, at=at)
        row.typed, row.origin, row.source_id = "typed", "human", f"u-{session_id}"
        session.add(row)
        source = {"session": session_id, "seqs": [1]}
        heard = Heard(text, Origin.HUMAN, session_id, kind, kind is not None, source=source, said_at=at)
        note(session, store.project_id, heard, 65_536, store.now())


@pytest.mark.parametrize(
    ("kind", "body", "to"),
    [("lesson", f"decision: {DESIGN}", "deferred"), ("research", RULE, "injected")],
    ids=["by its marker", "by its text"],
)
def test_an_entry_that_surely_reads_as_of_the_other_store_is_rerouted(
    store: Store, kind: str, body: str, to: str
) -> None:
    """An import's mistaken kind becomes one proposal that moves the entry; accepted it rests, the text unchanged."""
    load_active(store, [_entry(1, kind, body, source="import")])
    swept(store)
    (made,) = proposals(store)
    assert (made.op, made.route, made.after[0]["route"]) == ("reroute", to, to)
    assert "it reads as" in made.reason or "its text begins with 'decision'" in made.reason
    assert made.evidence and made.confidence >= 0.9 and (made.token_effect > 0) == (to == "injected")
    accept_all(store)
    (entry,) = entries(store)
    assert (entry.entry_id, entry.route, entry.body) == ("m-001", to, body)
    assert swept(store).proposals == ()


@pytest.mark.parametrize(("kind", "body"), [("lesson", DESIGN), ("research", LIKELY)])
def test_an_entry_that_only_likely_reads_as_of_the_other_store_stays(store: Store, kind: str, body: str) -> None:
    """The kind that a file's owner gave is worth more than a reading that is right nineteen times in twenty."""
    load_active(store, [_entry(1, kind, body, source="import")])
    assert classify(body).confidence >= 0.9 and classify(body).route is not Kind(kind).route
    assert swept(store).proposals == ()


def test_a_kind_that_a_person_chose_is_never_doubted_by_the_text(store: Store) -> None:
    """An import's kind that the person changed by hand stands, however surely the text reads otherwise."""
    load_active(store, [_entry(1, "lesson", RULE, source="import")])
    the_desk = desk(store)
    (entry,) = entries(store)
    the_desk.edit("m-001", entry.rev, draft("", RULE, Kind.RESEARCH, None, (), (), "m-001"))
    assert entries(store)[0].kind == "research" and classify(RULE).confidence >= 0.99
    assert swept(store).proposals == ()


def test_a_persons_own_word_on_a_kind_and_a_refusal_stand(store: Store) -> None:
    """What a person marked is not doubted by its text; a refused move is not proposed again."""
    noted(store, f"lesson: {DESIGN}")
    swept(store)
    accept_all(store)
    assert swept(store).proposals == ()
    load_active(store, [_entry(1, "research", RULE, source="import") | {"updated_at": "2031-03-06T00:00:00Z"}])
    swept(store)
    (row,) = proposals(store, "open")
    desk(store).reject([Shown(row.proposal_id, row.rev)], "wrong")
    assert swept(store).proposals == () and len(entries(store)) == 2
    noted(store, f"research: {RULE}")
    assert swept(store).proposals == () and notes(store)[RULE] == "seen"


def test_an_agents_marked_note_that_a_person_approved_stays_where_it_is(store: Store) -> None:
    """What came through a sweep and a review here is not doubted by its text, whoever wrote it."""
    noted(store, f"lesson: {DESIGN}", origin=Origin.AGENT)
    swept(store)
    accept_all(store)
    (entry,) = entries(store)
    assert entry.route == "injected" and swept(store).proposals == ()


def test_a_deferred_entry_that_the_person_corrects_is_rerouted(store: Store, clock: Clock) -> None:
    """Kept as research, then said by the person as a correction: one proposal moves it to what starts hand over."""
    load_active(store, [_entry(1, "research", "The export job needs the vpn profile of the office.")])
    _typed(store, "The export job needs the vpn profile of the office.", clock.at, "s9", Kind.CORRECTION)
    swept(store)
    (made,) = proposals(store)
    assert (made.op, made.kind, made.route) == ("reroute", "correction", "injected")
    assert made.evidence[0]["speaker"] == "you" and made.evidence[0]["session"] == "s9"
    accept_all(store)
    assert [(e.kind, e.route) for e in entries(store)] == [("correction", "injected")]
    assert swept(store).proposals == ()


def test_a_deferred_entry_that_the_person_says_again_is_rerouted(store: Store, clock: Clock) -> None:
    """Said again in a later session without any mark, it belongs where a start hands it over."""
    load_active(store, [_entry(1, "decision", "Invoices are numbered by the ledger service alone.")])
    _typed(store, "Invoices are numbered by the ledger service alone.", clock.at, "s9")
    swept(store)
    (made,) = proposals(store)
    assert made.op == "reroute" and "you said it again on 2031-03-05" in made.reason
    assert made.evidence[0]["string"].startswith("Invoices are numbered")
    assert swept(store).proposals == ()


@pytest.mark.parametrize(("kind", "op"), [("lesson", "update"), ("correction", "relabel")])
def test_a_correction_made_again_although_handed_over_is_proposed(
    store: Store, clock: Clock, kind: str, op: str
) -> None:
    """The session was handed the entry and the person had to say it again: one proposal, quoting both."""
    body = "Commit messages are written in the imperative mood."
    load_active(store, [_entry(1, kind, body)])
    _receipt(store, "s9", datetime(2031, 3, 4, 9, tzinfo=UTC))
    _typed(store, body, datetime(2031, 3, 4, 10, tzinfo=UTC), "s9")
    from curator.snapshot.evidence import judge

    assert judge(store) == 1
    swept(store)
    (made,) = proposals(store)
    assert made.op == op and made.after[0]["kind"] == "correction" and "corrected this again" in made.reason
    assert [item["speaker"] for item in made.evidence] == ["you", "memory"]
    clock.at = clock.at.replace(hour=13)
    accept_all(store)
    assert judge(store) == 0 and swept(store).proposals == ()


def test_what_was_handed_over_and_not_corrected_makes_no_proposal(store: Store) -> None:
    """Being injected, or cited by the agent, proposes and raises nothing."""
    load_active(store, [_entry(1, "lesson", "Commit messages are written in the imperative mood.")])
    _receipt(store, "s9", datetime(2031, 3, 4, 9, tzinfo=UTC))
    from curator.snapshot.evidence import judge

    judge(store)
    assert swept(store).proposals == ()


def _receipt(store: Store, session_id: str, at: datetime) -> None:
    with store.write() as session:
        row = Receipt(project_id=store.project_id, receipt_id=f"r-{session_id}", session_id=session_id, at=at)
        row.digest, row.entries = "d", [{"entry_id": "m-001", "rev": 1}]
        session.add(row)


def test_an_import_with_old_times_is_compared_with_the_store(store: Store, tmp_path: Path) -> None:
    """Accepted after a sweep, entries whose own times are long past are still looked at once."""
    load_active(store, [_entry(1, "lesson", "Do not commit generated files.") | {"updated_at": "2031-02-01T00:00:00Z"}])
    swept(store)
    file = tmp_path / "old.jsonl"
    row = _entry(2, "lesson", "Never commit generated files.") | {"created_at": "2029-01-01T00:00:00Z"}
    file.write_text(json.dumps(row) + "\n")
    import_entries(store, file, COUNT)
    accept_all(store)
    assert [p["op"] for p in swept(store).proposals] == ["merge"]
    accept_all(store)
    assert swept(store).proposals == () and len(entries(store)) == 1
