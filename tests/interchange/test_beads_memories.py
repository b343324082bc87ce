"""Memories of beads: their header, their marks, and what `bd prime` hands over instead of us."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from curator.interchange.beads.header import Value, parsed
from curator.store.engine import Store
from curator.vocab import Kind
from tests.interchange.beads import accept_all, edit, entry, give, retire, take, written
from tests.interchange.test_beads import memory, rows
from tests.interchange.test_entries import outcomes

HEADER = "@salience=4 @type=semantic:root-cause @x=y @created=2031-01-02 @refs=cur-1,docs/a.md @tags=memory,net"


def test_a_header_is_read_in_any_order(store: Store, tmp_path: Path) -> None:
    """Kind, labels, importance, date and paths come from the header; prose that mentions a token is no header."""
    prose = "@salience=5 is written in prose"
    odd = memory("odd", "@type=semantic:fact @created=soon\nStays.")
    known = memory("k", f"{HEADER}\nThe body."), memory("d", "@type=semantic:design\nDeferred.")
    path = written(tmp_path / "in.jsonl", *known, memory("p", prose), odd)
    take(store, path)
    assert accept_all(store).complete
    found = entry(store, "k")
    assert (found.kind, found.route, found.body, found.importance) == ("root-cause", "injected", "The body.", 0.8)
    assert found.created_at.date().isoformat() == "2031-01-02"
    assert [anchor["ref"] for anchor in found.anchors] == ["docs/a.md"]
    assert (entry(store, "p").body, entry(store, "p").kind) == (prose, "lesson")
    assert (entry(store, "d").route, entry(store, "odd").kind) == ("deferred", "lesson")
    assert give(store) == path.read_bytes()


def test_an_edit_keeps_the_rest_of_the_header(store: Store, tmp_path: Path) -> None:
    """A changed body leaves the header as it stands; a changed kind and label change their tokens in place."""
    take(store, written(tmp_path / "in.jsonl", memory("k", f"{HEADER}\nThe body."), memory("plain", "No header.")))
    accept_all(store)
    edit(store, "k", body="Another body.")
    assert rows(give(store))[0]["value"] == f"{HEADER}\nAnother body."
    edit(store, "k", kind=Kind.LESSON, labels=("net", "two words"))
    new = HEADER.replace("root-cause", "lesson").replace("@tags=memory,net", "@tags=net,two%20words")
    assert rows(give(store))[0]["value"] == f"{new}\nAnother body."
    edit(store, "plain", body="@a=b\nlooks like a header")
    assert rows(give(store))[1]["value"] == "@type=semantic:lesson\n@a=b\nlooks like a header"


def test_a_superseded_memory_is_out(store: Store, tmp_path: Path) -> None:
    """`[superseded DATE by KEY]` is read as retired, points at what took its place, and is never brought back."""
    path = written(
        tmp_path / "in.jsonl", memory("old", "[superseded 2031-01-03 by k] old text"), memory("k", "new text")
    )
    take(store, path)
    accept_all(store)
    found = entry(store, "old")
    assert (found.state, found.superseded_by, found.body) == ("superseded", "k", "old text")
    assert give(store) == path.read_bytes()
    assert outcomes(take(store, written(tmp_path / "b.jsonl", memory("old", "old text")))) == {"retired": ["old"]}


def test_a_memory_retired_here_is_marked(store: Store, tmp_path: Path) -> None:
    """Retiring writes the mark into the value, and nothing else changes."""
    take(store, written(tmp_path / "in.jsonl", memory("k", "some text"), memory("l", "more text")))
    accept_all(store)
    retire(store, "k")
    assert [row["value"] for row in rows(give(store))] == ["[superseded 2031-03-05 by none] some text", "more text"]


def test_validity_in_an_envelope(store: Store, tmp_path: Path) -> None:
    """A value that is an object with `_bd_mem` is read by its text and its last day, and edited within."""
    value = '{"_bd_mem": 1, "value": "fact", "valid_until": "2031-06-30"}'
    take(store, written(tmp_path / "in.jsonl", memory("k", value)))
    accept_all(store)
    found = entry(store, "k")
    assert found.body == "fact" and found.expires_at is not None and found.expires_at.month == 6
    edit(store, "k", body="other fact")
    assert rows(give(store))[0]["value"] == value.replace('"fact"', '"other fact"')


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrapped", [False, True])
def test_both_forms_of_the_list_of_memories(store: Store, tmp_path: Path, wrapped: bool, indent: int | None) -> None:
    """`bd memories --json` is read flat and wrapped, on one line or many; a memory may be called `schema_version`."""
    pairs: dict[str, Any] = {"a": "one text", "schema_version": "a memory of that name"}
    if wrapped:
        pairs = {"schema_version": 1, "data": pairs}
    path = tmp_path / "memories.json"
    path.write_text(json.dumps(pairs, indent=indent))
    report = take(store, path)
    assert len(report.proposals) == 2 and report.complete
    flat = tmp_path / "flat.json"
    flat.write_text(json.dumps({"schema_version": 1, "a": "one text"}, indent=indent))
    assert outcomes(take(store, flat)) == {"waiting": ["a"]}


def test_bd_holds_a_memory_until_it_changes(store: Store, tmp_path: Path) -> None:
    """What came from bd is marked as its own; an edit, here or by accepting as something else, ends that."""
    take(store, written(tmp_path / "in.jsonl", memory("k", "some text")))
    accept_all(store)
    found = entry(store, "k")
    assert found.extra["bd"] == found.content_hash
    edit(store, "k", body="own text")
    found = entry(store, "k")
    assert found.extra["bd"] != found.content_hash
    beads = tmp_path / "shop" / ".beads"
    beads.mkdir()
    give(store, beads / "memories.jsonl")
    found = entry(store, "k")
    assert found.extra["bd"] == found.content_hash


def test_the_same_words_in_both_are_marked(store: Store, tmp_path: Path) -> None:
    """A memory of bd that says what an entry says already makes no proposal, and the entry is left to `bd prime`."""
    take(store, written(tmp_path / "own.jsonl", memory("own", "some text")))
    accept_all(store)
    edit(store, "own", labels=("mine",))
    assert outcomes(take(store, written(tmp_path / "in.jsonl", memory("k", "Some text.")))) == {"same": ["k"]}
    assert entry(store, "own").extra["bd"] == entry(store, "own").content_hash


def test_memories_have_no_time(store: Store, tmp_path: Path) -> None:
    """By what both sides were: changed there only is newer, here only older, on both sides a conflict."""
    path = tmp_path / "in.jsonl"
    take(store, written(path, *(memory(key, f"text of {key}") for key in ("here", "there", "both"))))
    accept_all(store)
    edit(store, "here", body="changed here")
    edit(store, "both", body="changed here too")
    written(path, memory("here", "text of here"), memory("there", "changed there"), memory("both", "changed there too"))
    assert outcomes(take(store, path)) == {"older": ["here"], "newer": ["there"], "conflict": ["both"]}
    accept_all(store)
    assert outcomes(take(store, path)) == {"older": ["here"], "same": ["there", "both"]}
    assert all(entry(store, key).extra["bd"] == entry(store, key).content_hash for key in ("there", "both"))


def test_parts_of_a_value_make_the_value() -> None:
    """Reading a value into parts and putting them together gives the value, mark and unknown tokens included."""
    for value in ("plain", f"{HEADER}\nbody\nmore", "[superseded 2031-01-03 by k] @a=b\nbody", "", "@a=b\n"):
        assert parsed(value).text == value
    assert parsed("[superseded 2031-01-03 by a b] x") == Value("x", (), ("2031-01-03", "a b"))


def test_the_hand_off_is_pointed_at(store: Store, tmp_path: Path) -> None:
    """With memories asked for, the hand-off of the task state is a continuation memory, once, and follows the state."""
    state = store.place.folder / "TASK_STATE.md"
    state.write_text("# State\n\n## HANDOFF\nFinish the queue.\nThen the rest.\n")
    os.utime(state, (1_930_000_000, 1_930_000_000))
    out = tmp_path / "out.jsonl"
    assert give(store, out) == b""
    (row,) = rows(give(store, out, memories=True))
    head = "@type=episodic:continuation @created=2031-02-27 @refs=.curator/TASK_STATE.md\n.curator/TASK_STATE.md: "
    assert row == memory("continuation-curator", f"{head}Finish the queue.")
    assert take(store, out).proposals == []
    assert rows(give(store, out, memories=True)) == [row]
    state.write_text("# State\n\n## HANDOFF\nFinish the docs.\n")
    os.utime(state, (1_930_000_000, 1_930_000_000))
    assert [each["value"] for each in rows(give(store, out, memories=True))] == [f"{head}Finish the docs."]
