"""What the pages show is what works: every `$ curator …` line of a page is run, in order, in a fresh project."""

import re
import shlex
from pathlib import Path

import pytest

from curator.__main__ import main
from tests.cli.test_setup import at_terminal
from tests.conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNABLE = {
    page: [
        line
        for kind, text in _BLOCK.findall(page.read_text(encoding="utf-8"))
        if kind == "console"
        for line in text.splitlines()
    ]
    for page in PAGES
}
_SEEN_ELSEWHERE = {"demo", "mcp"}
"""Commands with tests of their own that take long or wait for a client."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_blocks_say_what_they_are(page: Path) -> None:
    """A block is `console` (run by these tests) or names another language; none is a shell script that nobody runs."""
    kinds = {kind for kind, _ in _BLOCK.findall(page.read_text(encoding="utf-8"))}
    assert not kinds & {"", "sh", "bash", "shell"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page, lines in RUNNABLE.items() if any(line.startswith("$ curator") for line in lines)],
    ids=lambda page: str(page.relative_to(REPOSITORY)),
)
def test_the_commands_of_a_page_work(
    page: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader who types the page's commands one after the other sees none of them fail."""
    (home / ".claude").mkdir()
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    at_terminal("", "config", "decide-key")
    monkeypatch.setenv("CURATOR_DECIDE_KEY_FILE", str(home / ".config" / "curator" / "decide.key"))
    for line in RUNNABLE[page]:
        words = shlex.split(line[2:], comments=True)[1:] if line.startswith("$ curator") else ["demo"]
        if words and words[0] not in _SEEN_ELSEWHERE:
            code = at_terminal("", *words)[0] if words[1:] == ["decide-key"] else main(words)
            assert code in ({0, 1} if words[0] == "review" else {0}), (line, capsys.readouterr().err)
