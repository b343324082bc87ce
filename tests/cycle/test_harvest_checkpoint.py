"""From a committed checkpoint to notes (spec: Harvest)."""

from dataclasses import replace
from pathlib import Path

from sqlmodel import select

from curator.checkpoint import Answer, Checkpoint, MadeBy, Word
from curator.cycle.checkpoints import begin, commit
from curator.cycle.checkpoints.current import noting
from curator.harvest.checkpoint import drafts
from curator.store import tables
from curator.store.engine import Store
from tests.checkpoint.talk import conversation, mind, now
from tests.cycle.kept import COUNTER, made, record

MIND = mind(
    agreements="- you may merge small fixes yourself [#3]",
    mission="- ship the importer [#1]",
    decisions="- SQLite, because one file moves with the folder [#1 #5]\n- the schema keeps one table a kind",
    lessons="- read the schema before the code\n  and its history\n"
    "### Habits\n- whenever a test hangs, look for stdin first\n",
)
NOW = now(filler=120, pitfalls="- `KeyError: id` came from the empty last line")[12:-13]
VALUE = Checkpoint(
    through=9,
    mind=MIND,
    now=NOW,
    memo=(1, 5),
    words=(Word(1, "ship it"), Word(5, "no, use tabs, not spaces, in here")),
    text="x",
)


def test_each_part_becomes_its_kind_with_its_sources() -> None:
    """Lessons, decisions and pitfalls are the agent's, a correction in the memo the person's; agreements are none."""
    found = [(draft.kind.value, draft.origin.value, draft.text, draft.seqs) for draft in drafts(VALUE, None)]
    assert found == [
        ("lesson", "agent", "read the schema before the code\n  and its history", ()),
        ("pattern", "agent", "whenever a test hangs, look for stdin first", ()),
        ("decision", "agent", "SQLite, because one file moves with the folder", (1, 5)),
        ("design", "agent", "the schema keeps one table a kind", ()),
        ("root-cause", "agent", "`KeyError: id` came from the empty last line", ()),
        ("correction", "human", "no, use tabs, not spaces, in here", (5,)),
    ]


def test_only_what_is_new_against_the_checkpoint_before() -> None:
    """White space and letter case make no news; a hook's checkpoint never has any."""
    later = replace(VALUE, mind=MIND.replace("read the schema before", "Read  the schema before") + "- a new one\n")
    assert [draft.text for draft in drafts(later, VALUE)] == ["a new one"]
    assert drafts(VALUE, VALUE) == [] and drafts(replace(VALUE, made_by=MadeBy.HOOK), None) == []


def notes(store: Store) -> list[tables.Note]:
    with store.read() as session:
        return list(session.exec(select(tables.Note).order_by(tables.Note.kind)))


def test_a_commit_makes_notes_once(tmp_path: Path) -> None:
    """The notes carry checkpoint, part, heading and record numbers; the same checkpoint again adds none."""
    store = made(tmp_path / "project")
    record(store, conversation("u:ship it", "a:ok", "u:you may merge small fixes", "a:ok", "u:go", "a:on it", "t:Bash"))
    idents = []
    for ticks in ((3,), ()):
        begin(store)
        done = commit(store, _answer(ticks), COUNTER.count, follow=noting(store))
        assert done.ident, done.problems
        idents.append(done.ident)
    found = notes(store)
    assert [note.kind for note in found] == ["decision", "design", "lesson", "pattern", "root-cause"]
    decision = found[0]
    assert (decision.source["checkpoint"], decision.source["part"]) == (idents[0], "mind")
    assert (decision.source["heading"], decision.source["seqs"]) == ("# 3. Key decisions", [1, 5])
    assert not any("merge small fixes" in note.body for note in found)


def _answer(ticks: tuple[int, ...]) -> Answer:
    return Answer(f"<checkpoint>\n{NOW}\n</checkpoint>", MIND, ticks=frozenset(ticks))
