"""The cases about approval, by their numbers."""

from pathlib import Path

import pytest

from curator.__main__ import main
from curator.cli.reviewing import quick
from curator.desk.views import Shown
from curator.draft import Draft, draft
from curator.errors import NotFound
from curator.plain import plain
from curator.store import entries
from curator.store.engine import Store
from curator.vocab import Op
from tests.desk.helpers import desk_on, documents, lesson, propose, states
from tests.desk.test_cli import json_of, run
from tests.desk.test_plain import review
from tests.helpers import load_active, rows_of

CASES = Path(__file__).parent.parent / "cases"


def loaded(store: Store, case: str) -> dict[str, Draft]:
    """The case's entries, by id."""
    ids = load_active(store, CASES / case / "notes.jsonl")
    with store.read() as session:
        rows = [entries.get(session, store.project_id, entry_id) for entry_id in ids]
        labels = entries.labels_of(session, store.project_id, ids)
        return {row.entry_id: entries.draft_of(row, labels[row.entry_id]) for row in rows}


def proposed(store: Store) -> dict[str, Shown]:
    """Case 69's notes and its three proposals, by the case's names."""
    known = loaded(store, "69")
    out = {}
    for row in rows_of(CASES / "69" / "proposals.jsonl"):
        base = known[row["target"]]
        after = [base.saying(row["body"])] if "body" in row else []
        out[row["id"]] = propose(store, Op(row["op"]), [base], after)
    return out


def test_case_69_a_stale_proposal_does_not_revert_a_newer_edit(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """From the shell: the edit survives, accept-all does the two good ones, names the stale one and says partial."""
    proposed(shop)
    assert run(capsys, "edit", "n-001", "--text", _file(shop, "lesson: edited by hand"))[0] == 0
    code, out, err = run(capsys, "accept", "--all")
    assert code == 3 and "n-001 changed since" in out and "P-0001" in err
    assert out.count("accepted P-") == 2
    found = documents(shop)
    assert found["n-001"]["body"] == "lesson: edited by hand"
    assert (found["n-002"]["state"], found["n-003"]["body"]) == ("tombstoned", "lesson: third, clearer")
    assert run(capsys, "accept", "P-0001")[0] == 3
    (shown,) = json_of(capsys, "proposals", "show", "P-0001")["proposals"]
    assert shown["conflict"] and shown["drift"]
    three = [shown[key][0]["body"] for key in ("before", "now", "after")]
    assert three == ["lesson: original", "lesson: edited by hand", "lesson: from the sweep"]
    assert run(capsys, "accept", "P-0001", "--text", _file(shop, "lesson: from both"))[0] == 0
    assert documents(shop)["n-001"]["body"] == "lesson: from both"
    code, _, err = run(capsys, "accept", "--all")
    assert code == 0 and "nothing to accept" in err


def test_case_69_from_a_screen_that_was_opened_before_the_edit(store: Store) -> None:
    """What the screen still shows is not what is applied; the tombstoned target is not revived."""
    shown = proposed(store)
    desk = desk_on(store)
    seen = desk.queue().rows
    desk.edit("n-001", 1, draft("", "lesson: edited by hand", "lesson"))
    desk.tombstone("n-003", 1, "obsolete")
    items = desk.accept([Shown(row.proposal_id, row.rev) for row in seen]).items
    told = {item.id: item.outcome for item in items}
    assert told == {shown["P1"].proposal_id: "conflict", "P-0002": "accepted", "P-0003": "decided"}
    assert documents(store)["n-001"]["body"] == "lesson: edited by hand"
    assert documents(store)["n-003"]["state"] == "tombstoned" and states(store)["P-0003"] == "withdrawn"


def test_case_69_changes_in_other_words_are_put_together_and_shown_again(store: Store) -> None:
    """The proposal stands on the new text at a new revision; the old view of it decides nothing."""
    (old,) = loaded_texts(store, "Deploy on Friday with two reviewers.")
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="Deploy on Friday with three reviewers.")])
    desk = desk_on(store)
    desk.edit(old.entry_id, 1, old.with_(body="Deploy on Monday with two reviewers."))
    assert desk.accept([shown]).items[0].outcome == "rebased"
    assert documents(store)[old.entry_id]["body"] == "Deploy on Monday with two reviewers."
    assert desk.accept([shown]).items[0].outcome == "stale"
    seen = desk.dossier(shown.proposal_id)
    assert (seen.row.rev, seen.row.conflict, seen.drift) == (2, False, ())
    assert desk.accept([Shown(shown.proposal_id, 2)]).complete
    assert documents(store)[old.entry_id]["body"] == "Deploy on Monday with three reviewers."


