"""The evaluation documents: fixed keys, right counts, and one line where a file is not in its format."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from curator.cli.evals import measured
from curator.errors import CuratorError
from curator.evals.cross import over
from curator.evals.pairs import pairs
from curator.evals.retrieval import retrieval, scores
from curator.evals.routing import routing
from curator.sweep.classify import Classified
from curator.vocab import Kind, Relation, Route


def _lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_routing_counts_what_is_answered_and_joins_lesson_with_pattern() -> None:
    """Accuracy, the answered share, joined accuracy and languages follow from the answers given."""
    answers = {
        "a": Classified(Kind.LESSON, Route.INJECTED, 0.9, ""),
        "b": Classified(Kind.PATTERN, Route.INJECTED, 0.5, "", abstains=True),
        "c": Classified(None, None, 0.9, "", skip=True),
        "d": Classified(Kind.LESSON, Route.INJECTED, 0.9, ""),
    }
    rows = [
        {"text": "a", "kind": "lesson", "route": "injected", "lang": "en"},
        {"text": "b", "kind": "lesson", "route": "injected", "lang": "zh"},
        {"text": "c", "kind": "design", "route": "deferred", "lang": "en"},
        {"text": "d", "kind": "research", "route": "deferred", "lang": "en"},
    ]
    found = routing(rows, lambda row: answers[row["text"]])
    assert set(found) == {"n", "route", "kind", "by_lang", "marked"}
    assert found["marked"]["n"] == 0
    assert found["n"] == 4 and found["route"]["accuracy"] == 0.5
    assert found["route"]["answered"] == {"share": 0.5, "accuracy": 0.5}
    assert found["kind"]["accuracy"] == 0.25 and found["kind"]["joined_accuracy"] == 0.5
    assert found["route"]["confusion"]["deferred"] == {"skip": 1, "injected": 1}
    assert found["by_lang"]["zh"] == {"n": 1, "route": 1.0, "kind": 0.0}


def test_pairs_counts_same_errors_apart() -> None:
    """A pair taken for the same although one text changes the other is the error that loses facts."""
    given = {"1": Relation.SAME, "2": Relation.RESTATES, "3": Relation.SAME, "4": Relation.DISTINCT}
    rows = [
        {"a": "x", "b": key, "label": label}
        for key, label in zip(given, ("updates", "duplicate", "duplicate", "unrelated"), strict=True)
    ]
    found = pairs(rows, lambda row: given[row["b"]])
    assert set(found) == {"n", "macro_f1", "accuracy", "confusion", "same_errors", "by_lang"}
    assert found["same_errors"] == 1 and found["accuracy"] == 0.75
    assert found["confusion"]["updates"] == {"duplicate": 1}


def test_retrieval_measures_follow_their_definitions() -> None:
    """Hit, recall, nDCG and reciprocal rank of a ranking that is right at places two and three."""
    found = scores(["x", "a", "b"], frozenset("ab"))
    assert (found["hit1"], found["recall10"], found["mrr10"]) == (0.0, 1.0, 0.5)
    assert found["ndcg10"] == pytest.approx((0.6309 + 0.5) / (1 + 0.6309), abs=1e-3)


def test_retrieval_reads_both_formats(tmp_path: Path) -> None:
    """A folder of notes with queries, and published conversations, give the same document."""
    folder = tmp_path / "scale"
    _lines(
        folder / "notes.jsonl",
        [
            {"id": "n-1", "title": "t", "text": "The cursor of the orders closes late", "kind": "commit"},
            {"id": "n-2", "title": "t", "text": "队列每次重试都会加倍等待", "kind": "commit"},
        ],
    )
    (folder / "known_item_queries.json").write_text(
        json.dumps([{"query": "closing cursor", "gold": "n-1"}, {"query": "重试", "gold": "n-2"}])
    )
    assert retrieval(folder) == {"n": 2, "hit1": 1.0, "recall10": 1.0, "ndcg10": 1.0, "mrr10": 1.0, "mode": "words"}
    talk = {
        "conversation": {
            "session_1_date_time": "1 May 2031",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": "I bought a kayak."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "It rains."},
            ],
        },
        "qa": [
            {"question": "What did Ann buy, a kayak?", "evidence": ["D1:1"], "category": 1},
            {"question": "Unanswerable?", "evidence": ["D1:2"], "category": 5},
        ],
    }
    file = tmp_path / "locomo10.json"
    file.write_text(json.dumps([talk]))
    assert retrieval(file)["n"] == 1 and retrieval(file)["hit1"] == 1.0


def test_harvest_finds_a_line_that_a_note_holds(tmp_path: Path) -> None:
    """Of two gold lines the one that was said before the cut is found."""
    said = {
        "type": "user",
        "uuid": "u-1",
        "sessionId": "s",
        "timestamp": "2031-03-04T09:01:00.000Z",
        "message": {"role": "user", "content": "lesson: always close the cursor of the orders table"},
    }
    later = said | {"uuid": "u-2", "message": {"role": "user", "content": "lesson: sprites must be square"}}
    (tmp_path / "sessions").mkdir()
    _lines(tmp_path / "sessions" / "s.jsonl", [said, later])
    row = {
        "session": "s.jsonl",
        "first_memory_edit_line": 2,
        "gold_added": ["- Close the cursor of the orders table", "- Sprites must be square"],
    }
    _lines(tmp_path / "index.jsonl", [row])
    assert measured("harvest", tmp_path) == {
        "sessions": 1,
        "gold": 2,
        "found": 1,
        "recall": 0.5,
        "notes_per_session": 1.0,
    }


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("routing", lambda path: path.write_text('{"text": "x"}\n')),
        ("pairs", lambda path: path.write_text("not json\n")),
        ("retrieval", lambda path: path.write_text("{")),
    ],
)
def test_a_file_in_another_format_is_named_in_one_line(
    tmp_path: Path, name: str, make: Callable[[Path], object]
) -> None:
    """The reason names the file; nothing is raised that a person would not understand."""
    file = tmp_path / "dev.jsonl"
    make(file)
    with pytest.raises(CuratorError, match=r"dev\.jsonl"):
        measured(name, file)


def test_figures_over_several_cuts_are_told_by_mean_and_spread() -> None:
    """Every number of documents of one shape has its mean and deviation; a count that one lacks is 0 there."""
    one = {"n": 4, "macro_f1": 0.7, "confusion": {"updates": {"updates": 2}}}
    two = {"n": 4, "macro_f1": 0.8, "confusion": {"updates": {"updates": 1, "duplicate": 1}}}
    assert over([one, two]) == {
        "n": {"mean": 4, "spread": 0.0},
        "macro_f1": {"mean": 0.75, "spread": 0.05},
        "confusion": {"updates": {"updates": {"mean": 1.5, "spread": 0.5}, "duplicate": {"mean": 0.5, "spread": 0.5}}},
    }
