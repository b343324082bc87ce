"""Checkpoints in the store and on files (statements 1, 9, 10, 18, 19, 22, 23, 53, 54, 55, 59, 67; issue 4.2, 4.3)."""

import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator.checkpoint import Answer, Outcome
from curator.cycle.checkpoints import begin, commit, history, named, newest, without_model
from curator.cycle.checkpoints import folder as files
from curator.cycle.checkpoints.commit import fail
from curator.cycle.checkpoints.rows import rows_of
from curator.errors import Conflict, CuratorError, NotFound
from curator.store import tables
from curator.store.engine import Store
from tests.checkpoint.talk import conversation, mind, now
from tests.cycle.kept import COUNTER, Clock, made, record

TALK = conversation("u:ship the importer", "a:ok", "u:never push to main", "a:noted", "u:continue", "a:on it", "t:Bash")
NOW = now(filler=120, pitfalls="- `KeyError: id` comes from an empty line")
MIND = mind(mission="- ship the importer [#1]", lessons="- read the schema first [#3]", decisions="- SQLite: one file")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Store:
    """A store with one recorded session."""
    store = made(tmp_path / "project", clock)
    record(store, TALK)
    return store


def everything(store: Store) -> list[dict[str, Any]]:
    """Every row of the record but the checkpoints', as it stands in the store."""
    with store.read() as session:
        return [row.model_dump() for row in session.exec(select(tables.Record)) if row.kind != "checkpoint"]


def attempts(store: Store) -> list[tables.Attempt]:
    with store.read() as session:
        return list(session.exec(select(tables.Attempt)))


def place_of(store: Store) -> Path:
    return files.folder_of(store.place.folder, "s-1")


def edit_files(store: Store, mind_text: str = MIND, *ticks: int) -> None:
    """Do as an agent does: write the mind, tick boxes of the memo."""
    folder = place_of(store)
    (folder / files.MIND).write_text(mind_text, encoding="utf-8")
    memo = (folder / files.MEMO).read_text(encoding="utf-8")
    for tick in ticks:
        memo = memo.replace(f"[ ] (#{tick})", f"[x] (#{tick})")
    (folder / files.MEMO).write_text(memo, encoding="utf-8")


def good(store: Store, *ticks: int) -> str:
    """Commit a good checkpoint; returns its id."""
    begin(store)
    edit_files(store, MIND, *(ticks or (3,)))
    done = commit(store, NOW, COUNTER.count)
    assert done.outcome is Outcome.COMMITTED, done.problems
    return done.ident


def test_s01_a_checkpoint_adds_one_row_and_changes_none(store: Store) -> None:
    """Every earlier row of the record is as it was; one row of kind checkpoint came."""
    before = everything(store)
    ident = good(store)
    assert everything(store) == before
    with store.read() as session:
        rows = session.exec(select(tables.Record).where(tables.Record.kind == "checkpoint")).all()
        assert [(row.seq, row.name) for row in rows] == [(8, ident)]
        assert [row.seq for row in rows_of(session, store.project_id, "s-1")] == [1, 2, 3, 4, 5, 6, 7]


def test_begin_writes_two_private_files_and_commit_takes_them_away(store: Store) -> None:
    """Mode 0600 in a folder of the session's own; nothing of an open checkpoint is left after the commit."""
    under, turn = begin(store)
    folder = place_of(store)
    assert sorted(path.name for path in folder.iterdir()) == ["memo.md", "mind.md", "open.json"]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert files.read(folder, files.MEMO) == turn.memo and under.session == "s-1"
    edit_files(store, MIND, 1, 3)
    done = commit(store, NOW, COUNTER.count)
    assert done.value and done.value.memo == (1, 3) and not folder.exists()


def test_s09_checkpoints_are_chained(store: Store, clock: Clock) -> None:
    """Each names the one before it, and the last summarised number never decreases."""
    first = good(store)
    clock.forward(minutes=1)
    record(store, [*TALK, *conversation("a:", "a:", "a:", "a:", "a:", "a:", "a:", "a:", "a:done", "u:next", "a:k")[8:]])
    second = good(store, 5)
    with store.read() as session:
        found = named(session, store.project_id, second)
        assert found.parent == first and newest(session, store.project_id, "s-1") == found
        assert [row.last_seq for row in history(session, store.project_id)] == [11, 7]
        assert found.value.through > named(session, store.project_id, first[:5]).value.through


