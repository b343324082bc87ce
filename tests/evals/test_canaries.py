"""What survives five rounds without a model (statement 49; `curator eval canaries`)."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.edge.tokens import tokens
from curator.errors import CuratorError
from curator.evals.canaries import measured

FILE = Path(__file__).parent.parent / "data/canaries.json"


def test_s49_rules_and_constraints_survive_five_rounds_on_the_public_session() -> None:
    """63 short turns, 20 canaries: at 500 tokens at least 95 % of safety rules and hard constraints, at 1,000 all."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    assert sum(turn["role"] == "user" for turn in document["turns"]) == 63 and len(document["canaries"]) == 20
    windows = {row["tokens"]: row for row in measured(FILE, tokens().count)["windows"]}
    for kind in ("safety", "constraint"):
        assert windows[500]["kept"][kind] >= 0.95 and windows[1_000]["kept"][kind] == 1.0
    assert windows[500]["used"] <= 500 and windows[1_000]["used"] <= 1_000
    assert windows[500]["baseline"] < 0.5 and windows[500]["baseline_kept"]["safety"] == 0.25


@pytest.mark.parametrize("text", ["", "{}", '{"turns": [1], "canaries": []}'])
def test_a_file_that_does_not_fit_is_one_error(tmp_path: Path, text: str) -> None:
    """Empty, without its keys or of another shape: named, not a trace."""
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(CuratorError, match="no file of canaries"):
        measured(tmp_path / "c.json", len)


def test_the_command_prints_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    """`curator eval canaries FILE --json`: shares by window, kind by kind, with the baseline beside them."""
    assert main(["eval", "canaries", str(FILE), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["windows"]
    assert [row["tokens"] for row in found] == [500, 1_000, 2_000, 3_000]
    assert set(found[0]["kept"]) == {"safety", "constraint", "fact", "goal", "preference"}
    assert 0 <= found[0]["baseline"] <= 1
