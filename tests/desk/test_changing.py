"""Changing proposals before deciding: revise, fold, split, restore a detail; and what stands around them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from curator.desk import texts
from curator.desk.filters import parse, written
from curator.desk.views import Filter, Lost, Shown
from curator.draft import Draft
from curator.errors import BadUsage, CuratorError
from curator.store.engine import Store
from curator.vocab import Kind, Op, ProposalState, Route
from tests.conftest import Clock
from tests.desk.helpers import desk_on, documents, enter, lesson, propose, states


def test_a_revision_waits_on_edited_and_can_be_taken_back(store: Store) -> None:
    """The text on screen before the revision can no longer be accepted; the revised one can."""
    shown = propose(store, Op.ADD, after=[lesson("Use pnpm.")])
    desk = desk_on(store)
    assert desk.revise(shown, [lesson("Use pnpm, never npm.", kind=Kind.CORRECTION)]).complete
    seen = desk.dossier(shown.proposal_id)
    assert (seen.row.edited, seen.row.kind, seen.after[0].body) == (True, Kind.CORRECTION, "Use pnpm, never npm.")
    assert desk.accept([shown]).items[0].outcome == "stale"
    desk.undo()
    assert desk.dossier(shown.proposal_id).after[0].body == "Use pnpm."
    seen = desk.dossier(shown.proposal_id)
    assert desk.accept([Shown(seen.row.proposal_id, seen.row.rev)]).complete


def test_accepting_other_words_is_one_decision_and_one_undo(store: Store) -> None:
    """Text and acceptance come and go together."""
    shown = propose(store, Op.ADD, after=[lesson("Use pnpm.")])
    desk = desk_on(store)
    assert desk.accept_as(shown, [lesson("Never npm.")]).decision == 1
    assert [d["body"] for d in documents(store).values()] == ["Never npm."]
    desk.undo()
    assert documents(store) == {} and desk.dossier(shown.proposal_id).after[0].body == "Use pnpm."


def test_folding_makes_an_addition_an_update_of_the_memory(store: Store) -> None:
    """Both texts, labels and anchors are in the result; the memory has this one proposal now."""
    (old,) = enter(store, lesson("Use pnpm in web/.", labels=["web"], refs=["web/"]))
    shown = propose(store, Op.ADD, after=[lesson("npm breaks the lock file.", labels=["npm"])])
    desk = desk_on(store)
    assert desk.fold(shown, old.entry_id, 1).complete
    seen = desk.dossier(shown.proposal_id)
    assert seen.row.op is Op.UPDATE and seen.after[0].body == "Use pnpm in web/.\nnpm breaks the lock file."
    assert seen.after[0].labels == ("npm", "web") and seen.after[0].refs == ("web/",)
    assert desk.accept([Shown(shown.proposal_id, seen.row.rev)]).complete
    assert len(documents(store)) == 1
    desk.undo()
    desk.undo()
    assert desk.dossier(shown.proposal_id).row.op is Op.ADD
    other = propose(store, Op.UPDATE, [old], [old.with_(body="Other.")])
    assert desk.accept([other]).complete


def test_a_split_makes_parts_that_are_decided_one_by_one(store: Store) -> None:
    """The first part keeps the target, the others add; undoing the split brings the whole back."""
    (old,) = enter(store, "Deploy notes.")
    evidence = [{"speaker": "user", "string": "one"}, {"speaker": "agent", "string": "two"}]
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="Config. Blue and green.")], evidence=evidence)
    desk = desk_on(store)
    first, second = texts.parts_of(old, "Config.\n---\nBlue and green.\n---\n")
    assert desk.split(shown, [first, second.with_(kind=Kind.DESIGN, route=Route.DEFERRED)], [[0], [0, 1]]).complete
    assert states(store) == {"P-0001": "withdrawn", "P-0001.1": "open", "P-0001.2": "open"}
    one, two = desk.dossier("P-0001.1"), desk.dossier("P-0001.2")
    assert (one.row.op, two.row.op, two.row.route) == (Op.UPDATE, Op.ADD, Route.DEFERRED)
    assert ([e.text for e in one.evidence], len(two.evidence)) == (["one"], 2)
    desk.undo()
    assert states(store) == {"P-0001": "open", "P-0001.1": "withdrawn", "P-0001.2": "withdrawn"}
    seen = desk.dossier("P-0001")
    assert desk.split(Shown("P-0001", seen.row.rev), [first, second]).complete
    assert desk.accept([Shown("P-0001.3", 1), Shown("P-0001.4", 1)]).complete
    assert documents(store)[old.entry_id]["body"] == "Config."


def test_a_missing_detail_is_put_back_and_no_longer_missing(store: Store) -> None:
    """One step each; what the text holds already is not added again."""
    lost = Lost("number", "8080", "The port is 8080.")
    (old,) = enter(store, "The port is 8080. Use TLS.")
    shown = propose(
        store,
        Op.UPDATE,
        [old],
        [old.with_(body="Use TLS.")],
        lost=[{"kind": "number", "text": "8080", "context": lost.context}],
    )
    desk = desk_on(store)
    seen = desk.dossier(shown.proposal_id)
    assert seen.lost == (lost,)
    new = texts.restored(seen.after[0], lost, seen.before)
    assert texts.restored(new, lost, seen.before) == new
    desk.revise(shown, [new])
    seen = desk.dossier(shown.proposal_id)
    assert seen.lost == () and seen.after[0].body == "Use TLS.\nThe port is 8080."


@pytest.mark.parametrize("over", [-1, 0, 1, 90_000])
def test_a_typed_text_is_stored_whole_or_refused_with_its_size(store: Store, over: int) -> None:
    """Case 89 for accept, revise and edit: one limit, never a silent cut."""
    limit = store.settings.note_bytes
    body = "x" * (limit + over - 4) + " END"
    (old,) = enter(store, "The limit is 10.")
    shown = propose(store, Op.ADD, after=[lesson("Use pnpm.")])
    desk = desk_on(store)
    if over > 0:
        for call in (
            partial(desk.edit, old.entry_id, 1, old.with_(body=body)),
            partial(desk.revise, shown, [lesson(body)]),
            partial(desk.accept_as, shown, [lesson(body)]),
        ):
            with pytest.raises(CuratorError, match=f"{limit:,}"):
                call()
        return
    desk.edit(old.entry_id, 1, old.with_(body=body))
    assert desk.entry(old.entry_id).draft.body == body
    assert desk.search("END")[0].entry_id == old.entry_id


def test_what_a_reviewer_types_is_cleaned(store: Store) -> None:
    """Terminal escapes go; the words stay."""
    (old,) = enter(store, "The limit is 10.")
    desk = desk_on(store)
    desk.edit(old.entry_id, 1, Draft("Limit", "The \x1b[31mlimit\x1b[0m is\u202e 20.", Kind.LESSON, Route.INJECTED))
    assert desk.entry(old.entry_id).draft.body == "The limit is 20."


def test_the_filter_line_reads_back_and_refuses_what_cannot_be() -> None:
    """Every part of the language; unknown values are named."""
    line = "op:add kind:design route:deferred label:web conf>=0.8 conf<0.95 is:conflict -is:edited tests 'two words'"
    wanted = parse(line)
    assert wanted == Filter(
        op=Op.ADD,
        kind=Kind.DESIGN,
        route=Route.DEFERRED,
        labels=("web",),
        words=("tests", "two words"),
        at_least=0.8,
        below=0.95,
        marks=("conflict",),
        without=("edited",),
    )
    assert written(wanted) == line and parse(written(wanted)) == wanted
    assert parse("-conflict [ it's").words == ("[", "it's") and parse("-conflict x").without == ("conflict",)
    for wrong in ("op:frob", "conf>=2", "is:good", "kind:"):
        with pytest.raises(BadUsage):
            parse(wrong)


def test_the_summary_counts_what_stands(store: Store, clock: Clock) -> None:
    """Taken-back decisions do not count; what was there before is told from the ledger."""
    (old,) = enter(store, "The limit is 10.")
    desk = desk_on(store)
    desk.accept([propose(store, Op.ADD, after=[lesson("Before.")])])
    desk.accept([propose(store, Op.ADD, after=[lesson("One.")]), propose(store, Op.TOMBSTONE, [old])])
    desk.accept([propose(store, Op.ADD, after=[lesson("Two.", kind=Kind.DESIGN)])])
    desk.reject([propose(store, Op.ADD, after=[lesson("Three.")])], "one-off")
    desk.accept([propose(store, Op.ADD, after=[lesson("Four.")])])
    desk.undo()
    desk.snooze([propose(store, Op.ADD, after=[lesson("Five.")])])
    told = desk.summary(1)
    assert told.accepted == {Op.ADD: 2, Op.TOMBSTONE: 1} and told.rejected == {"one-off": 1}
    assert (told.memories_before, told.memories_now) == (2, 2)
    assert (told.deferred_before, told.deferred_now, told.left, told.snoozed) == (0, 1, 1, 1)


def test_a_bulk_sheet_leaves_out_conflicts_and_edited_ones(store: Store) -> None:
    """They want a look of their own; the rest is counted."""
    (old,) = enter(store, "The limit is 10.")
    stale = propose(store, Op.UPDATE, [old], [old.with_(body="The limit is 20.")])
    edited = propose(store, Op.ADD, after=[lesson("Use pnpm.")], token_effect=2)
    propose(store, Op.ADD, after=[lesson("Use UTC.")], token_effect=3)
    desk = desk_on(store)
    desk.edit(old.entry_id, 1, old.with_(body="The limit is 30."))
    desk.revise(edited, [lesson("Use pnpm!")])
    told = texts.sheet(desk.queue().rows)
    assert [row.title for row in told.rows] == ["Use UTC"] and told.token_effect == 3
    assert told.left_out == {"conflict": 1, "edited": 1} and stale.proposal_id not in {r.proposal_id for r in told.rows}


def test_filters_are_saved_by_name(store: Store) -> None:
    """In the order they were saved; an empty line takes one away."""
    desk = desk_on(store)
    desk.save_tab("adds", "op:add")
    desk.save_tab("doubt", "conf<0.5")
    assert list(desk.tabs().items()) == [("adds", "op:add"), ("doubt", "conf<0.5")]
    desk.save_tab("adds", "")
    assert desk.tabs() == {"doubt": "conf<0.5"}


def test_promoting_moves_an_entry_to_the_persons_own_store(
    store: Store, new_store: Callable[..., Store], tmp_path: Path
) -> None:
    """Here it is out of every read path, there it is active; each ledger has its half."""
    own = new_store(tmp_path / "own")
    (old,) = enter(store, "Always use UTC.")
    item = desk_on(store, own=lambda: desk_on(own)).promote(old.entry_id, 1).items[0]
    assert documents(store)[old.entry_id]["state"] == "superseded"
    (there,) = documents(own).values()
    assert (there["entry_id"], there["body"], there["state"]) == (item.entry_id, "Always use UTC.", "active")
    assert [len(desk_on(each).log()) for each in (store, own)] == [1, 1]
    assert ProposalState.OPEN not in states(own)
    with pytest.raises(CuratorError, match="in your own store already"):
        desk_on(own, own=lambda: desk_on(own)).promote(item.entry_id, 1)


def test_the_lines_that_an_anchor_cites_are_shown_and_nothing_outside_the_project(store: Store) -> None:
    """A line, a range, a missing one; `..`, an absolute path and a link out give nothing."""
    top = store.place.root
    (top / "deploy.py").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (top.parent / "secret.txt").write_text("secret\n", encoding="utf-8")
    (top / "link.txt").symlink_to(top.parent / "secret.txt")
    refs = [
        "deploy.py:2",
        "deploy.py:2-9",
        "deploy.py:77",
        "../secret.txt:1",
        f"{top.parent}/secret.txt:1",
        "link.txt:1",
    ]
    shown = propose(store, Op.ADD, after=[lesson("Deploy twice.", refs=[*refs, "make test"])])
    lines = {anchor.ref: anchor.lines for anchor in desk_on(store).dossier(shown.proposal_id).anchors}
    assert lines.pop("deploy.py:2") == "2 two" and lines.pop("deploy.py:2-9") == "2 two\n3 three"
    assert set(lines.values()) == {""} and len(lines) == 5
