"""The texts written for training and measuring have one form, occur once, and cannot be told by a cheap cue."""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from curator.cli.evals import measured
from curator.sweep.train import LABELS, SEED_WEIGHT
from curator.vocab import Kind

FAR = Path(__file__).parents[1] / "data" / "pairs_far.jsonl"
Written = tuple[str, str, str]
CUES: dict[str, Callable[[str, str], float]] = {
    "the older text's length": lambda a, b: len(a),
    "the newer text's length": lambda a, b: len(b),
    "both lengths": lambda a, b: len(a) + len(b),
    "code": lambda a, b: (a + b).count("`"),
    "digits": lambda a, b: sum(char.isdigit() for char in a + b),
    "lines": lambda a, b: (a + b).count("\n"),
    "Chinese": lambda a, b: sum(char > "\u2e80" for char in a + b) / len(a + b),
    "list markers": lambda a, b: a.count("- ") - b.count("- "),
}


def _seeds(name: str) -> list[list[str]]:
    text = resources.files("curator.sweep").joinpath("seeds", f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _far() -> list[Written]:
    rows = [json.loads(line) for line in FAR.read_text(encoding="utf-8").splitlines()]
    return [(LABELS[row["label"]].value, row["a"], row["b"]) for row in rows]


def _written() -> list[Written]:
    return [(label, a, b) for name in SEED_WEIGHT for label, a, b in _seeds(name)] + _far()


def test_pairs_have_one_form_and_stand_once() -> None:
    """Each row is a known label and two different texts without outer blanks; no pair occurs twice or turned round."""
    rows = _written()
    assert {label for label, _, _ in rows} == {relation.value for relation in LABELS.values()}
    assert all(a and b and a != b and a == a.strip() and b == b.strip() for _, a, b in rows)
    pairs = {frozenset((a, b)) for _, a, b in rows}
    assert len(pairs) == len(rows)


def test_kinds_have_one_form_and_stand_once() -> None:
    """Each row is one of the seven kinds, a title or none, and a text that no other row has."""
    rows = _seeds("kinds")
    assert {kind for kind, _, _ in rows} == {kind.value for kind in Kind}
    assert len({text for _, _, text in rows}) == len(rows) and all(text.strip() for _, _, text in rows)


@pytest.mark.parametrize("cue", CUES)
def test_no_relation_is_told_by_a_cheap_cue(cue: str) -> None:
    """A row of one label lies above a row of the others by this cue about as often as below: 0.3 to 0.7 of times."""
    rows = [(label, CUES[cue](a, b)) for label, a, b in _written()]
    for relation in LABELS.values():
        mine = sorted(value for label, value in rows if label == relation.value)
        others = [value for label, value in rows if label != relation.value]
        assert 0.3 <= _above(mine, others) <= 0.7, relation


def _above(mine: list[float], others: list[float]) -> float:
    won = sum((x > y) + 0.5 * (x == y) for x in mine for y in others)
    return won / (len(mine) * len(others))


def test_growth_alone_tells_no_relation() -> None:
    """Where a text grows to more than its double, every relation occurs: length does not make an expansion."""
    grown = [label for label, a, b in _written() if len(b) > 2 * len(a)]
    assert set(grown) == {relation.value for relation in LABELS.values()}
    assert sum(label != "refines" for label in grown) >= 40


def test_far_pairs_lose_no_fact_silently() -> None:
    """Of pairs that words hardly tell none that changes a fact is taken for the same or for a mere rewording."""
    found = measured("pairs", FAR)
    assert found["same_errors"] == 0
    assert "duplicate" not in found["confusion"]["supersedes"]
    assert found["macro_f1"] >= 0.2
