"""preview, why, layers and report on the command line."""

import json
import subprocess
import xml.dom.minidom
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from curator.__main__ import main
from curator.snapshot import refresh
from curator.snapshot.evidence import cites, judge
from curator.store.engine import Store
from curator.store.tables import Note, Receipt, Record, Session, Sighting
from tests.conftest import Clock
from tests.helpers import load_active
from tests.hook.helpers import CASES, context, hook, start


@pytest.fixture(autouse=True)
def _here(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(store.place.root)


def ran(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """The stdout of one call that must end with `code`."""
    capsys.readouterr()
    assert main(words) == code
    return capsys.readouterr().out


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """The JSON document of one call."""
    value = json.loads(ran(capsys, *words, "--json"))
    assert isinstance(value, dict) and value["schema"] == 1
    return value


def test_a_preview_is_what_the_next_session_gets(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text, byte for byte, as the hook prints; tokens, bytes, parts and what is left out beside it."""
    load_active(store, [{"id": f"n-{n:02}", "kind": "lesson", "body": f"fact {n} " * 40} for n in range(40)])
    refresh(store)
    shown = document(capsys, "preview")
    assert shown["text"] == context(hook(store.place.root, "session-start", start()))
    assert shown["bytes"] == len(shown["text"].encode()) <= 9_500 and shown["tokens"] <= 2_000
    assert len(shown["entries"]) + len(shown["left_out"]) == 40
    assert {one["reason"] for one in shown["left_out"]} == {"no room"}
    text = ran(capsys, "preview")
    assert shown["text"] in text and f"{shown['bytes']} of 9500 bytes" in text and "left out  n-" in text


def test_case_05_the_memories_alone_are_without_the_header(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """`--part memories` shows both lessons and not the header file; unknown parts and clients are wrong usage."""
    load_active(store, CASES / "05" / "notes.jsonl")
    (store.place.folder / "HEADER.md").write_text((CASES / "05" / "session_header.md").read_text())
    refresh(store)
    text = ran(capsys, "preview", "--part", "memories")
    assert "config/staging.yaml" in text and "smoke test before tagging" in text
    assert "Ask before deleting data." not in text
    assert "Ask before deleting data." in ran(capsys, "preview")
    ran(capsys, "preview", "--part", "warp", code=2)
    ran(capsys, "preview", "--client", "warp", code=2)


def test_why_names_every_factor_and_every_receipt(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """An injected, a deferred, a tombstoned and an unknown entry; a start whose receipt still lies in the spool."""
    load_active(
        store,
        [
            {"id": "n-in", "kind": "correction", "body": "use tabs in make files"},
            {"id": "n-kb", "kind": "design", "body": "the queue design"},
            {"id": "n-old", "kind": "lesson", "body": "an old one", "status": "tombstoned"},
        ],
    )
    refresh(store)
    context(hook(store.place.root, "session-start", start("S-first")))
    told = document(capsys, "why", "n-in")
    assert set(told["score"]) == {"total", "scope", "state", "importance", "relevance", "freshness"}
    assert set(told["importance"]) == {"kind", "human", "choice", "sightings"}
    assert [(one["session"], one["injected"]) for one in told["receipts"]] == [("S-first", True)]
    text = ran(capsys, "why", "n-in")
    assert "as number 1 of 1" in text and "x importance" in text and "S-first" in text
    assert "found by search" in ran(capsys, "why", "n-kb")
    assert "it is tombstoned" in ran(capsys, "why", "n-old")
    ran(capsys, "why", "nothing", code=1)


def test_layers_from_templates_to_the_injected_text(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing until asked for; templates pass their own check; what is written is injected in order."""
    assert "layers init" in ran(capsys, "layers")
    assert not (store.place.folder / "CONTRACT.md").exists()
    assert ran(capsys, "layers", "init").count("\n") == 3
    assert ran(capsys, "layers", "init") == ""
    ran(capsys, "layers", "check")
    assert "Contract" not in ran(capsys, "preview") and "Task state" not in ran(capsys, "preview")
    for name, example, line in (
        ("CONTRACT.md", "first-rule: what must always hold", "api: is frozen"),
        ("TASK_STATE.md", "task: what is being done", "task: mend the parser"),
    ):
        path = store.place.folder / name
        path.write_text(path.read_text().replace(f"<!-- - {example} -->", f"- {line}"))
    ran(capsys, "layers", "check")
    (store.place.folder / "SCRATCH.md").write_text("remember the port 8080\n" + "x" * 900)
    (store.place.folder / "SCRATCH.md").write_text("tried A\nthe port is 8080\n")
    refresh(store)
    text = ran(capsys, "preview")
    places = [text.index(part) for part in ("api: is frozen", "task: mend the parser", "the port is 8080")]
    assert places == sorted(places)
    ignored = subprocess.run(
        ["git", "check-ignore", "-q", "--no-index", ".curator/SCRATCH.md"], cwd=store.place.root, check=False
    )
    assert ignored.returncode in {0, 128}
    assert "!CONTRACT.md" in (store.place.folder / ".gitignore").read_text()


def test_a_changed_structure_is_named_by_line_and_the_last_good_version_comes_back(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exact line and what is wrong with it; `--restore` brings back what passed, and keeps what was there."""
    ran(capsys, "layers", "init")
    ran(capsys, "layers", "check")
    path = store.place.folder / "CONTRACT.md"
    before = path.read_bytes()
    path.write_text(before.decode().replace("## STACK", "## STUFF"))
    told = ran(capsys, "layers", "check", code=1)
    line = path.read_text().splitlines().index("## STUFF") + 1
    assert f"CONTRACT.md:{line}: '## STUFF' is no section" in told and "lacks `## STACK`" in told
    ran(capsys, "layers", "check", "--restore", "CONTRACT.md")
    assert path.read_bytes() == before
    assert "## STUFF" in path.with_name("CONTRACT.md.bad").read_text()
    ran(capsys, "layers", "check", "--restore", "NOTHING.md", code=1)


def test_a_huge_contract_and_invalid_utf8_are_survived(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """One megabyte and bytes that are no text: the summary is handed over, the limits hold."""
    rules = b"# C\n## SUMMARY\n- a: never \xff\xfe delete\n" + b"- b: x" * 170_000 + b"\n"
    (store.place.folder / "CONTRACT.md").write_bytes(rules)
    shown = document(capsys, "preview")
    assert "never" in shown["text"] and shown["bytes"] <= 9_500


def test_scratch_goes_into_the_record_and_is_emptied(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    """`layers clear` keeps the text as a machine's, not the person's, and a second one has nothing to do."""
    ran(capsys, "layers", "init")
    (store.place.folder / "SCRATCH.md").write_text("the port is 8080\n")
    assert "16 characters" in ran(capsys, "layers", "clear")
    assert (store.place.folder / "SCRATCH.md").read_text() == ""
    with store.read() as session:
        rows = session.exec(select(Record)).all()
    assert [(row.text, row.typed, row.sender) for row in rows] == [("the port is 8080", "machine", "SCRATCH.md")]
    assert "empty" in ran(capsys, "layers", "clear")


def test_evidence_tells_cited_from_contradicted_and_raises_nothing(store: Store, clock: Clock) -> None:
    """An answer that names the id cites; the person saying it again contradicts; entries stay as they were."""
    load_active(
        store,
        [
            {"id": "m-cited", "kind": "lesson", "body": "keep the batch key"},
            {"id": "m-again", "kind": "correction", "body": "never push to main"},
            {"id": "m-quiet", "kind": "lesson", "body": "retries are logged"},
        ],
    )
    from curator.door.normal import fingerprint
    from curator.store.tables import Entry

    with store.write() as session:
        session.add(Session(project_id=store.project_id, session_id="S1"))
        session.flush()
        session.add(
            Receipt(
                project_id=store.project_id,
                receipt_id="r1",
                session_id="S1",
                digest="d",
                tokens=50,
                entries=[{"entry_id": id_} for id_ in ("m-cited", "m-again", "m-quiet")],
                at=clock(),
            )
        )
        session.add(
            Record(
                project_id=store.project_id,
                session_id="S1",
                seq=1,
                kind="response",
                text="As m-cited says, I keep it.",
                source_id="x",
                at=clock() + timedelta(minutes=1),
            )
        )
        session.add(
            Sighting(
                project_id=store.project_id,
                fingerprint=fingerprint("never push to main"),
                session_id="S1",
                origin="human",
                at=clock(),
            )
        )
    with store.read() as session:
        before = [one.model_dump() for one in session.exec(select(Entry))]
    assert judge(store) == 1 and judge(store) == 0
    with store.read() as session:
        row = session.exec(select(Receipt)).one()
        assert row.evidence["entries"] == {"m-cited": "cited", "m-again": "contradicted"}
        assert [one.model_dump() for one in session.exec(select(Entry))] == before
    assert not cites(["a lesson"], "m-cited", "a lesson")


def test_the_report_counts_repeats_tokens_and_what_is_never_useful(
    store: Store, clock: Clock, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Weeks with their rate, tokens by session, an entry handed to five sessions and cited in none; plots are valid."""
    assert "nothing" in ran(capsys, "report") or "no session" in ran(capsys, "report")
    load_active(store, [{"id": "m-idle", "kind": "lesson", "body": "a fact nobody needs <&>"}])
    with store.write() as session:
        for n in range(6):
            session.add(
                Receipt(
                    project_id=store.project_id,
                    receipt_id=f"r{n}",
                    session_id=f"S{n}",
                    digest="d",
                    tokens=100 + n,
                    entries=[{"entry_id": "m-idle"}],
                    at=clock(),
                )
            )
        session.add(
            Note(
                project_id=store.project_id,
                note_id="N1",
                kind="correction",
                origin="human",
                body="x",
                fingerprint="f",
                created_at=clock(),
            )
        )
        session.add(Sighting(project_id=store.project_id, fingerprint="f", session_id="S2", origin="human", at=clock()))
    from curator.snapshot.report import gathered

    found = gathered(store)
    assert (found.weeks[-1].corrections, found.weeks[-1].repeated, found.weeks[-1].rate) == (2, 1, 0.5)
    assert found.unused == (("m-idle", "a fact nobody needs <&>", 6),)
    assert [n for _, _, n in found.sessions] == [100, 101, 102, 103, 104, 105]
    page, plot = tmp_path / "r.html", tmp_path / "r.svg"
    text = ran(capsys, "report", "--html", str(page), "--svg", str(plot))
    assert "m-idle  6 times" in text and "█" in text
    assert "<svg" in xml.dom.minidom.parse(str(plot)).toxml()
    assert "&lt;&amp;&gt;" in page.read_text()
