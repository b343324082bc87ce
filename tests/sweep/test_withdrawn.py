"""What a person takes back leaves the memory by a proposal; nobody else's words do, nor what only sounds like it."""

import pytest

from curator.store.engine import Store
from curator.sweep.withdrawn import withdrawal
from curator.vocab import Origin
from tests.sweep.helpers import accept_all, entries, noted, proposals, swept

STAGING = "lesson: the staging config is config/staging.yaml, read it before a deploy"
MAILS = "lesson: 给会员的邮件一律用“您”，不要用“你”"


def _kept(store: Store, *texts: str) -> None:
    noted(store, *texts)
    swept(store)
    accept_all(store)
    assert len(entries(store)) == len(texts)


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        (STAGING, "Forget the rule about the staging config in config/staging.yaml, please."),
        (STAGING, "The note that the staging config is config/staging.yaml no longer holds."),
        (MAILS, "之前说的给会员的邮件用“您”的规则作废。"),
    ],
    ids=["forget", "no-longer", "chinese"],
)
def test_what_the_person_takes_back_is_proposed_for_retirement(store: Store, kept: str, said: str) -> None:
    """One tombstone, quoting the person; accepted, nothing is left, and the next sweep is silent."""
    _kept(store, kept, "lesson: every amount that crosses a queue is an integer number of cents")
    noted(store, said)
    swept(store)
    (made,) = proposals(store, "open")
    assert made.op == "tombstone" and "you took this back" in made.reason and made.origin == "human"
    assert any(item.get("speaker") == "you" for item in made.evidence) and made.notes
    accept_all(store)
    assert (len(entries(store)), len(entries(store, "tombstoned"))) == (1, 1)
    assert swept(store).proposals == ()


def test_what_is_to_hold_instead_replaces_it(store: Store) -> None:
    """The old text becomes superseded by the person's new statement, as one proposal with the changed value shown."""
    _kept(store, STAGING)
    noted(
        store,
        "The rule that the staging config is config/staging.yaml no longer holds: the file is gone, the staging config"
        " is config/env/staging.toml now.",
    )
    swept(store)
    (made,) = proposals(store, "open")
    assert (made.op, made.relation) == ("update", "replaces")
    assert "config/env/staging.toml" in made.after[0]["body"]
    assert made.before[0]["body"].startswith("the staging config is config/staging.yaml")
    accept_all(store)
    (now,), (old,) = entries(store), entries(store, "superseded")
    assert old.superseded_by == now.entry_id


def test_only_the_person_takes_back_and_only_the_one_entry_meant(store: Store) -> None:
    """An agent's sentence retires nothing, and where two entries fit equally none is chosen."""
    _kept(store, STAGING)
    noted(store, "Forget the rule about the staging config in config/staging.yaml.", origin=Origin.AGENT)
    swept(store)
    assert all(made.op != "tombstone" for made in proposals(store, "open"))


@pytest.mark.parametrize(
    "text",
    [
        "Drop the table about reminders before the tests run.",
        "Forget it, go on.",
        "We cannot forget the rule about cents, it matters.",
        "The rule about cents is good.",
        "Never drop a column in the same release.",
        "规则很多，慢慢来。",
    ],
)
def test_what_only_sounds_so_takes_nothing_back(text: str) -> None:
    """A sentence that names no kept rule at its start, or does not end one, is no withdrawal."""
    assert withdrawal(text) is None


def test_two_entries_that_fit_equally_are_left(store: Store) -> None:
    """Nothing is retired by a guess."""
    _kept(store, "lesson: pnpm builds web/ in nine seconds", "lesson: on call, ask Dana how pnpm is pinned")
    noted(store, "Forget the rule about pnpm.")
    swept(store)
    assert all(made.op != "tombstone" for made in proposals(store, "open"))
