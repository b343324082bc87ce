"""Entries whose anchors moved or went stale: noted, proposed for change, and quiet when nothing changed."""

import subprocess
from pathlib import Path

import pytest

from curator.cycle.sweeping import run
from curator.snapshot import next_tokens, refresh
from curator.store.engine import Store
from tests.conftest import Clock
from tests.helpers import load_active
from tests.sweep.helpers import accept_all, entries, noted, proposals


def _rows() -> list[dict[str, object]]:
    return [
        {
            "id": "m-001",
            "kind": "lesson",
            "body": "Read docs/limits.md before raising one.",
            "refs": ["docs/limits.md"],
        },
        {"id": "m-002", "kind": "lesson", "body": "The loader skips blank lines.", "refs": ["src/loader.py:2"]},
    ]


def test_a_stale_anchor_is_noted_and_proposed_for_change(store: Store, clock: Clock) -> None:
    """FRESH first; the file deleted, the entry is STALE (no new revision) and a tombstone is proposed; then quiet."""
    top: Path = store.place.top
    for name in ("docs/limits.md", "src/loader.py"):
        (top / name).parent.mkdir(parents=True)
        (top / name).write_text("one\ntwo\nthree\n")
    load_active(store, _rows())
    assert run(store).proposals == ()
    assert {entry.anchor_state for entry in entries(store)} == {"FRESH"}
    (top / "docs/limits.md").unlink()
    (made,) = run(store).proposals
    assert made["op"] == "tombstone" and "docs/limits.md no longer exists" in made["reason"]
    stale = entries(store)[0]
    assert (stale.anchor_state, stale.rev) == ("STALE", 1)
    assert run(store).proposals == () and len(proposals(store)) == 1
    accept_all(store)
    assert [entry.entry_id for entry in entries(store)] == ["m-002"]
    assert run(store).proposals == ()


def test_a_look_that_sees_nothing_new_writes_nothing(store: Store) -> None:
    """Two sweeps at the same time leave the same times of checking."""
    load_active(store, _rows())
    run(store)
    before = [(entry.entry_id, entry.anchors) for entry in entries(store)]
    run(store)
    assert [(entry.entry_id, entry.anchors) for entry in entries(store)] == before


def _git(top: Path, *words: str) -> str:
    options = ("-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *options, *words], cwd=top, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(store: Store) -> Path:
    """The store's project as a git repository with one commit."""
    top: Path = store.place.top
    (top / "src").mkdir()
    (top / "src/loader.py").write_text("def skip_blank_lines(text):\n    return text.split()\n" + "# more\n" * 20)
    (top / ".gitignore").write_text(".curator/\n")
    _git(top, "init", "-q", "-b", "main")
    _git(top, "add", ".")
    _git(top, "commit", "-qm", "first")
    return top


def test_all_four_kinds_of_anchor_are_followed_through_git(store: Store, repository: Path, clock: Clock) -> None:
    """A renamed path is proposed as an update that follows it, a gone symbol as a tombstone; the rest stays fresh."""
    commit = _git(repository, "rev-parse", "HEAD")[:10]
    bodies = {
        "m-001": ("Read src/loader.py before changing the format.", "src/loader.py:2"),
        "m-002": ("The parser relies on skip_blank_lines.", "skip_blank_lines()"),
        "m-003": (f"The format was fixed in {commit}.", commit),
        "m-004": ("History is read with git.", "git log --oneline"),
    }
    load_active(store, [_row(key, body, ref) for key, (body, ref) in bodies.items()])
    assert run(store).proposals == ()
    assert {entry.anchor_state for entry in entries(store)} == {"FRESH"}
    _git(repository, "mv", "src/loader.py", "src/reader.py")
    (repository / "src/reader.py").write_text("def other(text):\n    return text.split()\n" + "# more\n" * 20)
    _git(repository, "commit", "-qam", "second")
    made = {p["targets"][0]["entry_id"]: p for p in run(store).proposals}
    assert set(made) == {"m-001", "m-002"}
    moved, gone = made["m-001"], made["m-002"]
    assert (moved["op"], moved["after"][0]["refs"]) == ("update", ["src/reader.py:2"])
    assert moved["after"][0]["body"] == "Read src/reader.py before changing the format."
    assert gone["op"] == "tombstone" and "skip_blank_lines stands nowhere in the code any more" in gone["reason"]
    assert moved["lost"] and moved["lost"][0]["text"] == "src/loader.py"
    states = {entry.entry_id: entry.anchor_state for entry in entries(store)}
    assert states == {"m-001": "MOVED", "m-002": "STALE", "m-003": "FRESH", "m-004": "FRESH"}
    assert run(store).proposals == ()
    clock.at = clock.at.replace(hour=13)
    accept_all(store)
    assert run(store).proposals == ()
    assert {e.entry_id: e.anchor_state for e in entries(store)} == dict.fromkeys(("m-001", "m-003", "m-004"), "FRESH")


def test_a_stale_entry_is_not_injected_and_a_mended_one_is_again(store: Store, repository: Path) -> None:
    """The next session is not handed what cites a file that is gone; with the file back it is handed over again."""
    load_active(store, [_row("m-001", "Read src/loader.py first.", "src/loader.py")])
    tokens = []
    for change in ("as it is", "gone", "back"):
        if change == "gone":
            (repository / "src/loader.py").rename(repository.parent / "kept.py")
        if change == "back":
            (repository.parent / "kept.py").rename(repository / "src/loader.py")
        run(store)
        refresh(store)
        tokens.append(next_tokens(store))
    assert [entry.anchor_state for entry in entries(store)] == ["FRESH"]
    assert tokens[0] == tokens[2] > 0 == tokens[1]


def test_what_a_note_names_becomes_its_anchor_where_the_project_has_it(store: Store, repository: Path) -> None:
    """Path with line, symbol, command and commit out of the text; what is not there is none, and so never stale."""
    commit = _git(repository, "rev-parse", "HEAD")[:10]
    (repository / "Makefile").write_text("check:\n\ttrue\n")
    noted(
        store,
        "lesson: `skip_blank_lines()` in src/loader.py:2 must stay pure since commit " + commit + ": run `make check`,"
        " never `make deploy`, and see docs/never.md, `other_name` and https://example.org/a.py.",
    )
    run(store)
    (made,) = proposals(store)
    assert set(made.after[0]["refs"]) == {"src/loader.py:2", "skip_blank_lines()", "make check", commit}
    accept_all(store)
    run(store)
    assert [entry.anchor_state for entry in entries(store)] == ["FRESH"]
    (repository / "src/loader.py").unlink()
    (gone,) = run(store).proposals
    assert gone["op"] == "tombstone" and "src/loader.py no longer exists" in gone["reason"]


def _row(entry_id: str, body: str, ref: str) -> dict[str, object]:
    return {"id": entry_id, "kind": "lesson", "body": body, "refs": [ref]}
