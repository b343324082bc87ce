"""Proposals are numbered without gaps, and an entry has at most one that waits."""

from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from curator.store import proposals
from curator.store.engine import Store
from curator.store.tables import Proposal


def row(store: Store, *targets: str, **more: Any) -> dict[str, Any]:
    """The columns of a small proposal."""
    return {
        "op": "update",
        "targets": [{"entry_id": target, "rev": 1, "content_hash": ""} for target in targets],
        "created_at": store.now(),
        **more,
    }


def test_numbers_count_up_across_calls(store: Store) -> None:
    """Ids follow each other; what waits is known by entry and by fingerprint, what was decided is not."""
    with store.write() as session:
        assert proposals.add_many(session, store.project_id, [row(store, "m-1", fingerprint="f1")]) == ["P-0001"]
        more = [row(store, "m-2", fingerprint="f2"), row(store, fingerprint="f3", state="rejected")]
        assert proposals.add_many(session, store.project_id, more) == ["P-0002", "P-0003"]
        assert proposals.add_many(session, store.project_id, []) == []
    with store.read() as session:
        assert proposals.held(session, store.project_id) == {"m-1": "P-0001", "m-2": "P-0002"}
        assert proposals.waiting_fingerprints(session, store.project_id) == {"f1": "P-0001", "f2": "P-0002"}


def test_a_second_proposal_for_an_entry_is_refused_by_the_key(store: Store) -> None:
    """The database itself keeps the rule, and nothing of the attempt stays."""
    with pytest.raises(IntegrityError), store.write() as session:
        proposals.add_many(session, store.project_id, [row(store, "m-1"), row(store, "m-1")])
    with store.read() as session:
        assert session.get(Proposal, (store.project_id, "P-0001")) is None