def test_case_59_a_prefix_that_fits_two_is_refused_and_one_id_retires_one_entry(
    shop: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight texts with one name are eight entries; forgetting the second takes exactly it."""
    titles = (CASES / "59" / "titles.txt").read_text(encoding="utf-8").split("\n")
    texts = [title for title in titles if title.strip()]
    for text in texts:
        propose(shop, Op.ADD, after=[lesson(text)])
    assert run(capsys, "accept", "--all")[0] == 0
    ids = {document["body"]: key for key, document in documents(shop).items()}
    assert len(ids) == len(texts)
    code, _, err = run(capsys, "tombstone", "m-", "--reason", "test")
    assert code == 1 and "fits several" in err
    second = next(key for body, key in ids.items() if body == texts[1].strip())
    assert run(capsys, "tombstone", second, "--reason", "test")[0] == 0
    assert [key for key, document in documents(shop).items() if document["state"] != "active"] == [second]


def test_case_63_what_is_tombstoned_is_in_no_read_path(shop: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Search, list and the next session give the live one only; `show` says when, why and by which decision."""
    known = loaded(shop, "63")
    live, *dead = sorted(known, key=lambda name: name != "n-012" and name != min(known))
    for entry_id in dead:
        assert run(capsys, "tombstone", entry_id, "--reason", "superseded by the runbook")[0] == 0
    words = known[live].body.split()[1]
    for command in (["search", words, "--limit", "3"], ["list"], ["search", "--desc-contains", words]):
        hits = json_of(capsys, *command)["hits"]
        assert [hit["id"] for hit in hits] == [live], command
    assert dead[0] in run(capsys, "list", "--status", "all")[1]
    code, out, _ = run(capsys, "show", dead[0])
    assert code == 0 and "tombstoned" in out and "runbook" in out
    assert dead[0] not in run(capsys, "preview")[1]
    with pytest.raises(NotFound):
        desk_on(shop).entry("n-999")
    shown = propose(shop, Op.ADD, after=[known[dead[0]].with_(entry_id="")])
    item = desk_on(shop).accept([shown]).items[0]
    assert (item.outcome, item.done) == ("gone", False) and f"curator restore {dead[0]}" in item.detail


def test_case_71_any_text_is_shown_and_decided_on_line_by_line(store: Store) -> None:
    """Markup, wide characters and escapes stand there character by character; the decision hits what was shown."""
    texts = [row["body"] for row in rows_of(CASES / "71" / "notes.jsonl")]
    for number, text in enumerate(texts):
        propose(store, Op.ADD, after=[lesson(text)], harm=1 - number / 100)
    told, _ = review(store, "/", "[", "q")
    assert sum(line.startswith("Proposal ") for line in told) == 2  # the first of all, then the first that holds `[`
    told, _ = review(store, *("a" if number % 2 else "z" for number in range(len(texts))))
    flat = "\n".join(told)
    for text in texts:
        assert " ".join(plain(text).split()) in flat
    assert "\x1b" not in flat and flat.count("Accepted P-") == flat.count("Snoozed P-") == 5
    bodies = {document["body"] for document in documents(store).values()}
    assert bodies == {text.strip() for text in texts[1::2]}


def test_the_quick_way_reads_only_what_it_knows(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help and unknown options are left to the command line; `-C` is taken before and after."""
    monkeypatch.chdir(store.place.root)
    assert quick(["review", "--help"]) is None and quick(["review", "--frob"]) is None
    assert quick(["-C", "/nowhere/at/all", "review"]) is None
    assert quick(["review"]) == 0 and main(["review", "-C", str(store.place.root)]) == 0


def loaded_texts(store: Store, *bodies: str) -> list[Draft]:
    """Entries with these texts."""
    from tests.desk.helpers import enter

    return enter(store, *bodies)


def _file(store: Store, text: str) -> str:
    path = store.place.root / "text.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_conflict_says_who_changed_the_target(store: Store) -> None:
    """By name, and by the decision that did it."""
    (old,) = loaded_texts(store, "Run ruff.")
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="Run ruff --fix.")])
    desk = desk_on(store)
    desk.edit(old.entry_id, 1, old.with_(body="Run make lint."))
    (told,) = desk.dossier(shown.proposal_id).drift
    assert "ana" in told and "D-0001" in told


def test_a_merged_text_that_nobody_settled_is_not_accepted(store: Store) -> None:
    """Words of both sides never become a memory; once chosen, they do."""
    (old,) = loaded_texts(store, "Deploy on Friday with two reviewers.")
    shown = propose(store, Op.UPDATE, [old], [old.with_(body="Deploy on Sunday with two reviewers.")])
    desk = desk_on(store)
    desk.edit(old.entry_id, 1, old.with_(body="Deploy on Monday with three reviewers."))
    seen = desk.dossier(shown.proposal_id)
    assert "[<Monday|Sunday>]" in seen.merged[0].body and "three" in seen.merged[0].body
    for half in (seen.merged[0], seen.merged[0].with_(body=seen.merged[0].body + " Always.")):
        (item,) = desk.accept_as(shown, [half], seen.now).items
        assert (item.done, item.outcome) == (False, "refused")
    (item,) = desk.accept_as(shown, [seen.merged[0].with_(body="Deploy on Monday or Sunday.")], seen.now[:0]).items
    assert item.outcome == "conflict"
    assert desk.accept_as(shown, [seen.merged[0].with_(body="Deploy on Monday or Sunday.")], seen.now).complete
    assert documents(store)[old.entry_id]["body"] == "Deploy on Monday or Sunday."
