"""The person's editor: what it leaves is a draft or a reason, and what was typed is never lost."""

from pathlib import Path

import pytest

from curator.desk.editing import edited, edited_text
from curator.draft import draft
from curator.errors import CuratorError

OLD = draft("the port", "The port is 8080.", "lesson", labels=("net",))


def editor(folder: Path, script: str) -> dict[str, str]:
    """An environment whose editor is a shell script; `$1` is the file."""
    program = folder / "editor"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return {"EDITOR": str(program), "PATH": "/usr/bin:/bin", "TMPDIR": str(folder)}


def test_the_text_and_the_fields_come_back(tmp_path: Path) -> None:
    """A changed text and kind are the new draft; nothing stays behind in the folder for temporary files."""
    env = editor(tmp_path, 'sed -i "s/8080/9090/; s/^kind: .*/kind: pattern/" "$1"')
    new = edited(OLD, 1000, env)
    assert (new.body, new.kind.value, new.labels) == ("The port is 9090.", "pattern", ("net",))


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ('echo more >> "$1"; exit 3', "ended with code 3"),
        ('sed -i "s/^kind: .*/kind: banana/" "$1"', "banana"),
        ('sed -i "s/^kind: .*/colour: red/" "$1"', "is no field"),
        ('head -c 2000 /dev/zero | tr "\\0" a >> "$1"', "more than the 1,000 allowed"),
    ],
)
def test_what_was_typed_is_kept_where_it_cannot_be_taken(tmp_path: Path, script: str, told: str) -> None:
    """A failing editor, a field that cannot be, a text too long: the reason, and the file that holds the text."""
    with pytest.raises(CuratorError, match=told) as failure:
        edited(OLD, 1000, editor(tmp_path, script))
    kept = Path(str(failure.value).rpartition(" ")[2])
    assert "The port is 8080." in kept.read_text(encoding="utf-8")
    kept.unlink()


@pytest.mark.parametrize("script", ['rm "$1"', ': > "$1"', "exit 4"])
def test_an_editor_that_leaves_nothing_changes_nothing(tmp_path: Path, script: str) -> None:
    """A removed or emptied file, or a failure without a change, is a reason and leaves no file behind."""
    with pytest.raises(CuratorError) as failure:
        edited(OLD, 1000, editor(tmp_path, script))
    assert "kept in" not in str(failure.value)


def test_an_editor_that_is_no_command_is_named() -> None:
    """An unbalanced quote or a missing program in EDITOR is one line, no traceback."""
    with pytest.raises(CuratorError, match="is no command"):
        edited_text("x", {"EDITOR": "vi '"})
    with pytest.raises(CuratorError, match="could not be started"):
        edited_text("x", {"EDITOR": "/nowhere/editor"})
