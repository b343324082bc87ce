"""Likeness by meaning: each model has its own threshold, and vectors of two models never meet."""

import json
from pathlib import Path

import pytest

from curator.config import Settings
from curator.edge.embed import embedder
from curator.errors import CuratorError
from curator.ports import Embed
from curator.recall.search import search
from curator.recall.values import Answer, Query
from curator.store import vectors
from curator.store.engine import Store
from curator.sweep.meaning import Meanings, best_cut, calibrate, meaning, reembed
from tests.helpers import load_active, rows_of

CASES = Path(__file__).parent.parent / "cases"


class Fake:
    """Looks texts up in a table, as the cases' fake embedder does."""

    def __init__(self, name: str, table: Path, width: int = 3) -> None:
        self.name, self.width = name, width
        self.table = json.loads(table.read_text(encoding="utf-8"))
        self.fails_after = 10**9

    def vectors(self, texts: list[str]) -> list[list[float]]:
        """Vectors from the table; strangers lie on the last axis."""
        if len(texts) > self.fails_after:
            raise KeyboardInterrupt
        return [(self.table.get(text, [0.0, 0.0, 1.0]) + [0.0] * self.width)[: self.width] for text in texts]

    def unknown_share(self, text: str) -> float:
        """Every text is known."""
        return 0.0


def _fake(name: str, case: int, file: str, width: int = 3) -> Embed:
    return Fake(name, CASES / str(case) / file, width)  # type: ignore[return-value]


def _ask(store: Store, text: str, model: Meanings | None) -> Answer:
    return search(store, Query(text, similar=True), model)


def test_case_53_a_threshold_belongs_to_the_model_and_an_empty_answer_says_how_far(store: Store) -> None:
    """Calibrated, only note 1 is found; with 0.5 nothing, and the answer names best score, cut-off and number."""
    load_active(store, CASES / "53" / "notes.jsonl")
    fake = _fake("fake-3d-a", 53, "vectors.json")
    unknown = _ask(store, "proton bridge setup", meaning(store, fake))
    assert unknown.hits == () and "has no threshold yet" in unknown.notes[0]
    value = calibrate(store, fake, rows_of(CASES / "53" / "pairs.jsonl"), store.now())
    assert 0.05 < value["threshold"] < 0.31
    found = _ask(store, "proton bridge setup", meaning(store, fake))
    assert [hit.entry_id for hit in found.hits] == ["n-001"]
    strict = _ask(store, "proton bridge setup", Meanings(fake, 0.5))
    assert strict.hits == ()
    assert all(part in strict.notes[0] for part in ("0.31", "0.50", "(2 compared)"))
    words = _ask(store, "lunch menu", Meanings(fake, 0.99))
    assert [hit.entry_id for hit in words.hits] == ["n-002"]


def test_the_setting_overrules_the_measured_threshold(store: Store) -> None:
    """A threshold in the settings holds for whichever model is in use."""
    chosen = Store(store.engine, store.project_id, store.place, Settings(threshold=0.5), store.now)
    found = meaning(chosen, _fake("fake-3d-a", 53, "vectors.json"))
    assert found is not None and found.threshold == 0.5


def test_case_54_another_model_of_the_same_width_is_never_mixed_in(store: Store) -> None:
    """After a switch only words answer, naming the command; a killed re-embedding goes on; then the right one leads."""
    load_active(store, CASES / "54" / "notes.jsonl")
    a, b = _fake("fake-3d-a", 54, "vectors_a.json"), _fake("fake-3d-b", 54, "vectors_b.json")
    assert reembed(store, a) == 2
    assert [hit.title for hit in _ask(store, "q", Meanings(a, 0.4)).hits] == ["lesson: right"]
    switched = _ask(store, "q", Meanings(b, 0.4))
    assert switched.hits == () and "curator db reembed" in switched.notes[0]
    load_active(store, [{"id": "n-003", "kind": "lesson", "body": "lesson: later"}])
    assert "curator db reembed" in _ask(store, "q", Meanings(b, 0.4)).notes[0]
    with store.write() as session:  # killed after one note
        (first, _, body), *_ = vectors.missing(session, store.project_id, b.name)
        vectors.put(session, store.project_id, b.name, {first: b.vectors([body])[0]})
    half = _ask(store, "q", Meanings(b, -1.0))
    assert len(half.hits) <= 1
    assert reembed(store, b) == 2
    assert _ask(store, "q", Meanings(b, 0.4)).hits[0].title == "lesson: right"
    with store.read() as session:
        assert set(vectors.models(session, store.project_id)) == {"fake-3d-b"}
    wide = _fake("fake-5d", 54, "vectors_b.json", 5)
    assert "curator db reembed" in _ask(store, "q", Meanings(wide, 0.4)).notes[0]
    assert reembed(store, wide) == 3 and _ask(store, "q", Meanings(wide, 0.4)).hits


def test_an_edit_leaves_no_old_vector_in_use(store: Store) -> None:
    """Vectors belong to a content: a changed entry has none until it is embedded again."""
    load_active(store, CASES / "54" / "notes.jsonl")
    a = _fake("fake-3d-a", 54, "vectors_a.json")
    reembed(store, a)
    from tests.sweep.helpers import desk

    entry = desk(store).entry("n-001")
    desk(store).edit("n-001", entry.rev, entry.draft.with_(body="another text"))
    with store.read() as session:
        assert set(vectors.stored(session, store.project_id, a.name)) == {"n-002"}


def test_a_text_the_model_does_not_know_is_answered_by_words(store: Store) -> None:
    """Above the limit of unknown tokens the vector is not used, and the answer says so."""
    load_active(store, CASES / "54" / "notes.jsonl")
    blind = _fake("blind", 54, "vectors_a.json")
    blind.unknown_share = lambda text: 0.9  # type: ignore[method-assign]
    assert "does not know most of these words" in _ask(store, "q", Meanings(blind, 0.1)).notes[0]


def test_the_best_cut_lies_in_the_middle_of_the_gap() -> None:
    """Relevant and irrelevant scores that can be told apart are told apart."""
    assert best_cut([(0.3, True), (0.1, False)]) == (0.2, 1.0)


def test_an_own_class_can_be_the_model(tmp_path: Path) -> None:
    """`FILE.py:CLASS` loads it, brings its vectors to length 1, and a missing one is one line."""
    made = embedder(f"{CASES / '53' / 'fake_embedder.py'}:FakeModel")
    assert made is not None and made.name == "fake-3d-a"
    assert made.vectors(["proton bridge setup"]) == [[1.0, 0.0, 0.0]]
    assert embedder("none") is None
    with pytest.raises(CuratorError, match="there is no embedder"):
        embedder(str(tmp_path / "x.py:Model"))


@pytest.mark.semantic
def test_the_packaged_model_is_checked_and_knows_paraphrases() -> None:
    """Loaded offline, unit vectors, a paraphrase nearer than a stranger, Chinese mostly unknown."""
    model = embedder("")
    assert model is not None
    one, two, far = model.vectors(["close the database cursor", "shut the DB cursor", "bake a cake"])
    near, off = (sum(x * y for x, y in zip(one, other, strict=True)) for other in (two, far))
    assert sum(x * x for x in one) == pytest.approx(1.0, abs=1e-5)
    assert near > off + 0.2
    assert model.unknown_share("提交前先跑测试") > 0.3 > model.unknown_share("close the cursor")
