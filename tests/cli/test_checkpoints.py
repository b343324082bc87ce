"""`curator checkpoint` as a person and an agent use it: a real transcript, the real command line."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.hosts.claude import encoded
from tests.checkpoint.talk import mind, now

SESSION = "5e550000-0000-4000-8000-000000000077"


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A folder with one Claude Code session in the person's home."""
    folder = tmp_path / "atlas"
    folder.mkdir()
    kept = home / ".claude/projects" / encoded(folder)
    kept.mkdir(parents=True)
    say = [("user", "ship the importer"), ("assistant", "ok"), ("user", "never push to main"), ("assistant", "noted")]
    rows = [_row(n, role, text, folder) for n, (role, text) in enumerate([*say, ("user", "write a checkpoint")])]
    (kept / f"{SESSION}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def _row(number: int, role: str, text: str, folder: Path) -> dict[str, object]:
    content = text if role == "user" else [{"type": "text", "text": text}]
    return {
        "type": role,
        "uuid": f"{number:08d}-0000-4000-8000-000000000000",
        "sessionId": SESSION,
        "timestamp": f"2031-03-04T09:0{number}:00.000Z",
        "cwd": str(folder),
        "message": {"role": role, "content": content},
    }


@dataclass(frozen=True)
class Done:
    """What one call left."""

    returncode: int
    stdout: str
    stderr: str


Curator = Callable[..., Done]


@pytest.fixture
def curator(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Curator:
    """The command line in this process, run for the project, with bytes on standard input."""

    def call(*words: str, stdin: str = "", folder: Path = project) -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(["-C", str(folder), *words])
        left = capsys.readouterr()
        return Done(code, left.out, left.err)

    return call


def _process(folder: Path, *words: str, stdin: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "curator", "-C", str(folder), *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, encoding="utf-8", check=False)


def begun(curator: Curator) -> tuple[Path, Path]:
    """Begin; returns the two files that it printed."""
    done = curator("checkpoint", "begin")
    assert done.returncode == 0, done.stderr
    return Path(_path(done.stdout, "mind.md")), Path(_path(done.stdout, "memo.md"))


def _path(text: str, name: str) -> str:
    found = re.search(rf"^\s+(/.*{re.escape(name)})$", text, re.M)
    assert found, text
    return found[1]


def test_an_agent_begins_edits_commits_and_the_person_looks(curator: Curator) -> None:
    """The whole way: request, two files, a first try with every problem, the repair, then show, list and diff."""
    done = curator("checkpoint", "begin")
    assert done.returncode == 0 and "created" in done.stderr
    for part in ("comes from the host", "- [ ] (#3) never push to main", "# 4. Lessons", "checkpoint commit --session"):
        assert part in done.stdout
    mind_file, memo_file = Path(_path(done.stdout, "mind.md")), Path(_path(done.stdout, "memo.md"))
    mind_file.write_text(mind(mission="- ship the importer [#1]"), encoding="utf-8")
    refused = curator("checkpoint", "commit", stdin="nothing")
    assert refused.returncode == 1 and refused.stdout == ""
    assert "no <checkpoint> block" in refused.stderr and "the memo was not decided" in refused.stderr
    memo_file.write_text(memo_file.read_text(encoding="utf-8").replace("[ ] (#3)", "[x] (#3)"), encoding="utf-8")
    taken = curator("checkpoint", "commit", stdin=now("writing the importer", 120))
    assert taken.returncode == 0, taken.stderr
    ident = taken.stdout.strip()
    shown = curator("checkpoint", "show").stdout
    assert "- M1 [open] ship the importer [#1]" in shown and "- (#3) never push to main" in shown
    assert curator("checkpoint", "show", ident[:5]).stdout == shown
    assert ident in curator("checkpoint", "list").stdout
    assert "+ - M1 [open] ship the importer [#1]" in curator("checkpoint", "diff").stdout
    injected = curator("checkpoint", "show", "--injected").stdout
    assert "#3 never push to main" in injected and "Continue the current step." in injected
    assert "with files and skills: `curator checkpoint show c-" in injected


def test_s66_the_pointer_in_the_text_runs(curator: Curator) -> None:
    """The command that the text names prints the record's number."""
    begun(curator)
    for _ in range(2):
        done = curator("checkpoint", "commit", stdin=now("writing", 120))
    assert done.returncode == 0
    line = next(row for row in curator("checkpoint", "show").stdout.splitlines() if "record show" in row)
    read = curator(*line.split()[1:])
    assert read.returncode == 0 and "write a checkpoint" in read.stdout


def test_s67_what_was_injected_is_what_is_shown(curator: Curator, project: Path) -> None:
    """`show --injected` is the checkpoint part of the hook's own output for a compaction, to the last line."""
    mind_file, _ = begun(curator)
    mind_file.write_text(mind(mission="- ship the importer [#1]", agreements="- ask first"), encoding="utf-8")
    for _ in range(2):
        assert curator("checkpoint", "commit", stdin=now("writing", 120)).returncode in (0, 1)
    payload = {"session_id": SESSION, "cwd": str(project), "hook_event_name": "SessionStart", "source": "compact"}
    hook = _process(project, "hook", "session-start", "--client", "claude", stdin=json.dumps(payload))
    text = json.loads(hook.stdout)["hookSpecificOutput"]["additionalContext"]
    shown = curator("checkpoint", "show", "--injected").stdout
    assert shown.strip() and shown.strip() in text


@pytest.mark.parametrize("command", ["show", "list", "diff"])
def test_with_nothing_stored_one_plain_line(curator: Curator, tmp_path: Path, command: str) -> None:
    """Reading where nothing is creates nothing, says so, and succeeds."""
    done = curator("checkpoint", command, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "") and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / ".curator").exists()


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("commit",), 1, "there is no store here"),
        (("show", "c-nothing"), 1, "there is no checkpoint c-nothing"),
        (("run",), 2, "command:PROGRAM"),
        (("begin", "--session", "nobody"), 1, "there is no session nobody"),
    ],
)
def test_bad_calls_give_one_line_and_their_code(
    curator: Curator, words: tuple[str, ...], code: int, reason: str
) -> None:
    """Unknown ids, no store, no model: one line on stderr, nothing on stdout."""
    if words[0] == "show":
        begun(curator)
    done = curator("checkpoint", *words)
    assert done.returncode == code and reason in done.stderr and done.stdout == ""


