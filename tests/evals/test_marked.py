"""Notes whose writer named their kind, or that stood under a telling heading, get that kind by their real way in."""

import json
from collections import Counter
from pathlib import Path

import pytest

from curator.cli.evals import measured
from curator.errors import BadUsage
from curator.evals.marked import marked
from curator.sweep.classify import classify
from curator.sweep.marks import mark
from curator.vocab import Kind

FILE = Path(__file__).parents[1] / "data" / "marked.jsonl"


def _rows() -> list[dict[str, str]]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_marked_notes_reach_their_kind() -> None:
    """At least .98 of the written file is right, by every way in and in both languages; each miss is named."""
    found = measured("routing", FILE)["marked"]
    assert found["n"] >= 250 and found["accuracy"] >= 0.98, found["misses"]
    assert all(each["accuracy"] >= 0.97 for each in found["by_lang"].values())
    assert len(found["misses"]) == round(found["n"] * (1 - found["accuracy"]))


def test_the_file_holds_every_kind_and_what_is_no_mark() -> None:
    """All seven kinds, placeholders that are skipped, and texts that only hold such a word; a quarter is Chinese."""
    rows = _rows()
    kinds = Counter(row["kind"] for row in rows)
    assert set(kinds) == {kind.value for kind in Kind} | {"skip", "text"} and min(kinds.values()) >= 10
    assert sum(row["lang"] == "zh" for row in rows) >= len(rows) / 4
    assert len({(row["text"], row["heading"], row["via"]) for row in rows}) == len(rows)


@pytest.mark.parametrize("row", [row for row in _rows() if row["kind"] == "text"], ids=lambda row: row["id"])
def test_a_word_inside_a_sentence_is_no_mark(row: dict[str, str]) -> None:
    """A text that speaks of lessons, decisions or patterns is judged by its text."""
    assert mark(row["text"]) is None


def test_a_miss_and_an_unknown_way_are_told() -> None:
    """What is told otherwise than labelled stands among the misses with the reason; an unknown way is refused."""
    row = {"id": "x", "text": "Gotcha: the port differs.", "kind": "design", "lang": "en", "via": "remember"}
    found = marked([row])
    assert found["accuracy"] == 0 and found["misses"][0]["told"] == "lesson" and "Gotcha" in found["misses"][0]["why"]
    with pytest.raises(BadUsage, match="no way in by 'mail'"):
        marked([row | {"via": "mail"}])


@pytest.mark.parametrize(
    "text", ["Pattern: `^v[0-9]+$`", "Design: https://example.org/board", "[decision Use it", "教训"]
)
def test_code_a_link_or_half_a_bracket_is_no_mark(text: str) -> None:
    """A label before code or a link names no kind, and a bracket has to close."""
    assert mark(text) is None


def test_the_own_mark_of_a_text_counts_before_its_heading() -> None:
    """Under "Lessons" a root cause stays one, and a speaker's marker counts before both."""
    text = "**Root cause:** the two clocks differ by an hour."
    assert classify(text, heading="Lessons").kind is Kind.ROOT_CAUSE
    assert classify(text, marker="decision", heading="Lessons").kind is Kind.DECISION
    assert classify("Decision: TBD").skip and classify("TBD", marker="decision").skip


@pytest.mark.parametrize(
    "text", [" " * 60_000 + "x", "- " * 30_000, "`" * 60_000 + "x", "lesson: " + "`" * 60_000 + "x"]
)
def test_odd_texts_cost_little(text: str) -> None:
    """Blanks, bullets and backticks by the ten thousand are looked at once."""
    mark(text)