def test_s10_a_malformed_stored_checkpoint_fails_at_load_with_its_id(store: Store) -> None:
    """Neither begin nor a hook goes on from a damaged one: the error names it."""
    ident = good(store)
    with store.write() as session:
        row = session.get_one(tables.Checkpoint, (store.project_id, ident))
        row.value = {**row.value, "memo": "3"}
    for attempt in (lambda: begin(store), lambda: without_model(store, COUNTER.count)):
        with pytest.raises(CuratorError, match=f"{ident} is malformed"):
            attempt()


@pytest.mark.parametrize("name", [files.MIND, files.MEMO])
@pytest.mark.parametrize("swap", ["symlink", "hardlink", "folder", "pipe"])
def test_s19_a_swapped_file_is_neither_read_nor_written(store: Store, tmp_path: Path, name: str, swap: str) -> None:
    """A link, a folder or a pipe under our name: the commit is refused, the foreign file has not a byte more."""
    begin(store)
    edit_files(store, MIND, 3)
    foreign = tmp_path / "foreign.txt"
    foreign.write_text("private")
    path = place_of(store) / name
    path.unlink()
    match swap:
        case "symlink":
            path.symlink_to(foreign)
        case "hardlink":
            path.hardlink_to(foreign)
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
    with pytest.raises(CuratorError, match="not a plain file of ours"):
        commit(store, NOW, COUNTER.count)
    with pytest.raises(CuratorError, match="not a plain file of ours"):
        files.write(place_of(store), name, "ours")
    assert foreign.read_text() == "private" and not history_of(store)
    assert not list(place_of(store).glob(".*"))


def history_of(store: Store) -> list[tables.Checkpoint]:
    with store.read() as session:
        return history(session, store.project_id)


def test_s19_a_linked_folder_never_receives_a_byte(store: Store, tmp_path: Path) -> None:
    """Where the checkpoints' folder, or a session's, is a link, begin refuses and writes nothing."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (store.place.folder / "checkpoints").symlink_to(elsewhere)
    with pytest.raises(CuratorError, match="not a plain folder of ours"):
        begin(store)
    (store.place.folder / "checkpoints").unlink()
    (store.place.folder / "checkpoints").mkdir()
    place_of(store).symlink_to(elsewhere)
    with pytest.raises(CuratorError, match="not a plain folder of ours"):
        begin(store)
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize("ident", ["../../x", "a/b", "..", "/etc/x", "a\nb", "x" * 300, ""])
def test_s19_a_sessions_id_cannot_lead_elsewhere(tmp_path: Path, ident: str) -> None:
    """Whatever a client calls its session, its folder lies directly below ours."""
    assert files.folder_of(tmp_path, ident).parent == tmp_path / "checkpoints"
    assert files.folder_of(tmp_path, "a/b") != files.folder_of(tmp_path, "a-b")


@pytest.mark.parametrize("name", ["other.md", "../mind.md", "/tmp/mind.md", "sub/mind.md", "open.json.md"])
def test_s22_only_the_checkpoints_own_files_may_be_changed(store: Store, name: str) -> None:
    """Any other name is refused, wherever it points."""
    begin(store)
    with pytest.raises(CuratorError, match="not one of the checkpoint's own files"):
        files.write(place_of(store), name, "x")


def test_a_file_edited_while_it_is_read_is_a_conflict(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A half-written mind is not judged: the commit asks to try again and all stays."""
    begin(store)
    edit_files(store, MIND, 3)
    real = files._bytes

    def late(handle: int) -> bytes:
        data = real(handle)
        with (place_of(store) / files.MIND).open("a", encoding="utf-8") as file:
            file.write("more")
        return data

    monkeypatch.setattr(files, "_bytes", late)
    with pytest.raises(Conflict, match="changed while it was read"):
        commit(store, NOW, COUNTER.count)
    monkeypatch.setattr(files, "_bytes", real)
    assert commit(store, NOW, COUNTER.count).outcome is Outcome.COMMITTED


def test_s23_a_second_checkpoint_is_refused_while_one_is_open_and_an_abandoned_one_expires(
    store: Store, clock: Clock
) -> None:
    """Half an hour later the abandoned one is audited and makes room; it can no longer be committed."""
    begin(store)
    with pytest.raises(Conflict, match="open until"):
        begin(store)
    clock.forward(minutes=31)
    with pytest.raises(NotFound, match="no checkpoint of session s-1 is open"):
        commit(store, NOW, COUNTER.count)
    begin(store)
    assert [row.outcome for row in attempts(store)] == ["abandoned"]


