"""Where the file lies, and what lets git carry it: the setting, the ignore rules, the attributes, the merge driver.

Owns small changes to files that are the product's own; every other line of them stays. Asks git, but never commits.
"""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from curator.hosts.hookline import Program
from curator.place import FOLDER, Place

FILE = "memory.jsonl"
DRIVER = "merge.curator.driver"
NAME = "merge.curator.name"
TITLE = "curator: memory, merged entry by entry"

_ATTRIBUTES = f"{FILE} merge=curator -text"
_IGNORE = ("!.gitignore", "!.gitattributes", "!config.toml", f"!{FILE}")
_SETTING = re.compile(r"^sync\s*=.*$", re.MULTILINE)
_SECONDS = 10.0


def folder_of(place: Place) -> Path:
    """Where the branch that is checked out here keeps the file: a linked worktree has its own."""
    return place.top / FOLDER if place.worktree else place.folder


def file_of(place: Place) -> Path:
    """The file itself."""
    return folder_of(place) / FILE


def turn(place: Place, *, on: bool) -> list[Path]:
    """Write the setting and, to turn it on, what git needs; the files that changed. Nothing of a person's is lost."""
    changed = [_changed(place.folder / "config.toml", lambda text: _setting(text, on))]
    if on:
        folder = folder_of(place)
        folder.mkdir(mode=0o700, exist_ok=True)
        changed.append(_changed(folder / ".gitignore", lambda text: _with_lines(text or "*\n", _IGNORE)))
        changed.append(_changed(folder / ".gitattributes", lambda text: _with_lines(text, (_ATTRIBUTES,))))
    return [path for path in changed if path]


def command_of(program: Program) -> str:
    """What git is to run for a merge of the file."""
    return f"{shlex.quote(program.python)} -E {shlex.quote(program.script)} sync merge-driver %O %A %B %P"


def registered(place: Place) -> str:
    """The driver that this clone is told to use; "" where there is none."""
    return _git(place, "config", "--get", DRIVER).strip()


def register(place: Place, command: str) -> bool:
    """Tell this clone to use the driver: a clone's own setting, which git does not carry to others."""
    return all(_ran(place, "config", name, value) for name, value in ((NAME, TITLE), (DRIVER, command)))


def ignored(place: Place) -> str:
    """The rule by which git leaves the file out; "" where it does not."""
    asked = ("check-ignore", "--no-index", str(file_of(place)))
    return _git(place, "check-ignore", "-v", *asked[1:]).partition("\t")[0] if _git(place, *asked) else ""


def in_git(place: Place) -> bool:
    """Does the file lie in a repository?"""
    return _git(place, "rev-parse", "--is-inside-work-tree").strip() == "true"


def _setting(text: str, on: bool) -> str:
    """The text with the setting, before the first table."""
    line = f"sync = {'true' if on else 'false'}"
    head, table, rest = f"\n{text}".partition("\n[")
    if _SETTING.search(head):
        return (_SETTING.sub(line, head) + table + rest)[1:]
    return (head.rstrip("\n") + f"\n{line}" + (table + rest if table else "\n"))[1:]


def _with_lines(text: str, wanted: tuple[str, ...]) -> str:
    there = {line.strip() for line in text.splitlines()}
    missing = [line for line in wanted if line not in there]
    if not missing:
        return text
    return text + ("" if not text or text.endswith("\n") else "\n") + "".join(f"{line}\n" for line in missing)


def _changed(path: Path, change: Callable[[str], str]) -> Path | None:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    new = change(text)
    if new == text:
        return None
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(new, encoding="utf-8", newline="\n")
    draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o600)
    draft.replace(path)
    return path


def _git(place: Place, *words: str) -> str:
    done = _run(place, *words)
    return done.stdout.decode("utf-8", "replace") if done and done.returncode == 0 else ""


def _ran(place: Place, *words: str) -> bool:
    done = _run(place, *words)
    return done is not None and done.returncode == 0


def _run(place: Place, *words: str) -> "subprocess.CompletedProcess[bytes] | None":
    try:
        return subprocess.run(["git", "-C", str(place.top), *words], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
