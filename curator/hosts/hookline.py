"""The command string that stands in a client's settings: how it is written, and how it is known again.

The string names interpreter and script by absolute path, so it depends on no PATH, no active environment and no
working directory; where either is gone it does nothing and says nothing. Standard library only.
"""

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from curator.errors import CuratorError

EVENTS = (
    "session-start",
    "prompt",
    "pre-tool",
    "post-tool",
    "stop",
    "pre-compact",
    "post-compact",
    "session-end",
)
_SEPARATORS = {"||", "&&", ";", "|", "&"}
_INTRODUCING = {"exec", "command", "env", "nice", "nohup", "time", "if", "then", "do"}
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_PYTHON = re.compile(r"python[0-9.]*(\.exe)?$|\$p$")


@dataclass(frozen=True)
class Program:
    """What a hook runs: an interpreter and the script `curator` beside it, both absolute."""

    python: str
    script: str


def installed(prefix: str = sys.prefix, started: str | None = None) -> Program:
    """The program that is running now, by the paths that an upgrade of its environment keeps.

    The interpreter is the environment's own link, never what it points to. Raises `CuratorError` where there is no
    script `curator`, neither in the environment nor as the one that was started.
    """
    folder = Path(prefix) / ("Scripts" if sys.platform == "win32" else "bin")
    suffix = ".exe" if sys.platform == "win32" else ""
    names = (f"python{suffix}", f"python3{suffix}")
    python = next((folder / name for name in names if (folder / name).exists()), Path(sys.executable))
    for script in (folder / f"curator{suffix}", Path(started or sys.argv[0]).absolute()):
        if script.name == f"curator{suffix}" and script.is_file():
            return Program(str(python), str(script))
    raise CuratorError("hooks need the program `curator`: install it with `pipx install curator-memory`")


def posix(program: Program, words: str) -> str:
    """The command for sh, bash and zsh. `-E` keeps the project's own PYTHONPATH out."""
    python, script = shlex.quote(program.python), shlex.quote(program.script)
    return f'p={python} s={script}; [ ! -x "$p" ] || [ ! -f "$s" ] || exec "$p" -E "$s" hook {words}'


def windows(program: Program, words: str, shell: str) -> str:
    """The command for `cmd`, `powershell` or `bash` (Git Bash): double quotes only, backslashes kept.

    Written from documentation; not tried on Windows.
    """
    path = program.script
    if shell == "powershell":
        quoted = '"' + path.replace("`", "``").replace("$", "`$") + '"'
        return f"if (Test-Path -LiteralPath {quoted}) {{ & {quoted} hook {words} }}"
    if shell == "bash":
        quoted = '"' + re.sub(r"([$`])", r"\\\1", path) + '"'
        return f"[ ! -f {quoted} ] || exec {quoted} hook {words}"
    return f'if exist "{path}" "{path}" hook {words}'


def words_of(command: str) -> tuple[str, ...]:
    """What a command string hands to `curator hook` (event first); empty for anybody else's command.

    It must run curator, not mention it: `echo curator hook stop`, a comment or a script that calls it is not ours.
    """
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return ()
    return next((found for part in _commands(words) if (found := _hook_words(part, words))), ())


def _commands(words: list[str]) -> list[list[str]]:
    """The simple commands of a line, without what only introduces them."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _SEPARATORS or word in {"{", "}"}:
            parts.append([])
            continue
        parts[-1].append(word.removesuffix(";"))
        if word.endswith(";"):
            parts.append([])
    return [_bare(part) for part in parts]


def _bare(part: list[str]) -> list[str]:
    if part[:2] == ["if", "exist"]:
        part = part[3:]
    while part and (part[0] in _INTRODUCING or _ASSIGNMENT.match(part[0])):
        part = part[1:]
    return part


def _hook_words(part: list[str], words: list[str]) -> tuple[str, ...]:
    if part and _PYTHON.search(_name(part[0])):
        part = part[1:]
        while part and part[0].startswith("-") and part[0] != "-m":
            part = part[1:]
        part = part[1:] if part[:1] == ["-m"] else part
    if len(part) < 3 or part[1] != "hook" or part[2] not in EVENTS:
        return ()
    script = part[0]
    if script == "$s":
        script = next((word[2:].removesuffix(";") for word in words if word.startswith("s=")), "")
    return tuple(part[2:]) if _name(script) in {"curator", "curator.exe"} else ()


def _name(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]
