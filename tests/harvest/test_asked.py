"""What is asked to stand in a memory file is a note, and the request around it is not part of it."""

import pytest

from curator.harvest.asked import asked, drafted
from curator.harvest.statements import statements
from curator.vocab import Kind, Origin
from tests.harvest.test_statements import after, agent, person


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("can you update CLAUDE.md that we run the formatter with the linter", "we run the formatter with the linter"),
        ("let's update AGENTS.md but make sure that the agent asks first", "the agent asks first"),
        ("also in agents MD mention the two public standards for results", "the two public standards for results"),
        ("AGENTS.md should say that the paid suite is never run unasked", "the paid suite is never run unasked"),
        (
            "add a note to CLAUDE.md (at the top), to look at the version now and then",
            "look at the version now and then",
        ),
        ("Tests never sleep, please add that to CLAUDE.md", "Tests never sleep"),
        ("put that every table has an owner column into the rules file", "every table has an owner column"),
        ("更新 CLAUDE.md：提交前必须先格式化", "提交前必须先格式化"),
        ("把数据库一律经过网关访问写进 CLAUDE.md", "数据库一律经过网关访问"),
        ("在 CLAUDE.md 里注明日志只写英文", "日志只写英文"),
        ("can you add something to CLAUDE.md about this?", ""),
        ("把这个写进 AGENTS.md", ""),
    ],
)
def test_what_a_request_wants_in_a_memory_file(text: str, said: str) -> None:
    """However it is worded, what is to stand there is told; empty where it only points at what was said before."""
    found = asked(text)
    assert found is not None and found.said == said


@pytest.mark.parametrize(
    "text",
    ["what does CLAUDE.md say?", "take my change to CLAUDE.md into the commit", "看看 CLAUDE.md", "add a test for it"],
)
def test_talk_about_a_memory_file_asks_for_nothing(text: str) -> None:
    """Reading, committing or naming the file is no request to write something down."""
    assert asked(text) is None


def test_a_request_is_one_note_of_the_person_and_needs_no_answer() -> None:
    """The person's words, taken up at once, with a rule that follows; what else the line says is judged by itself."""
    (found,) = statements([person(1, "can you update CLAUDE.md that we always squash. never rebase shared branches.")])
    assert found.text == "we always squash. never rebase shared branches." and found.origin is Origin.HUMAN
    assert found.kind is Kind.CORRECTION and found.seqs == (1,) and found.why == "you asked for it in a memory file"
    assert [s.text for s in after("Tests never sleep. Please add that to CLAUDE.md.")] == ["Tests never sleep."]


def test_pointing_at_the_answer_takes_its_list() -> None:
    """ "Write that down" means the items of the agent's last list that say something, not its report of changes."""
    told = (
        "How it works:\n\n- `main.py` prints each error once\n- commands return `Silent(error)` after their own words"
    )
    found = statements([agent(1, told), person(2, "can you add something to CLAUDE.md about this?"), agent(3, "Done.")])
    assert [s.text for s in found] == [
        "`main.py` prints each error once",
        "commands return `Silent(error)` after their own words",
    ]
    assert all(s.origin is Origin.AGENT and s.seqs == (1, 2) for s in found)
    report = "Done:\n\n- Added `main.py` with four tests\n- Updated `setup.cfg` for it"
    assert statements([agent(1, report), person(2, "add that to CLAUDE.md"), agent(3, "Done.")]) == []


def test_lines_drafted_for_a_memory_file_are_notes() -> None:
    """Items of a block that is announced as text for the file, wrapped lines joined; other blocks stay code."""
    block = "- Run `make types` before\n  every release of the client\n- one word"
    assert drafted(f"**CLAUDE.md additions:**\n\n```markdown\n## Types\n{block}\n```\n") == [
        "Run `make types` before every release of the client",
        "one word",
    ]
    assert drafted(f"The config:\n\n```yaml\n{block}\n```\nCLAUDE.md is next.") == []
    (found,) = statements([agent(1, f"For CLAUDE.md:\n\n```\n{block}\n```\n")])
    assert (found.kind, found.why) == (Kind.PATTERN, "drafted for a memory file")
