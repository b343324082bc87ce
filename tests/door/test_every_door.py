"""Every way in, in one table: what a person refused or retired comes back through none of them.

A door that is added to the product is added to `DOORS`.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.cycle.bringing import bring, opened
from curator.cycle.sweeping import run as sweep
from curator.harvest.files import harvest_file
from curator.harvest.memory.files import named
from curator.harvest.noting import Outcome
from curator.harvest.remembering import Handed, remember
from curator.interchange.beads.incoming import import_beads
from curator.interchange.entries import import_entries
from curator.mcp.server import answered
from curator.place import find
from curator.sync.driver import merge
from curator.vocab import Origin
from tests.conftest import Clock
from tests.sync.helpers import WORDS, Make, Person

TEXT = "The nightly import of orders must never run before the stock count"

FORMS = [
    pytest.param(f"- **{TEXT.upper()}**  ...", id="all at once"),
    pytest.param(TEXT, id="as it was", marks=pytest.mark.slow),
    pytest.param(f"{TEXT.upper()} ...", id="other case and stops", marks=pytest.mark.slow),
    pytest.param(f"- **{TEXT}**", id="markup", marks=pytest.mark.slow),
    pytest.param("> pattern:  " + TEXT.replace(" ", "  "), id="quoted, spaced, marked", marks=pytest.mark.slow),
]


def by_remember(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """The person says it again."""
    return remember(ben.store, Handed(text), Origin.HUMAN).outcome is Outcome.BLOCKED


def by_agent(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """An agent remembers it; a repeat of what an entry says is dropped as such before it is compared."""
    return remember(ben.store, Handed(text), Origin.AGENT).outcome in {Outcome.BLOCKED, Outcome.ECHO}


def by_harvest(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """It stands in a transcript, typed by the person and marked."""
    row = {
        "type": "user",
        "uuid": "u-1",
        "sessionId": "s-1",
        "timestamp": "2031-03-05T12:00:00Z",
        "cwd": str(folder),
        "message": {"role": "user", "content": f"lesson: {text}"},
    }
    path = folder / "s-1.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return harvest_file(ben.store, path, WORDS.count).outcomes.get(Outcome.BLOCKED, 0) > 0


def by_entries(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A file of another program has it."""
    path = folder / "entries.jsonl"
    row = {"id": "x-1", "kind": "lesson", "body": text, "updated_at": "2031-03-05T12:00:00Z"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    report = import_entries(ben.store, path, WORDS)
    return bool(report.outcomes["refused"] or report.outcomes["retired"])


def by_beads(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A beads file has it as a memory."""
    path = folder / "beads.jsonl"
    value = f"@type=semantic:lesson @created=2031-03-05\n{text}"
    path.write_text(json.dumps({"_type": "memory", "key": "k-1", "value": value}) + "\n", encoding="utf-8")
    report = import_beads(ben.store, path, WORDS)
    return bool(report.outcomes["refused"] or report.outcomes["retired"])


def by_store_export(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """Another memory program's export has it."""
    path = folder / "mem0.json"
    told = {"results": [{"id": "1", "memory": text, "created_at": "2031-03-05T12:00:00Z"}]}
    path.write_text(json.dumps(told), encoding="utf-8")
    return not bring(ben.store, opened(named(path, ben.store.place.top), "mem0")).proposals


def by_memory_file(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """It is a rule in a memory file of the project."""
    path = ben.store.place.top / "CLAUDE.md"
    item = text if text.startswith("-") else f"- {text.removeprefix('> ')}"
    path.write_text(f"# Shop\n\n## Rules\n\n{item}\n", encoding="utf-8")
    return not bring(ben.store, opened(named(path, ben.store.place.top), "markdown")).proposals


def by_mcp(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A client of the MCP server remembers it."""
    answer = answered("remember", {"text": text}, find(ben.store.place.root), "tester")
    return "not noted" in answer.text or "nothing noted" in answer.text


def by_mcp_proposal(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A client of the MCP server proposes it."""
    answer = answered("propose", {"text": text}, find(ben.store.place.root), "tester")
    return "not noted" in answer.text or "nothing noted" in answer.text


def by_mcp_change(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A client of the MCP server proposes it as another entry's new text."""
    (entry,) = ben.adds("Labels are printed at the end of the shift")
    answer = answered("propose", {"entry": entry, "text": text}, find(ben.store.place.root), "tester")
    return "not proposed" in answer.text


def by_sync(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A teammate accepted it and sends her file."""
    ann.adds(text)
    return bool(ben.takes(ann.gives(folder / "ann.jsonl")).blocked)


def by_merge(ben: Person, ann: Person, folder: Path, text: str) -> bool:
    """A teammate accepted it, git merged her branch, and the result is taken in."""
    ann.adds(text)
    ours = ben.gives(folder / "ben.jsonl")
    merge(ours, ann.gives(folder / "ann.jsonl"))
    return bool(ben.takes(ours).blocked)


Door = Callable[[Person, Person, Path, str], bool]

DOORS: dict[str, Door] = {
    "remember": by_remember,
    "remember, by an agent": by_agent,
    "harvest": by_harvest,
    "import entries": by_entries,
    "import markdown": by_memory_file,
    "import beads": by_beads,
    "import mem0": by_store_export,
    "mcp remember": by_mcp,
    "mcp propose": by_mcp_proposal,
    "mcp propose, for an entry": by_mcp_change,
    "sync import": by_sync,
    "sync merge": by_merge,
}


@pytest.fixture
def people(new_store: Make, tmp_path: Path, clock: Clock) -> tuple[Person, Person]:
    """Ben, who decided about the text, and ann, who knows nothing of it."""
    return Person(new_store(tmp_path / "ben"), "ben", clock), Person(new_store(tmp_path / "ann"), "ann", clock)


def back(ben: Person) -> list[str]:
    """Where the text came back: active entries and proposals that wait, after a sweep."""
    sweep(ben.store)
    hits = [entry.entry_id for entry in ben.desk.search("nightly import of orders")]
    return hits + [row.proposal_id for row in ben.desk.queue().rows]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_a_refused_text_comes_back_through_no_door(
    people: tuple[Person, Person], tmp_path: Path, door: str, form: str
) -> None:
    """Nothing is proposed and no entry made, and the repeat is counted with the refusal."""
    ben, ann = people
    ben.rejects(TEXT)
    assert DOORS[door](ben, ann, tmp_path, form)
    assert back(ben) == []
    assert ben.desk.queue().blocked == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_a_tombstoned_text_comes_back_through_no_door(
    people: tuple[Person, Person], tmp_path: Path, door: str, form: str
) -> None:
    """Nothing is proposed and no entry made; the retired one stays retired."""
    ben, ann = people
    (entry,) = ben.adds(TEXT)
    ben.tombstones(entry)
    assert DOORS[door](ben, ann, tmp_path, form)
    assert back(ben) == []
    assert ben.body(entry) == f"tombstoned: {TEXT}"