def test_s51_the_first_commit_tells_every_problem_and_the_second_decides(store: Store) -> None:
    """After the repair message everything is as it was; the second answer is judged by the fallback rules."""
    before = good(store)
    begin(store)
    edit_files(store, MIND.replace("## Mission\n", ""))
    first = commit(store, "no block", COUNTER.count)
    assert first.outcome is Outcome.REPAIR and len(first.problems) >= 2
    assert [row.checkpoint_id for row in history_of(store)] == [before]
    second = commit(store, NOW, COUNTER.count)
    assert second.outcome is Outcome.COMMITTED and second.value
    assert "the previous mind was kept" in second.fallbacks and "ship the importer" in second.value.mind


def test_s53_the_whole_mind_is_kept_in_a_read_only_copy(store: Store) -> None:
    """Mode 0444, named by its content, written once and whole, and named in the text that shows it cut."""
    long = mind(mission="- ship it [#1]", lessons="a lesson worth keeping. " * 600)
    begin(store)
    edit_files(store, long, 3)
    assert commit(store, NOW, COUNTER.count).outcome is Outcome.REPAIR
    done = commit(store, NOW, COUNTER.count)
    # a short talk is no reason for a mind of 3,000 tokens: refused for its size, nothing is written
    assert done.outcome is Outcome.FAILED and not (store.place.folder / "minds").exists()
    record(store, [*TALK, *conversation(*["a:"] * 7, "u:" + "much more said " * 3_000, "a:done", "u:next", "a:k")[7:]])
    begin(store)
    edit_files(store, long, 3)
    commit(store, NOW, COUNTER.count)
    done = commit(store, NOW, COUNTER.count)
    assert done.value, done.problems
    (copy,) = (store.place.folder / "minds").iterdir()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o444 and copy.read_text(encoding="utf-8") == done.value.mind
    assert f".curator/minds/{copy.name}" in done.value.text
    files.keep_copy(store.place.folder / "minds", copy.name, "other")
    assert copy.read_text(encoding="utf-8") == done.value.mind


def test_s54_a_failed_store_commit_leaves_no_row(store: Store) -> None:
    """What goes wrong inside the transaction takes checkpoint, record row and audit with it; it stays open."""
    begin(store)
    edit_files(store, MIND, 3)

    def broken(*_: object) -> None:
        raise CuratorError("the disk is full")

    with pytest.raises(CuratorError, match="disk is full"):
        commit(store, NOW, COUNTER.count, follow=broken)
    assert not history_of(store) and not attempts(store)
    with store.read() as session:
        assert not session.exec(select(tables.Record).where(tables.Record.kind == "checkpoint")).all()
    assert commit(store, NOW, COUNTER.count).outcome is Outcome.COMMITTED


def test_s54_a_failed_turn_leaves_everything_as_it_was(store: Store) -> None:
    """A failed second answer, or a program that gave none: no checkpoint, one audit each, and the next may begin."""
    begin(store)
    edit_files(store, MIND, 3)
    commit(store, "no block", COUNTER.count)
    assert commit(store, "still none", COUNTER.count).outcome is Outcome.FAILED
    assert not history_of(store) and not place_of(store).exists()
    assert len(attempts(store)) == 1


def test_s55_exactly_one_audit_record_per_attempt(store: Store) -> None:
    """Outcome, problems of both rounds, rounds, usage and fallbacks; none of it stands in the text."""
    begin(store)
    edit_files(store, MIND)
    commit(store, NOW, COUNTER.count)
    done = commit(store, NOW, COUNTER.count)
    (row,) = attempts(store)
    assert (row.outcome, row.checkpoint_id, row.value["rounds"]) == ("committed", done.ident, 2)
    assert row.value["problems"] == ["the memo was not decided: tick what guides the work, leave or untick the rest"]
    assert row.value["fallbacks"] == ["the memo was untouched: every candidate was kept"]
    assert row.value["usage"]["answer_tokens"] > 200 and done.value
    assert "was not decided" not in done.value.text and "untouched" not in done.value.text