def test_every_reading_command_has_a_json_document(curator: Curator) -> None:
    """Stable keys with a schema version."""
    done = curator("checkpoint", "begin", "--json")
    value = json.loads(done.stdout)
    assert value["schema"] == 1 and value["limits"]["sections"] == [1000, 2000, 1500, 1500]
    for _ in range(2):
        done = curator("checkpoint", "commit", "--json", stdin=now("writing", 120))
    assert json.loads(done.stdout)["checkpoint"]
    assert json.loads(curator("checkpoint", "list", "--json").stdout)["checkpoints"][0]["made_by"] == "host"
    assert json.loads(curator("checkpoint", "show", "--json").stdout)["value"]["memo"] == [1, 3]
    assert json.loads(curator("checkpoint", "diff", "--json").stdout)["changes"]


def test_the_task_state_follows_the_now_and_its_edits_are_read_back(curator: Curator, project: Path) -> None:
    """Where the file is kept, a commit writes step, next and waiting into it; begin shows what was edited since."""
    begun(curator)
    assert curator("layers", "init").returncode == 0
    state = project / ".curator/TASK_STATE.md"
    block = now(
        "writing the importer", 120, next_steps="- push the tag", waiting="- answer to #3", done="- schema (abc123)"
    )
    for _ in range(2):
        done = curator("checkpoint", "commit", stdin=block)
    assert done.returncode == 0, done.stderr
    text = state.read_text(encoding="utf-8")
    for line in ("- task: writing the importer", "- [x] schema (abc123)", "- [ ] push the tag", "- answer to #3"):
        assert line in text
    state.write_text(text.replace("push the tag", "sign the tag"), encoding="utf-8")
    assert "- [ ] sign the tag" in curator("checkpoint", "begin").stdout
