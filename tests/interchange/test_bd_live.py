"""The live `bd`, told by a small program of that name: what it holds comes in, what is new or changed goes out."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.interchange.beads.live import export_bd, import_bd
from curator.interchange.entries import Report
from curator.interchange.formats import Asked, Wrote
from curator.store.engine import Store
from tests.helpers import load_active
from tests.interchange.beads import accept_all, edit, entry, retire, written
from tests.interchange.test_beads import issue
from tests.interchange.test_entries import outcomes
from tests.sweep.helpers import COUNT


def own(key: str, kind: str, title: str, body: str) -> dict[str, Any]:
    """An entry that bd has no record of."""
    at = {"status": "active", "created_at": "2031-01-01T00:00:00Z", "updated_at": "2031-01-02T00:00:00Z"}
    return {"id": key, "kind": kind, "title": title, "body": body, "labels": [], **at}


@pytest.fixture
def bd(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The fake on the PATH, with one issue and one memory; returns the folder that it keeps."""
    program = tmp_path / "bin" / "bd"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).parent / "fake_bd.py"}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.chdir(store.place.root)
    folder = store.place.root / ".beads"
    folder.mkdir()
    put(folder, "issues", {"cur-1": {key: value for key, value in issue("cur-1").items() if key != "_type"}})
    put(folder, "memories", {"k": "some text"})
    return folder


def put(folder: Path, name: str, value: object) -> None:
    """Let bd hold this."""
    (folder / f"{name}.json").write_text(json.dumps(value))


def got(folder: Path, name: str) -> dict[str, Any]:
    """What bd holds."""
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
    return found


def taken(store: Store) -> Report:
    """Import from bd."""
    return import_bd(store, store.place.root, COUNT)


def given(store: Store, **asked: bool) -> Wrote:
    """Export to bd."""
    return export_bd(store, None, Asked(**asked))


def test_bd_comes_in(store: Store, bd: Path) -> None:
    """Issues and memories become proposals, memories are left to `bd prime`; nothing changes, so nothing goes out."""
    assert outcomes(taken(store)) == {"new": ["cur-1", "k"]}
    assert accept_all(store).complete
    assert entry(store, "k").extra["bd"] == entry(store, "k").content_hash
    before = got(bd, "issues"), got(bd, "memories")
    assert given(store, memories=True).said == "bd: 0 changed, 0 created, 0 remembered"
    assert (got(bd, "issues"), got(bd, "memories")) == before
    assert outcomes(taken(store)) == {"same": ["cur-1", "k"]}


def test_changes_and_news_go_out(store: Store, bd: Path, tmp_path: Path) -> None:
    """Changed records are imported and remembered, deferred entries created, injected ones remembered when asked."""
    taken(store)
    accept_all(store)
    edit(store, "cur-1", title="Another title")
    edit(store, "k", body="other text")
    rows = (
        own("m-aaaaaaaa", "design", "--Queue", "One, queue."),
        own("m-bbbbbbbb", "lesson", "Retry twice", "Retry twice"),
    )
    load_active(store, written(tmp_path / "own.jsonl", *rows))
    wrote = given(store)
    assert (wrote.said, wrote.complete) == ("bd: 2 changed, 1 created, 0 remembered", True)
    issues = got(bd, "issues")
    assert issues["cur-1"]["title"] == "Another title"
    new = issues["m-aaaaaaaa"]
    assert (new["title"], new["description"], new["status"]) == ("--Queue", "One, queue.", "deferred")
    assert (new["labels"], new["defer_until"], new["metadata"]) == (["kb"], "2099-01-01T00:00:00Z", {"kind": "design"})
    assert got(bd, "memories") == {"k": "other text"}
    assert entry(store, "k").extra["bd"] == entry(store, "k").content_hash
    assert given(store, memories=True).said == "bd: 0 changed, 0 created, 1 remembered"
    assert got(bd, "memories")["m-bbbbbbbb"] == "@type=semantic:lesson @created=2031-01-01\nRetry twice"
    assert entry(store, "m-bbbbbbbb").extra["bd"] == entry(store, "m-bbbbbbbb").content_hash
    assert set(outcomes(taken(store))) == {"same"}


def test_what_changed_in_bd_is_left_alone(store: Store, bd: Path) -> None:
    """Where both sides changed, the export leaves bd's and says so; the import then shows the conflict or the newer."""
    taken(store)
    accept_all(store)
    edit(store, "k", body="changed here")
    put(bd, "memories", {"k": "changed there"})
    wrote = given(store)
    assert not wrote.complete and "changed in bd since it was read: k" in " ".join(wrote.notes)
    assert got(bd, "memories") == {"k": "changed there"}
    assert outcomes(taken(store)) == {"same": ["cur-1"], "conflict": ["k"]}


def test_what_was_retired_here_is_told(store: Store, bd: Path) -> None:
    """bd takes in no tombstones: the issue stays there and is named; the memory gets its mark."""
    taken(store)
    accept_all(store)
    retire(store, "cur-1")
    retire(store, "k")
    wrote = given(store)
    assert "retired here, still in bd, which takes in no tombstones: cur-1" in wrote.notes
    assert got(bd, "memories") == {"k": "[superseded 2031-03-05 by none] some text"}


def test_a_refusal_of_bd_is_told(store: Store, bd: Path, tmp_path: Path) -> None:
    """What bd makes otherwise than asked is named, and the export is not complete."""
    (bd / "other-id").write_text("cur-9")
    load_active(store, written(tmp_path / "own.jsonl", own("m-1", "design", "t", "b")))
    wrote = given(store)
    assert not wrote.complete and wrote.notes == ("m-1: bd made the issue under another id, cur-9",)


def test_bd_without_a_database(store: Store, bd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What bd says is passed on in one line."""
    for path in bd.iterdir():
        path.unlink()
    bd.rmdir()
    assert main(["export", "bd"]) == 1
    assert capsys.readouterr().err == "curator: `bd export` failed: Error: no beads database found\n"


def test_no_bd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the program one line says so, and nothing is made."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert (main(["import", "bd"]), main(["export", "bd"])) == (1, 1)
    assert capsys.readouterr().err.count("there is no program `bd` on the PATH") == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("bd") is None, reason="bd is not installed")
def test_the_real_bd(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory and an issue of a fresh bd come in, and an edited memory goes back."""
    monkeypatch.chdir(store.place.root)
    for words in (["init", "--prefix", "cur"], ["remember", "--key", "k", "some text"], ["create", "A title"]):
        subprocess.run(["bd", *words], check=True, capture_output=True)
    assert len(taken(store).proposals) == 2
    accept_all(store)
    edit(store, "k", body="other text")
    assert given(store).complete
    assert b"other text" in subprocess.run(["bd", "memories", "--json"], check=True, capture_output=True).stdout
