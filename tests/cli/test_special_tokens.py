"""Case 88 through the whole program: text that mentions a tokenizer's special names passes every command."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.__main__ import main
from curator.desk import guard
from curator.edge.tokens import tokens
from curator.hosts.claude import encoded
from curator.place import Place
from tests.checkpoint.talk import now

CASES = Path(__file__).parent.parent / "cases"
NAMES = ("<|endoftext|>", "<|im_start|>", "<|fim_prefix|>", "<|endofprompt|>")
SESSION = "5e550000-0000-4000-8000-000000000088"
Run = Callable[..., str]


@pytest.fixture
def run(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """The command line in a project, with the case's tokenizer, which refuses such names unless it is asked not to."""
    (tmp_path / "shop/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")
    monkeypatch.syspath_prepend(CASES / "88/stub")
    monkeypatch.delitem(sys.modules, "tiktoken", raising=False)
    tokens.cache_clear()
    assert not tokens().estimate and tokens().count(NAMES[0]) == 4  # the stub counts bytes by fours

    def call(*words: str, stdin: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main([*words])
        said = capfd.readouterr()
        assert code == 0, (words, said.err)
        return said.out

    yield call
    tokens.cache_clear()


class Terminal(io.StringIO):
    """A person's terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.mark.slow
def test_case_88_every_command_takes_text_with_special_names(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lessons are harvested, proposed, accepted, injected, edited, searched and exported; every count is positive."""
    shop = Path.cwd()
    key, _ = guard.make_key(Place(shop, shop), {"HOME": str(home)}, Terminal())
    monkeypatch.setenv(guard.KEY_FILE, str(key))
    run("harvest", str(CASES / "88/t.jsonl"))
    run("remember", f"decision: the build fails where {NAMES[0]} ends a file")
    run("sweep")
    proposed = [row["id"] for row in json.loads(run("proposals", "--json"))["proposals"]]
    run("revise", proposed[0], "--title", f"What {NAMES[1]} means")
    run("accept", *proposed)
    entries = json.loads(run("list", "--json"))["hits"]
    assert len(proposed) == len(entries) == 5
    assert all(row["tokens"] > 0 for row in json.loads(run("show", *[e["id"] for e in entries], "--json"))["entries"])
    shown = run("preview")
    assert all(name in shown for name in NAMES)
    payload = {"session_id": SESSION, "cwd": str(shop), "prompt": f"and {NAMES[2]}?", "source": "startup"}
    started = run("hook", "session-start", "--client", "claude", stdin=json.dumps(payload))
    assert all(name in json.loads(started)["hookSpecificOutput"]["additionalContext"] for name in NAMES)
    run("hook", "prompt", "--client", "claude", stdin=json.dumps(payload))
    ident = entries[0]["id"]
    run("edit", ident, "--text", "-", stdin=f"lesson: {NAMES[0]} and {NAMES[3]} are names, not text")
    run("undo")
    for words in (["show", ident], ["why", ident], ["search", NAMES[0]], ["search", "--similar", NAMES[0]]):
        told = run(*words)
        assert any(name in told for name in NAMES), words
    for words in (["log"], ["report"], ["status"], ["record", "search", NAMES[0]], ["notes", "list"]):
        run(*words)
    exported = tmp_path / "entries.jsonl"
    run("export", "entries", str(exported))
    run("import", "entries", str(exported))


def test_case_88_a_checkpoint_of_such_a_session(run: Run, home: Path) -> None:
    """Asked for, answered by a program, committed, shown and compared; the person's words stand as they were."""
    said = f"never write {NAMES[0]} nor {NAMES[3]} into a log"
    kept = home / ".claude/projects" / encoded(Path.cwd())
    kept.mkdir(parents=True)
    say = [("user", said), ("assistant", "noted"), ("user", f"go on, {NAMES[1]} is fine")]
    rows = [
        {"type": who, "uuid": f"u{n}", "sessionId": SESSION, "cwd": str(Path.cwd()), "message": {"content": text}}
        for n, (who, text) in enumerate(say)
    ]
    (kept / f"{SESSION}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run("harvest")
    assert said in run("record", "show", "1")
    assert NAMES[0] in run("checkpoint", "begin")
    (memo,) = Path(".curator/checkpoints").glob("*/memo.md")
    memo.write_text(memo.read_text(encoding="utf-8").replace("[ ]", "[x]"), encoding="utf-8")
    run("checkpoint", "commit", stdin=now(f"the log without {NAMES[2]}", 40))
    assert said in run("checkpoint", "show") and NAMES[2] in run("checkpoint", "diff")
    assert said in run("checkpoint", "show", "--injected")
    run("ingest", "--checkpoint")
