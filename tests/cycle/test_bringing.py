"""Import of memory files: through the one door, ending in proposals; safe to repeat, and nothing refused comes back."""

from pathlib import Path

import pytest

from curator.cycle import sweeping
from curator.cycle.bringing import Import, bring, opened
from curator.harvest.book import notes
from curator.harvest.memory.files import named, of_project
from curator.ledger.values import Shown
from curator.place import find
from curator.store.engine import Store
from curator.vocab import Origin
from tests.sweep.helpers import accept_all, desk, entries

RULES = "# Shop\n\n## Conventions\n\n- Use `slog` for logging, never `print`\n- The request timeout is 30 seconds\n"


def brought(store: Store, path: Path) -> Import:
    """Import one path."""
    return bring(store, opened(named(path, store.place.top), "markdown"))


def write(store: Store, text: str, name: str = "CLAUDE.md") -> Path:
    """A file of the project."""
    path = store.place.top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def queue(store: Store) -> list[tuple[str, str]]:
    """What waits: operation and the text that would be."""
    return sorted((row.op, row.title) for row in desk(store).queue().rows)


def test_every_candidate_becomes_a_proposal_with_its_place(store: Store) -> None:
    """An import makes no entry; each proposal says which file and line it came from, and that it is an import."""
    done = brought(store, write(store, RULES))
    assert (len(done.proposals), entries(store)) == (2, [])
    row = done.report.proposals[0]
    assert row["origin"] == Origin.IMPORT and row["evidence"][0]["file"] == "CLAUDE.md:5"


def test_a_second_import_makes_nothing(store: Store) -> None:
    """Before and after the decision alike."""
    path = write(store, RULES)
    brought(store, path)
    assert brought(store, path).proposals == []
    accept_all(store)
    again = brought(store, path)
    assert again.proposals == [] and len(notes(store)) == 2


def test_a_changed_line_changes_the_entry_that_came_of_it(store: Store) -> None:
    """Another value is proposed as a replacement of the entry, not beside it."""
    path = write(store, RULES)
    brought(store, path)
    accept_all(store)
    write(store, RULES.replace("30 seconds", "45 seconds"))
    assert [op for op, _ in queue(store)] == []
    done = brought(store, path)
    (row,) = [dict(each) for each in done.report.proposals]
    assert (row["op"], row["relation"]) == ("update", "replaces")
    assert "30" in row["before"][0]["body"] and "45" in row["after"][0]["body"]


def test_what_was_refused_or_retired_stays_so(store: Store) -> None:
    """Refusals and tombstones hold through this door, and the import says so by line."""
    path = write(store, RULES)
    brought(store, path)
    first, second = desk(store).queue().rows
    the_desk = desk(store)
    the_desk.reject([Shown(first.proposal_id, first.rev)], "not-useful")
    the_desk.accept([Shown(second.proposal_id, second.rev)])
    (entry,) = entries(store)
    the_desk.tombstone(entry.entry_id, entry.rev, "obsolete")
    write(store, RULES.replace("never `print`", "never `print`!") + "\n")
    done = brought(store, path)
    assert (done.proposals, [line for line, _ in done.files[0].blocked]) == ([], [5])
    assert done.files[0].outcomes == {"blocked": 1, "echo": 1}
    assert brought(store, write(store, RULES, "AGENTS.md")).proposals == []


def test_the_same_rule_in_two_files_is_one_note(store: Store) -> None:
    """Copies of a file do not double anything."""
    write(store, RULES)
    write(store, RULES.replace("# Shop", "# Agents"), "AGENTS.md")
    done = bring(store, opened(list(of_project(find(store.place.top))), "markdown"))
    assert (len(done.files), len(done.proposals), len(notes(store))) == (2, 2, 2)


def test_a_credential_in_a_rule_is_never_stored(store: Store) -> None:
    """What the door takes out is reported by line; the value is nowhere in the store."""
    value = "ghp_" + "a1B2" * 9
    done = brought(store, write(store, f"- Always log in with the token {value} on staging\n"))
    assert done.files[0].redacted == [1]
    with store.engine.connect() as connection:
        dump = "".join(connection.connection.iterdump())
    assert value not in dump and "[redacted: GitHub token]" in dump


