"""`status` and the skills that go with it: where things stand, what hooks cost, in few bytes."""

import json
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.plain import one_line
from curator.snapshot import refresh
from curator.store.engine import Store
from curator.store.tables import Attempt, Proposal, Receipt
from tests.helpers import load_active

SKILLS = Path(__file__).parent.parent.parent / "curator" / "plugin" / "skills"


def status(store: Store, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What it prints."""
    capsys.readouterr()
    assert main(["-C", str(store.place.root), "status", *words]) == 0
    return capsys.readouterr().out


def busy(store: Store, long: str = "") -> None:
    """A store where everything that status can say is there to be said."""
    load_active(
        store, [{"id": f"n-{n}", "kind": "lesson", "body": f"the parser skips row {n} {long}"} for n in range(3)]
    )
    folder = store.place.folder
    (folder / "CONTRACT.md").write_text("## SUMMARY\n- api: never rename it\n")
    (folder / "TASK_STATE.md").write_text(
        f"## CURRENT\n- task: mend the importer {long}\n- phase: tests\n## DONE\n- [x] read it\n"
        f"## NEXT\n- [x] done\n- [ ] write the test {long}\n- [ ] land it\n## BLOCKERS\n- a review {long}\n"
    )
    with store.write() as session:
        session.add(Attempt(project_id=store.project_id, attempt_id="A1", outcome=f"failed: {long}", at=store.now()))
        for n in range(2):
            session.add(
                Receipt(
                    project_id=store.project_id, receipt_id=f"R{n}", session_id="S", digest="d", delivered=n > 0,
                    at=store.now(),
                )
            )  # fmt: skip
        for n in range(3):
            session.add(Proposal(project_id=store.project_id, proposal_id=f"P-{n}", number=n, created_at=store.now()))
    assert refresh(store) == ""


def test_status_tells_task_checkpoint_proposals_trouble_and_costs(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each hook with its tokens, `off` where a setting switches it off; the task, what is next, what did not arrive."""
    busy(store)
    config = store.place.folder / "config.toml"
    config.write_text(config.read_text() + "stop_hook = false\n")
    shown = status(store, capsys)
    for told in (
        "task                task: mend the importer · phase: tests",
        "then                write the test (and 1 more)",
        "blocked             - a review",
        "3 waiting for you",
        "1 of the last 2 injections did not arrive",
        "the last checkpoint attempt failed",
        "stop off, recall off",
    ):
        assert told in shown
    hooks = json.loads(status(store, capsys, "--json"))["hooks"]
    assert set(hooks) == {"session-start", "compaction", "prompt", "pre-tool", "post-tool", "stop", "recall"}
    assert not hooks["stop"]["on"] and hooks["prompt"]["on"]
    assert all(hooks[name]["tokens"] > 0 for name in hooks)
    assert f"prompt {hooks['prompt']['tokens']}" in shown


@pytest.mark.parametrize("long", ["word " * 400, "编码器 " * 400, "🙂" * 900])
def test_status_stays_under_1500_bytes(store: Store, capsys: pytest.CaptureFixture[str], long: str) -> None:
    """However long the texts in it are and in whatever script, so that orienting costs an agent little."""
    busy(store, long)
    shown = status(store, capsys)
    assert len(shown.encode()) < 1_500
    assert "task " in shown and "proposals " in shown and "hooks, tokens each" in shown


def test_the_skills_say_what_they_must_and_stay_small() -> None:
    """Orient begins with `status` and is under 1,500 bytes; land has each step of a good end, none forced."""
    orient, land = ((SKILLS / name / "SKILL.md").read_text() for name in ("orient", "land"))
    assert len(orient.encode()) < 1_500 and orient.index("curator status") < orient.index("curator search")
    flat = one_line(land)
    for step in ("What is finished", "skill `checkpoint`", "curator layers handoff", "curator sweep", "Sync"):
        assert step in flat
    assert "may be skipped" in flat and "decides for the person" in flat and "do not start it unasked" in flat
