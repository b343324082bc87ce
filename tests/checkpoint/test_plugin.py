"""The plugin folder (issue 4.2): the skill and the slash command say what the spec lists, and are a valid plugin."""

import json
import re
from pathlib import Path

import pytest

from curator.checkpoint import mind, now
from curator.checkpoint.request import GUIDE

PLUGIN = Path(__file__).parent.parent.parent / "curator/plugin"
TELLING = ("skills/checkpoint/SKILL.md", "commands/checkpoint.md")

LISTED = {
    "from the host": "comes from the host, not from the person",
    "never as a wish": "never record it as the person's words, wish, goal or next step",
    "look back, stable first": "revise from the most stable layer to the\nleast",
    "let go": "Let details go; the record keeps everything",
    "where I stand": "for whom and why; what I own and where it ends",
    "agreements": "how to report, when to\nask, what I may decide, how far the authorization goes",
    "mission": "changes only when the person says so",
    "workstreams": "its state, its done-criterion and, for a queue, how far it is",
    "finished": "A finished workstream shrinks to one line",
    "next": "go back to the Mission, or ask",
    "decisions": "an overturned one is folded into the one that replaced it",
    "lessons": "principles that will hold later; repeated ones merge",
    "misunderstood": "what was believed, what is true, and why",
    "tick": "tick what sets or changes direction, constrains, forbids, prefers or authorizes",
    "untick": "Untick what is withdrawn,\nreplaced, done or fully in the mind",
    "leave alone": 'Leave alone "continue"',
    "progress": "progress with evidence",
    "waiting": "what is waited for, with ids",
    "latest request": "next\nsteps that quote the person's latest request",
    "pitfalls": "pitfalls with the error text verbatim",
    "references": "exact paths, ids, commands, links\nand values, the important files among them",
    "typed only": "Only typed messages are the person's words",
    "secrets": "Write no secrets",
    "language": "Write in the person's language",
    "limits": "Keep the limits",
}
"""What the spec lists for ways a and c, and the words that say it."""


@pytest.mark.parametrize("point", LISTED)
def test_request_skill_and_command_say_every_listed_point(point: str) -> None:
    """One text for all three: what a client of another's reads is what a loop of one's own reads."""
    assert LISTED[point] in GUIDE
    for name in TELLING:
        assert LISTED[point] in (PLUGIN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TELLING)
def test_the_text_is_of_use_without_the_program(name: str) -> None:
    """Both forms stand in it whole, and it says where to keep them."""
    text = (PLUGIN / name).read_text(encoding="utf-8")
    assert now.template() in text and mind.template().rstrip() in text
    assert "Without the program" in text and "curator checkpoint begin" in text


def test_the_folder_is_a_plugin() -> None:
    """Manifest, marketplace, four skills with name and description, one command."""
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))
    market = json.loads((PLUGIN / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))
    assert manifest["name"] == market["plugins"][0]["name"] == "curator"
    skills = {path.parent.name: path.read_text(encoding="utf-8") for path in PLUGIN.glob("skills/*/SKILL.md")}
    assert sorted(skills) == ["checkpoint", "land", "orient", "remember"]
    for name, text in skills.items():
        assert re.match(rf"---\nname: {name}\ndescription: \S.+\n---\n", text)
        assert "Without the program" in text