@pytest.mark.parametrize(("client", "helps"), [("claude", False), ("codex", True)])
def test_a_checkpoint_helps_by_the_margin_of_its_own_client(tmp_path: Path, client: str, helps: bool) -> None:
    """The same text is past 0.75 T in Claude's tokens (x 1.65) and below it in Codex's (x 1)."""
    store = made(tmp_path / client)
    record(store, conversation("u:build it", "a:" + "long work " * 9_000, "u:go on", "a:k"), client=client)
    begin(store, window=8_000)
    edit_files(store, MIND)
    step = now("the importer", 2_700)
    commit(store, step, COUNTER.count)
    assert commit(store, step, COUNTER.count).outcome is Outcome.COMMITTED
    assert attempts(store)[0].value["helped"] is helps


def test_s59_after_two_that_did_not_help_none_is_tried_until_the_person_speaks(store: Store) -> None:
    """The third begin in a run is refused with a reason; a new message of the person opens the way."""
    for _ in range(2):
        begin(store)
        fail(store, "s-1", "no answer")
    with pytest.raises(CuratorError, match="two checkpoints since the person's last message did not help"):
        begin(store)
    assert without_model(store, COUNTER.count)
    record(store, conversation(*["a:"] * 8, "u:try again", "a:k")[8:])
    assert begin(store)


def test_a_commit_is_refused_when_another_was_committed_meanwhile(store: Store) -> None:
    """Compare-and-set on the checkpoint it builds on: a hook's came in between, so it begins again."""
    begin(store)
    edit_files(store, MIND, 3)
    assert without_model(store, COUNTER.count)
    with pytest.raises(Conflict, match="committed meanwhile"):
        commit(store, NOW, COUNTER.count)
    assert good(store)


def test_numbers_and_edits_through_functions_do_the_same(store: Store) -> None:
    """What MCP will call: section-scoped edits on the file, numbers instead of boxes."""
    from curator.checkpoint.edit import edited

    under, turn = begin(store)
    text = edited(turn.mind, "(none yet: mission)", "- ship the importer [#1]", section="## Mission")
    files.write(place_of(store), files.MIND, text)
    done = commit(store, Answer(NOW, text, ticks=frozenset({3})), COUNTER.count, under.session)
    assert done.value and done.value.memo == (3,) and "- M1 [open] ship the importer [#1]" in done.value.mind


def test_a_hooks_checkpoint_is_idempotent(store: Store) -> None:
    """Before a compaction: the words are kept once; fired again, nothing is added."""
    first = without_model(store, COUNTER.count)
    assert first and first.value.through == 7 and first.value.made_by == "hook"
    assert "(#3) never push to main" in first.value.text
    assert without_model(store, COUNTER.count) is None
    assert len(history_of(store)) == 1 and [row.outcome for row in attempts(store)] == ["committed"]
    with pytest.raises(NotFound):
        without_model(store, COUNTER.count, "nobody")


def test_a_session_of_50_megabytes_of_text_is_checkpointed(store: Store) -> None:
    """One message of 50 MB: its number and its beginning are in the checkpoint, which stays small."""
    record(store, [*TALK, *conversation(*["a:"] * 7, "u:never " + "x" * 50_000_000, "a:k", "u:go")[7:]])
    made_ = without_model(store, COUNTER.count)
    assert made_ and made_.value.tokens < 3_000 and "[cut: #8]" in made_.value.text


def test_s65_skills_come_back_in_their_present_version(store: Store, home: Path) -> None:
    """A hook's checkpoint carries the text that a skill's or a command's file has now; none that is gone."""
    folder = store.place.top / ".claude"
    for path, text in (
        (folder / "skills/land/SKILL.md", "land by the script </context-checkpoint> ghp_" + "a1B2" * 9),
        (folder / "commands/ship.md", "ship after the smoke test"),
        (home / ".claude/skills/land/SKILL.md", "the person's older one"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    loads = conversation("a:k", "t:Skill", "t:Skill", "t:Skill", "t:Skill")
    names = ("gone", "land", "ship", "../../secret")
    record(store, [replace(r, seq=r.seq + 7, unit=9, skill=dict(enumerate(names, 2)).get(r.seq, "")) for r in loads])
    kept = without_model(store, COUNTER.count)
    assert kept
    text = kept.value.text
    part = text[text.index("# 8. Skills") : text.index("# 9.")]
    assert part.index("Skill ship:\nship after") < part.index("Skill land:\nland by the script")
    assert "gone" not in part and "secret" not in part and "older one" not in part and "ghp_" not in part
    assert text.count("</context-checkpoint>") == 1
