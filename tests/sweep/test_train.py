"""The shipped weights come from permitted texts only, and say so."""

import gzip
import json
import os
from importlib import resources
from pathlib import Path

import pytest

from curator.sweep.train import LICENCES, OWN, kind_rows, notes, pair_rows, sources

DATA = Path(os.environ.get("CURATOR_DATA") or Path(__file__).parents[3] / "shared" / "data")
PERMITTED = {OWN, *LICENCES}


def _folder(root: Path) -> Path:
    """A folder of measuring data whose owners are named after their licences."""
    licences = (*LICENCES, "GPL", "AGPL-3.0", "none found")
    routing = [
        {"text": f"Always run check {n}.", "title": "", "kind": "lesson", "licence": name, "repo": f"{name}/one"}
        for n, name in enumerate(licences)
    ]
    pairs = [
        {"a": "Run it.", "b": f"Run it {n} {m} times.", "label": "updates", "licence_a": one, "licence_b": two}
        | {"repo_a": f"{one}/one", "repo_b": f"{two}/one"}
        for n, one in enumerate(licences)
        for m, two in enumerate(licences)
    ]
    scale = [
        {"text": f"Note {name}.", "title": "", "kind": "note:lesson", "repo": repo}
        for name in (*licences, "unknown")
        for repo in (f"{name}/one", f"{name}/other")
    ]
    for name, rows in (("routing/dev.jsonl", routing), ("pairs/dev.jsonl", pairs)):
        (root / name).parent.mkdir()
        (root / name).write_text("\n".join(json.dumps(row) for row in rows))
    (root / "scale").mkdir()
    (root / "scale" / "notes_100k.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, scale)).encode()))
    return root


def test_rows_of_another_licence_or_of_none_are_not_trained_on(tmp_path: Path) -> None:
    """Of a folder with every licence only MIT, Apache-2.0 and BSD remain, on both sides of a pair."""
    folder = _folder(tmp_path)
    allowed = {name.lower() for name in LICENCES}
    assert {row["repo"] for row in notes(folder)} == {f"{name}/one" for name in LICENCES}
    for rows in (kind_rows(folder), pair_rows(folder)):
        assert set().union(*(owners for *_, owners, _ in rows)) == allowed
        assert {part for *_, licence in rows for part in licence.split(" and ")} == PERMITTED


@pytest.mark.parametrize("name", ["kinds", "relations"])
def test_the_shipped_weights_name_permitted_sources_only(name: str) -> None:
    """Each file of weights counts its training rows by licence and names no other licence."""
    text = resources.files("curator.sweep").joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    record = json.loads(text)["trained_on"]
    assert record.pop("digest")
    assert record[OWN] > 0
    assert {part for licence in record for part in licence.split(" and ")} <= PERMITTED


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "pairs" / "dev.jsonl").exists(), reason="the measuring data are not here")
def test_the_shipped_relations_were_trained_on_just_these_rows() -> None:
    """The digest in the weights of relations is that of the rows that training takes now."""
    text = resources.files("curator.sweep").joinpath("weights", "relations.json").read_text(encoding="utf-8")
    assert json.loads(text)["trained_on"] == sources(pair_rows(DATA))
