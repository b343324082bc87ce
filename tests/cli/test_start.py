"""Starting the command: what is imported, what is printed where, which exit code."""

import subprocess
import sys
from pathlib import Path

import pytest

from curator import __version__
from curator.__main__ import main
from curator.cli.app import CommandTable, load
from curator.cli.table import Row, rows
from curator.errors import Conflict

HEAVY = {"sqlmodel", "sqlalchemy", "textual", "tiktoken", "torch", "sentence_transformers", "alembic", "numpy"}
HEAVY |= {"mcp", "mcp_types", "starlette", "uvicorn", "httpx2", "cryptography"}


def curator(*words: str, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as a process."""
    call = [sys.executable, "-m", "curator", *words]
    return subprocess.run(call, cwd=cwd, input=stdin, capture_output=True, text=True, encoding="utf-8", check=False)


def imported(*words: str) -> set[str]:
    """The names of all modules that one call has imported by its end."""
    code = (
        "import sys; from curator.__main__ import main; code = main(sys.argv[1:]);"
        "print('\\n@' + ' '.join(sys.modules)); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], input="{}", capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("@")[2].split())


@pytest.mark.parametrize("words", [["--help"], ["hook", "session-start", "--client", "claude"]])
def test_help_and_hooks_import_nothing_heavy(words: list[str], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help and hooks start without the store, the screens, tokenizers or models."""
    monkeypatch.chdir(home)
    assert not imported(*words) & HEAVY


def test_a_hook_imports_no_command_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hook` is answered before typer is imported."""
    monkeypatch.chdir(home)
    assert not imported("hook", "session-start", "--client", "claude") & {"typer", "curator.cli", "pydantic"}


def test_help_lists_every_command_without_loading_it() -> None:
    """`--help` names commands from the table; no command's module is imported for it."""
    loaded = {name for name in imported("--help") if name.startswith("curator.cli.")}
    assert loaded == {"curator.cli.app", "curator.cli.call", "curator.cli.table"}
    text = curator("--help").stdout
    for row in CommandTable(name="curator").rows.values():
        assert f"  {row.name} " in text
        assert row.section in text


@pytest.mark.parametrize("row", list(CommandTable(name="curator").rows.values()), ids=lambda row: row.name)
def test_every_command_of_the_table_can_be_loaded(row: Row) -> None:
    """A row of the table names a command that its module really has, with the shared options on it."""
    command = load(row)
    assert command.name == row.name
    assert "-C" in {flag for param in command.params for flag in param.opts}


def test_no_command_has_two_rows() -> None:
    """A name stands once in the table."""
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


def test_version_goes_to_stdout() -> None:
    """`--version` is data."""
    done = curator("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"curator {__version__}\n", "")


def test_an_unknown_command_is_wrong_usage_with_a_suggestion() -> None:
    """Exit code 2, stdout empty, the nearest name on stderr."""
    done = curator("hok")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'hook'" in done.stderr


def test_a_missing_folder_is_one_line_of_wrong_usage() -> None:
    """`-C` with a folder that is not there says so in one line and exits 2."""
    done = curator("-C", "/nowhere/at\nall", "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "curator: -C /nowhere/at all: there is no such folder\n"


def test_a_failure_is_one_line_with_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any CuratorError becomes `curator: reason` on stderr and its exit code, with no control characters."""

    def fail(_words: list[str]) -> None:
        raise Conflict("changed since\nit was shown \x1b[31m")

    monkeypatch.setattr("curator.cli.app.run", fail)
    assert main(["list"]) == 3
    assert capsys.readouterr().err == "curator: changed since it was shown \\x1b[31m\n"


def test_a_failed_write_names_the_path(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An operating system error that nobody translated is still one line with reason and path."""

    def fail(_words: list[str]) -> None:
        raise OSError(28, "No space left on device", "/srv/demo/x")

    monkeypatch.setattr("curator.cli.app.run", fail)
    assert main(["list"]) == 1
    assert capsys.readouterr().err == "curator: /srv/demo/x: No space left on device\n"


def test_a_reader_that_left_is_no_error() -> None:
    """Output into a closed pipe ends quietly."""
    call = f"{sys.executable} -m curator --help"
    done = subprocess.run(["bash", "-c", f"{call} | true"], capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["checkpoint", "db", "record", "sync"])
def test_a_group_s_help_lists_each_command_with_its_whole_sentence(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of a command's first sentence is cut in the help of its group."""
    main([name, "--help"])
    assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


def test_no_other_command_loads_the_mcp_sdk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that open a store do so without the packages of the server."""
    monkeypatch.chdir(home)
    assert not imported("search", "anything") & {"mcp", "mcp_types", "starlette", "uvicorn", "cryptography"}
