"""What only shares a heading, a phrase or a form with an entry is no revision of it: nothing is merged or replaced."""

import pytest

from curator.store.engine import Store
from tests.helpers import load_active
from tests.sweep.helpers import noted, proposals, swept

PAIRS = {
    "two statements under one heading": (
        ("House patterns", "The mailer wraps the queue client so that both retries are counted."),
        ("House patterns", "The queue client wraps the socket and the pool of workers."),
    ),
    "one form about two tools": (
        ("House patterns", "Set `NODE_CACHE_DIR=/tmp/node-cache` for node in this sandbox to avoid permission errors."),
        ("House patterns", "Set `RUST_CACHE_DIR=/tmp/rust-cache` for rust in this sandbox to avoid permission errors."),
    ),
    "a short text whose words stand in a long one": (
        (
            "Why the nightly report was sent twice",
            "On 2031-02-03 the scheduler fired `report.created` and 26 seconds later `report.updated` for one row, so"
            " both handlers ran. The cause is the auto-assign of an owner. Mended in `hooks/report.ts` by looking at"
            " the actor, with a test for each of the two events and a note in the runbook of the night shift.",
        ),
        ("", "Release notes of the night shift"),
    ),
    "a phrase in common": (
        (
            "Which facts are worth keeping",
            "Conventions, decisions, errors that come back, traps of a deployment and reasons of a design.",
        ),
        ("Folders", "`decisions/` holds important decisions and their reasons"),
    ),
    "an excerpt": (
        (
            "The import stops at the first odd row",
            "Seen on 2031-02-03 with `orders.csv` of Tessin: the reader raised at row 4,812 and lost all before it."
            " The reader wraps the whole file in one transaction. Rows are read one by one now; `import.log` names each"
            " one that was left out, and the exit code is 3.",
        ),
        ("The import stops at the first odd row", "The reader wraps the whole file in one transaction."),
    ),
}


@pytest.mark.parametrize("case", PAIRS)
def test_entries_that_only_look_alike_are_left_alone(store: Store, case: str) -> None:
    """An import of such texts gives no proposal on them, in either order of their times."""
    for number, pair in enumerate((PAIRS[case], PAIRS[case][::-1])):
        rows = [
            {
                "id": f"m-{number}{n}",
                "kind": "lesson",
                "title": title,
                "body": body,
                "updated_at": f"2031-01-{10 + n}T00:00:00Z",
            }
            for n, (title, body) in enumerate(pair)
        ]
        load_active(store, rows)
    swept(store)
    assert [(p.op, p.before[0]["body"][:40]) for p in proposals(store) if p.relation not in ("restates", "")] == []


@pytest.mark.parametrize("case", PAIRS)
def test_a_note_that_only_looks_like_an_entry_is_added_beside_it(store: Store, case: str) -> None:
    """The note becomes an entry of its own, and the one it looks like is at most shown as similar."""
    (title, body), (_, text) = PAIRS[case]
    load_active(store, [{"id": "m-1", "kind": "lesson", "title": title, "body": body}])
    noted(store, f"lesson: {text}")
    swept(store)
    assert [(p.op, p.targets) for p in proposals(store)] == [("add", [])]


@pytest.mark.parametrize(
    ("older", "newer", "op"),
    [
        ("The staging gateway listens on port 8443.", "The staging gateway listens on port 8444.", "replaces"),
        (
            "Reports are sent by the mailer every Monday at 7.",
            "Reports are no longer sent by the mailer but by the hub.",
            "replaces",
        ),
        ("Never squash on the release branch.", "On the release branch, never squash.", "restates"),
        ("Run `make types` before a release.", "Run `make types` before a release, on a clean clone only.", "refines"),
    ],
)
def test_true_revisions_are_still_found(store: Store, older: str, newer: str, op: str) -> None:
    """A changed value, a rule that no longer holds, other words and an addition are each proposed on the entry."""
    load_active(store, [{"id": "m-1", "kind": "lesson", "body": older, "updated_at": "2031-01-10T00:00:00Z"}])
    noted(store, f"lesson: {newer}")
    swept(store)
    assert [(p.relation, p.targets[0]["entry_id"]) for p in proposals(store)] == [(op, "m-1")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "No, I was wrong: staging deploys must come from the release branch and are allowed from 8 to 15 o'clock.",
            "The mails go live this week. First: the rule changed. Staging deploys must come from the release branch"
            " and are now allowed from 8 to 18 o'clock.",
        ),
        (
            "Wait 30 seconds after a restart of the broker before the first import, or the queue is empty.",
            "Before you go on with the report: after a restart of the broker wait 90 seconds before the first import.",
        ),
        ("发布只能在每周二进行，由值班人员执行。", "先把文档补上。另外，发布现在只能在每周四进行，由值班人员执行。"),
    ],
)
def test_a_correction_that_also_says_other_things_replaces_the_value(store: Store, old: str, new: str) -> None:
    """The entry with the older value does not stay beside the newer one."""
    load_active(store, [{"id": "m-001", "kind": "correction", "body": old, "created_at": "2031-01-10T00:00:00Z"}])
    noted(store, f"correction: {new}")
    swept(store)
    (made,) = proposals(store)
    assert (made.op, made.relation) == ("update", "replaces") and made.targets[0]["entry_id"] == "m-001"
