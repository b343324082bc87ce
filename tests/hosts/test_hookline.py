"""The stored command string: it runs in every shell from any path, and is known again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curator.errors import CuratorError
from curator.hosts.hookline import Program, installed, posix, windows, words_of

PATHS = (Path(__file__).parent.parent / "cases" / "84" / "paths.txt").read_text(encoding="utf-8").splitlines()
SHELLS = [shell for shell in ("sh", "bash", "zsh", "dash", "ksh") if shutil.which(shell)]
NASTY = [
    "a b",
    "a'b",
    'a"b',
    "a$HOME",
    "a`b`",
    "a(b)",
    "é日本",
    "a&b;c|d",
    "a\\b",
    "-x",
    "*?[a]",
    "~",
    "#c",
    "a=b",
    "!!",
]


def fake(folder: Path) -> Program:
    """An interpreter and a script that print how they were called."""
    folder.mkdir(parents=True)
    (folder / "curator").write_text("import sys; print('ran', *sys.argv[1:])")
    (folder / "python").symlink_to(sys.executable)
    return Program(str(folder / "python"), str(folder / "curator"))


def run(shell: str, command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """As a client runs it: through a shell, with an environment that helps nobody."""
    env = {"PATH": "/nowhere", "HOME": str(cwd), "PYTHONPATH": str(cwd)}
    found = shutil.which(shell)
    assert found
    return subprocess.run([found, "-c", command], cwd=cwd, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", ["case 84 (a'b)/é$HOME/bin", "".join(each for each in NASTY)])
def test_case_84_the_stored_string_runs_in_every_shell(shell: str, name: str, tmp_path: Path) -> None:
    """From a path of spaces, quotes, brackets, `$` and other scripts, without PATH; a planted module is not run."""
    (tmp_path / "json.py").write_text("raise SystemExit('planted')")
    command = posix(fake(tmp_path / name), "session-start --client claude")
    done = run(shell, command, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ran hook session-start --client claude\n", "")
    assert words_of(command) == ("session-start", "--client", "claude")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("gone", ["python", "curator", ""])
def test_a_program_that_is_gone_is_silence(shell: str, gone: str, tmp_path: Path) -> None:
    """Interpreter, script or the whole folder removed: exit 0 and not a byte on either stream."""
    program = fake(tmp_path / "bin")
    command = posix(program, "stop --client claude")
    if gone:
        (tmp_path / "bin" / gone).unlink()
    else:
        shutil.rmtree(tmp_path / "bin")
    done = run(shell, command, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_paths_survive_an_upgrade(tmp_path: Path) -> None:
    """The environment's own names are stored, not what they point to today: another interpreter behind them works."""
    program = fake(tmp_path / "bin")
    found = installed(str(tmp_path), "curator")
    assert found == program
    old = tmp_path / "bin" / "python"
    old.unlink()
    old.symlink_to(os.path.realpath(sys.executable))
    assert run("sh", posix(found, "stop"), tmp_path).stdout == "ran hook stop\n"


def test_without_a_script_there_is_no_hook(tmp_path: Path) -> None:
    """Where curator is not installed as a program, that is said instead of storing a command that cannot run."""
    with pytest.raises(CuratorError, match="pipx install"):
        installed(str(tmp_path), "/usr/bin/pytest")


@pytest.mark.parametrize("shell", ["cmd", "powershell", "bash"])
@pytest.mark.parametrize("path", [PATHS[1], r"C:\Program Files\curator.exe", r"\\server\share $x\curator.exe"])
def test_case_84_windows_forms(shell: str, path: str) -> None:
    """No single quotes, backslashes kept, brackets and spaces inside double quotes; known again as ours."""
    command = windows(Program("python.exe", path), "session-start --client claude", shell)
    assert "'" not in command
    escaped = path if shell == "cmd" else path.replace("$", "`$" if shell == "powershell" else "\\$")
    assert f'"{escaped}" hook session-start' in command
    assert words_of(command) == ("session-start", "--client", "claude")


@pytest.mark.parametrize(
    "command",
    [
        "curator hook stop",
        "/usr/local/bin/curator hook stop --client claude",
        "FOO=1 curator hook stop",
        "python3 -m curator hook stop",
        "'/a b/python3.12' -E '/a b/curator' hook stop",
        "test -x /x/curator && exec /x/curator hook stop || true",
        "cd /tmp; curator hook stop",
        posix(Program("/x/python", "/x/curator"), "stop"),
    ],
)
def test_ours_is_known_again(command: str) -> None:
    """Every form that runs curator's hook is recognised, also one that a person wrote or changed."""
    assert words_of(command)[0] == "stop"


@pytest.mark.parametrize(
    "command",
    [
        "echo curator hook stop",
        "echo 'curator hook stop'",
        "true # curator hook stop",
        "my-curator hook stop",
        "curator hook something-else",
        "curator status",
        "python -m curatorial hook stop",
        "sh -c 'curator hook stop'",
        posix(Program("/x/python", "/x/other"), "stop"),
        "broken 'quote curator hook stop",
        "",
    ],
)
def test_what_only_mentions_curator_is_not_ours(command: str) -> None:
    """A command that prints, comments or wraps the words is somebody else's."""
    assert words_of(command) == ()
