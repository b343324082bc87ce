"""Decision records and the exports of other tools: each record's text, kind, labels and time; damage costs one."""

import json
from datetime import UTC, datetime

import pytest

from curator.harvest.memory import adr, stores
from curator.vocab import Kind

RECORD = """# 5. Use PostgreSQL for orders

Date: 2031-02-01

## Status

{status}

## Context

Orders need transactions over two tables.

## Decision

We will use PostgreSQL 15. SQLite stays for the tests.

## Consequences

Operators run one more service.

## Links

- https://example.org/adr
"""


def test_a_decision_record_is_one_decision_with_its_context() -> None:
    """Context, decision and consequences stay together; status, date and links go."""
    (only,) = adr.read(RECORD.format(status="Accepted"), "0005-use-postgresql").candidates
    assert (only.title, only.kind, only.whole) == ("Use PostgreSQL for orders", Kind.DECISION, True)
    assert "We will use PostgreSQL 15" in only.text and "transactions" in only.text
    assert "Accepted" not in only.text and "example.org" not in only.text


@pytest.mark.parametrize(
    ("status", "what"),
    [
        ("Superseded by [0012](0012.md)", "decision superseded"),
        ("Accepted\n\nSuperseded by 12", "decision superseded"),
        ("Deprecated", "decision deprecated"),
        ("Proposed", "decision only proposed"),
        ("已废弃", "decision 已废弃"),
    ],
)
def test_a_decision_that_is_not_in_force_is_left(status: str, what: str) -> None:
    """What was replaced, or never decided, must not become memory."""
    found = adr.read(RECORD.format(status=status), "0005-use-postgresql")
    assert (found.candidates, found.counts) == ((), {what: 1})


def test_the_other_forms_of_a_status_are_known() -> None:
    """In the front matter, and on a line of its own."""
    record = "# Use tabs\n\n{}## Decision Outcome\n\nChosen option: tabs, because of width.\n"
    assert not adr.read("---\nstatus: rejected\n---\n" + record.format(""), "1").candidates
    assert not adr.read(record.format("* Status: deprecated\n\n"), "1").candidates
    assert adr.read(record.format("* Status: accepted\n\n"), "1").candidates[0].title == "Use tabs"


def test_index_and_template_are_no_decisions() -> None:
    """The folder's own pages are passed over."""
    assert not adr.read(RECORD.format(status="Accepted"), "template").candidates
    assert not adr.read("# Decisions\n\n- Always record them here\n", "README").candidates


@pytest.mark.parametrize("shape", ["results", "memories", "list", "lines", "one"])
def test_mem0_in_every_shape(shape: str) -> None:
    """The same memories whether the tool's answer, its export or lines."""
    rows = [
        {"id": "1", "memory": "Prefers tabs", "categories": ["style"], "created_at": "2031-01-02T03:04:05+00:00"},
        {"id": "2", "memory": "Orders are kept for ten years", "metadata": {"type": "decision"}},
    ]
    value: object = {"list": rows, "results": {"results": rows}, "memories": {"memories": rows}}.get(shape, rows[0])
    data = "\n".join(map(json.dumps, rows)) if shape == "lines" else json.dumps(value)
    found = stores.mem0(data.encode()).candidates
    assert found[0].text == "Prefers tabs" and found[0].labels == ("style",)
    assert found[0].at == datetime(2031, 1, 2, 3, 4, 5, tzinfo=UTC)
    if shape != "one":
        assert found[1].kind is Kind.DECISION


def test_claude_mem_gives_what_was_found_and_leaves_what_was_done() -> None:
    """Decisions, causes and discoveries are candidates; features, refactorings and summaries are not."""
    rows = [
        {
            "type": "discovery",
            "title": "Queue order",
            "narrative": "The queue is not ordered.",
            "concepts": '["queue"]',
        },
        {"type": "decision", "title": "Retry twice", "facts": ["Two retries", "Then the dead letter queue"]},
        {"type": "feature", "title": "Added a button", "narrative": "A button was added."},
        {"type": "bugfix", "title": "Race", "narrative": "Two writers raced.", "files_modified": '["a.py", "/etc/x"]'},
    ]
    data = json.dumps({"observations": rows, "summaries": [{"request": "do it"}]}).encode()
    found = stores.claude_mem(data)
    assert [(each.title, each.kind) for each in found.candidates] == [
        ("Queue order", Kind.RESEARCH),
        ("Retry twice", Kind.DECISION),
        ("Race", Kind.ROOT_CAUSE),
    ]
    assert found.candidates[0].labels == ("queue",) and found.candidates[2].refs == ("a.py",)
    assert found.counts == {"work that was done": 1}


def test_knowledge_lines_count_once_a_key_and_damage_costs_one() -> None:
    """Of one key the last line counts; a broken line is named by its number."""
    lines = [
        {"key": "k1", "type": "learned", "content": "Old text", "tags": ["async"], "ts": 1_900_000_000},
        "{broken",
        {"key": "k1", "type": "learned", "content": "New text", "tags": ["async"], "ts": 1_900_000_100},
        {"key": "k2", "type": "decision", "content": "Use queues"},
    ]
    data = "\r\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines).encode()
    found = stores.knowledge(data)
    assert [(each.text, each.kind) for each in found.candidates] == [
        ("New text", Kind.LESSON),
        ("Use queues", Kind.DECISION),
    ]
    assert [(each.line, each.what) for each in found.faults] == [(2, "not JSON")]


def test_basic_memory_observations_carry_category_tags_and_title() -> None:
    """Each observation is a candidate; relations and status are not."""
    text = (
        "---\ntitle: Login\ntags: [auth]\n---\n# Login\n\n## Observations\n"
        "- [decision] Tokens last 15 minutes #security\n"
        "- [status] Deployed to staging\n- [tip] Clear the cookie first (seen twice)\n\n- implements [[Security]]\n"
    )
    found = stores.basic_memory(text)
    assert [(each.text, each.kind, each.labels, each.title) for each in found.candidates] == [
        ("Tokens last 15 minutes", Kind.DECISION, ("auth", "security"), "Login"),
        ("Clear the cookie first (seen twice)", Kind.LESSON, ("auth",), "Login"),
    ]
    assert found.counts == {"front matter": 1, "status": 1, "relation": 1}


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"\xff\xfe", b"[1, 2]", b'{"memory": 5}', b"[" * 100_000])
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever an export holds, reading it ends without a candidate."""
    for read in (stores.mem0, stores.claude_mem, stores.knowledge):
        assert not read(data).candidates
