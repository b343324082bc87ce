"""`replay`: one conversation cut at its compactions, and what is known after each with curator and without."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from curator.__main__ import main
from curator.checkpoint import Row
from curator.evals.holding import held, known
from curator.evals.replay import replay
from curator.hosts.codex import carried
from curator.vocab import Row as Kind
from curator.vocab import Typed

RULE = "Never deploy on a Friday, whatever the ticket says."
LATEST = "Please raise the pool in config/pool.toml to 30 connections."
SUMMARY = "The user works on the pool. They discussed deployment. The assistant reads files."


def transcript(path: Path, *parts: tuple[str, str]) -> Path:
    """A Claude Code session of `(who, text)`: person, agent, summary (with its boundary before)."""
    rows: list[dict[str, Any]] = []
    for number, (who, text) in enumerate(parts):
        common = {"sessionId": "s-1", "timestamp": f"2031-03-05T11:{number // 60:02}:{number % 60:02}Z", "cwd": "/gone"}
        common["uuid"] = f"u{number}"
        if who == "person":
            typed = {"origin": {"kind": "human"}, "promptSource": "typed"}
            rows.append({"type": "user", "message": {"role": "user", "content": text}, **typed, **common})
        elif who == "agent":
            said = {"role": "assistant", "content": [{"type": "text", "text": text}], "id": f"m{number}"}
            rows.append({"type": "assistant", "message": said, **common})
        else:
            rows.append({"type": "system", "subtype": "compact_boundary", **common, "uuid": f"b{number}"})
            told = {"role": "user", "content": text}
            rows.append({"type": "user", "isCompactSummary": True, "message": told, **common})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def talk(turns: int) -> list[tuple[str, str]]:
    """Turns that carry nothing, with long replies."""
    return [
        part for n in range(turns) for part in (("person", f"go on {n}"), ("agent", f"Reply {n}. " + "word " * 400))
    ]


@pytest.fixture
def compacted(tmp_path: Path) -> Path:
    """A rule at the beginning, a long talk, a request, then the client's summary, which forgot the rule."""
    parts = [("person", RULE), *talk(60), ("person", LATEST), ("agent", "On it."), ("summary", SUMMARY)]
    return transcript(tmp_path / "s-1.jsonl", *parts, ("person", "thanks"), ("agent", "Done."))


def test_a_rule_that_the_client_s_summary_lost_is_in_what_is_injected(compacted: Path) -> None:
    """At the client's own cut: injected and whole checkpoint hold the rule, summary and truncation do not."""
    found = replay(compacted)
    (cut,) = found["cuts"]
    assert (cut["why"], cut["known"]["rules"], cut["step"]) == ("compaction", 1, LATEST)
    for side in ("injected", "checkpoint"):
        assert (cut[side]["rules"], cut[side]["verbatim"], cut[side]["step"]) == (1, 1, True)
    assert (cut["summary"]["rules"], cut["summary"]["step"]) == (0, False)
    assert cut["tail"]["rules"] == cut["newest"]["rules"] == 0
    assert cut["lost"]["with"] == []
    assert [rule["text"] for rule in cut["lost"]["without"]] == [RULE]
    assert cut["injected"]["tokens"] < 3_000


def test_without_a_compaction_it_is_cut_where_the_window_fills_or_at_the_end(tmp_path: Path) -> None:
    """A window that is said is cut where it fills, more than once; one that never fills is cut at the end."""
    path = transcript(tmp_path / "s-1.jsonl", ("person", RULE), *talk(60))
    assert [cut["why"] for cut in replay(path)["cuts"]] == ["end"]
    small = replay(path, 32_000)
    assert {cut["why"] for cut in small["cuts"]} == {"limit"}
    assert len(small["cuts"]) >= 2
    assert [cut["before"] for cut in small["cuts"]] == sorted(cut["before"] for cut in small["cuts"])
    assert all(cut["injected"]["rules"] == 1 for cut in small["cuts"])


def rows(*texts: str) -> Sequence[Row]:
    """Typed messages."""
    return [Row(seq, Kind.INPUT, text, Typed.TYPED, unit=seq) for seq, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("text", "rules", "verbatim"),
    [
        (f"- (#1) {RULE}", 1, 1),
        ("* they must NEVER deploy on a friday, whatever any ticket says", 1, 0),
        ("The user deploys on Monday.", 0, 0),
        ("", 0, 0),
    ],
)
def test_a_rule_is_held_word_for_word_or_in_other_words(text: str, rules: int, verbatim: int) -> None:
    """Verbatim when it stands in the text; in other words when one line has most of its words."""
    found, lost = held(known(rows(RULE)), text, len)
    assert (found.rules, found.verbatim, len(lost)) == (rules, verbatim, 1 - rules)


def test_facts_and_files_are_found_literally() -> None:
    """Numbers, versions and paths of the person's messages, and files that were written."""
    there = known(
        [*rows("Use port 8443 and v2.1.0 in src/app.py."), Row(2, Kind.TOOL_RESULT, files={"written": ["/a/b.py"]})]
    )
    found, _ = held(there, "port 8443, src/app.py; changed b.py", len)
    assert (found.facts, len(there.facts), found.files, len(there.files)) == (2, 3, 1, 1)


def test_the_command_in_words_and_as_a_document(compacted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Plain: a table a cut, what was lost, what is not measured; `--json`: the document. Nothing is created."""
    assert main(["replay", str(compacted)]) == 0
    told = capsys.readouterr().out
    assert "curator, what is injected" in told
    assert "rules missing from what the client keeps:" in told
    assert RULE in told
    assert "Not measured:" in told
    assert main(["replay", str(compacted), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    assert document["memories"] is None
    assert document["cuts"][0]["injected"]["rules"] == 1
    assert document["not_measured"]


def test_nobody_s_words_are_said_to_be_nobody_s(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A headless conversation has no rules of a person; that is a sentence, not a score of 100 %."""
    path = tmp_path / "s-1.jsonl"
    row = {"type": "user", "promptSource": "sdk", "sessionId": "s", "uuid": "u", "timestamp": "2031-03-05T11:00:00Z"}
    path.write_text(json.dumps({**row, "message": {"role": "user", "content": RULE}}) + "\n")
    assert main(["replay", str(path)]) == 0
    assert "No message is known to be typed by a person" in capsys.readouterr().out


def test_what_is_no_transcript_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a folder, an empty file and text of another kind: each its sentence, never a trace."""
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "prose.md").write_text("# nothing\n")
    for name, code in (("missing.jsonl", 1), (".", 2), ("empty.jsonl", 1), ("prose.md", 1)):
        assert main(["replay", str(tmp_path / name)]) == code
        assert capsys.readouterr().err.startswith("curator: ")


def test_what_codex_carries_over_counts_as_kept_by_the_client(tmp_path: Path) -> None:
    """Each compaction's own history is read, in order; what is encrypted or of another shape is no text."""
    kept = [{"type": "message", "content": [{"type": "input_text", "text": RULE}]}, {"type": "compaction"}, 7]
    rows = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "compacted", "payload": {"message": "", "replacement_history": kept}},
        {"type": "compacted", "payload": {"message": ""}},
    ]
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + "no json\n")
    assert carried(path) == [RULE, ""]
