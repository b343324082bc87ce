"""Two sentences of one form about two things contradict nothing, whatever their numbers are."""

import pytest

from curator.store.engine import Store
from curator.sweep.relate import relate
from curator.vocab import Relation
from tests.helpers import load_active
from tests.sweep.helpers import accept_all, entries, noted, proposals, swept

PARALLEL = [
    ("The billing service listens on port 8443.", "The search service listens on port 8444."),
    ("Staging DB runs on port 5432.", "Production DB runs on port 5433."),
    ("Node A has 4 GB of memory.", "Node B has 8 GB of memory."),
    ("`orders.py` closes its cursor after 30 s.", "`invoices.py` closes its cursor after 60 s."),
    ("Retry the webhook 3 times.", "Retry the upload 5 times."),
    ("支付服务监听 8443 端口", "搜索服务监听 8444 端口"),
]
CHANGED = [
    ("The billing service listens on port 8443.", "The billing service listens on port 8444."),
    ("The billing service listens on port 8443.", "The billing service now runs on port 8444."),
    ("The billing service listens on port 8443.", "The billing service runs on port 8444."),
    ("Node A has 4 GB of memory.", "Node A has 8 GB of memory."),
    ("支付服务监听 8443 端口", "支付服务监听 8444 端口"),
    ("Reports are kept in Postgres 14.", "Reports are kept in MySQL 8."),
    ("Backups are taken every six hours and kept for two weeks.", "Backups are taken every hour and kept for 35 days."),
    ("Use the Redis cache with a TTL of 15 minutes.", "Use the Valkey cache with a TTL of 20 minutes."),
]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("web builds use pnpm, never npm", "docs builds use pnpm, never npm"),
        ("The API builds with Gradle in CI", "The worker builds with Gradle in CI"),
        ("the orders table is partitioned by month", "the events table is partitioned by month"),
        ("Web is a Go app.", "Docs is a Go app."),
        ("Service A listens on 1", "Service B listens on 1"),
        ("staging deploys run from the release branch", "production deploys run from the release branch"),
    ],
)
def test_the_same_said_of_another_thing_is_never_merged(one: str, other: str) -> None:
    """Two rules alike but for what they speak of are two rules: a merge would lose one without a word."""
    for older, newer in ((one, other), (other, one)):
        verdict = relate(older, newer)
        assert verdict.relation is Relation.RELATED and "about something else" in verdict.reason, verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kestrel is our mail provider.", "Heron is our mail provider."),
        ("Our mail provider is Kestrel.", "Our mail provider is Heron."),
        ("Alice is the maintainer of the parser.", "Bob is the maintainer of the parser."),
        ("Our queue is RabbitMQ.", "Our queue is NATS."),
        ("The default branch is main.", "The default branch is trunk."),
        ("Kestrel 是我们的邮件服务商。", "Heron 是我们的邮件服务商。"),
        ("我们的邮件服务商是 Kestrel。", "我们的邮件服务商是 Heron。"),
        ("默认分支是 main。", "默认分支是 trunk。"),
    ],
)
def test_another_one_in_the_same_part_replaces(one: str, other: str) -> None:
    """A part that there is once is played by one: who or what is said to play it now replaces the other."""
    for older, newer in ((one, other), (other, one)):
        assert relate(older, newer).relation is Relation.REPLACES


@pytest.mark.parametrize(("one", "other"), PARALLEL)
def test_another_value_of_another_subject_is_related(one: str, other: str) -> None:
    """In both directions the two are related, and the reason names the two subjects."""
    for older, newer in ((one, other), (other, one)):
        verdict = relate(older, newer)
        assert verdict.relation is Relation.RELATED and "about something else" in verdict.reason, verdict


@pytest.mark.parametrize(("older", "newer"), CHANGED)
def test_another_value_of_the_same_subject_replaces(older: str, newer: str) -> None:
    """The same thing with another value still misleads, also when the verb is another one."""
    assert relate(older, newer).relation is Relation.REPLACES


def test_parallel_rules_stay_two_entries_through_the_sweep(store: Store) -> None:
    """Half of each pair is an entry, half a note: every note is an addition, and a look at the store finds nothing."""
    load_active(store, [{"id": f"m-{n:03d}", "kind": "lesson", "body": one} for n, (one, _) in enumerate(PARALLEL[:5])])
    noted(store, *(f"lesson: {other}" for _, other in PARALLEL[:5]))
    swept(store)
    assert [(p.op, p.targets) for p in proposals(store)] == [("add", [])] * 5
    accept_all(store)
    assert swept(store).proposals == () and len(entries(store)) == 10