def test_a_whole_list_is_not_split_by_the_sweep(store: Store) -> None:
    """An inventory that the reader kept whole is proposed whole."""
    text = "## Layout\n\n- `api/` - routes of the shop\n- `core/` - rules of the prices\n- `web/` - pages of the shop\n"
    assert [op for op, _ in (brought(store, write(store, text)), queue(store))[1]] == ["add"]


def test_a_link_that_leads_out_of_the_project_is_not_read(store: Store, tmp_path: Path) -> None:
    """A usual place may not be turned into a window on the person's other files."""
    secret = tmp_path / "secret.md"
    secret.write_text("- Never show this to anybody else\n")
    (store.place.top / "CLAUDE.md").symlink_to(secret)
    (read,) = opened(list(of_project(find(store.place.top))), "markdown")
    assert (read.reading.candidates, read.trouble) == ((), "it leads elsewhere, by a symbolic link")


@pytest.mark.parametrize(
    ("data", "trouble", "encoding"),
    [
        (b"\x89PNG\0\0\0", "it is no text", ""),
        (b"SQLite format 3\0 and so on", "it is a database; name an export of it", ""),
        ("- Always use café mode when débogage is on\n".encode("cp1252"), "", "Latin-1"),
        ("- 提交之前必须运行全部测试并检查格式\n".encode("gb18030"), "", "GB 18030"),
        ("- Always write tests before the code\n".encode("utf-16"), "", "UTF-16"),
        (b"- Always write tests before the code\n\xff", "", "Latin-1"),
        (b"", "", ""),
    ],
)
def test_bytes_that_are_no_utf_8(store: Store, data: bytes, trouble: str, encoding: str) -> None:
    """Other encodings are read and said; what is no text is refused with its reason."""
    path = store.place.top / "CLAUDE.md"
    path.write_bytes(data)
    (read,) = opened(named(path, store.place.top), "markdown")
    assert (read.trouble, read.encoding) == (trouble, encoding)
    assert bool(read.reading.candidates) == bool(data and not trouble)


NEAR = "- Both sessions can proceed, their checkpoints interleave on one shadow branch\n"
ALIKE = "- Checkpoints of several sessions in one directory interleave on the same shadow branch\n"


def test_lines_of_one_file_are_not_taken_for_revisions_of_each_other(store: Store) -> None:
    """Two lines about one thing are two proposals, two entries, and nothing to merge later: their author wrote both."""
    paths = "- Paths from git are relative to the repository root\n- Use the repository root for all paths from git\n"
    done = brought(store, write(store, NEAR + ALIKE + paths))
    assert [len(row["notes"]) for row in done.report.proposals] == [1, 1, 1, 1]
    accept_all(store)
    assert sweeping.run(store, limit=0).proposals == ()


def test_a_new_line_beside_one_that_still_stands_is_added(store: Store) -> None:
    """Only where the old line is gone can the new one be its revision."""
    path = write(store, NEAR)
    brought(store, path)
    accept_all(store)
    write(store, NEAR + ALIKE)
    assert [row["op"] for row in brought(store, path).report.proposals] == ["add"]


def test_a_credential_in_a_heading_is_never_stored(store: Store) -> None:
    """Where a line stood is kept as well, so it passes the same door."""
    value = "ghp_" + "a1B2" * 9
    brought(store, write(store, f"## Pitfalls with {value}\n\n- The staging login expires after one hour of work\n"))
    with store.engine.connect() as connection:
        dump = "".join(connection.connection.iterdump())
    assert "staging login" in dump and value not in dump


def test_links_in_a_circle_end_nothing(store: Store) -> None:
    """A link to itself is a file that is not there."""
    rules = store.place.top / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.mdc").symlink_to("a.mdc")
    (store.place.top / "AGENTS.md").symlink_to("AGENTS.md")
    write(store, RULES)
    read = opened(list(of_project(find(store.place.top))), "markdown")
    assert [each.file.name for each in read if not each.trouble] == ["CLAUDE.md"]


def test_the_rules_of_a_folder_say_so(store: Store) -> None:
    """A nested rules file holds for its folder, so each of its rules names it; packages' own are not read."""
    write(store, "- Use strict types in all components\n", "apps/web/CLAUDE.md")
    write(store, "- Use loose types in all components\n", "node_modules/x/CLAUDE.md")
    (read,) = opened(list(of_project(find(store.place.top))), "markdown")
    assert [each.text for each in read.reading.candidates] == ["For `apps/web/`: Use strict types in all components"]
