"""Which files are memory files, where they usually are, and reading one without harm.

Owns places and roles. A file of a usual place that leads out of its folder by a symbolic link is not read; one that
the person names is. Never writes.
"""

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from curator.hosts import claude
from curator.place import Place
from curator.plain import one_line

LARGEST = 16 << 20
"""Bytes of the largest file that is read."""

MOST = 2_000
"""Files taken from one folder."""


class Role(StrEnum):
    """How a file is read."""

    RULES = "rules"
    LESSONS = "lessons"
    TOPIC = "topic"
    PASSING = "passing"
    DECISIONS = "adr"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True)
class MemoryFile:
    """A file, how it is called in what we print, its role, and when agents read it by themselves (empty: never).

    `within` is the folder that a file of a usual place may not lead out of; `scope` the folder that it is about.
    """

    path: Path
    name: str
    role: Role
    loaded: str = ""
    within: Path | None = None
    scope: str = ""


class NotRead(Exception):
    """A file that is not read; the message is the reason, without the name."""


_EVERY = "every session"
_INDEX = "every session, its first 200 lines"
_PROJECT: Mapping[str, tuple[Role, str]] = {
    "CLAUDE.md": (Role.RULES, _EVERY),
    "CLAUDE.local.md": (Role.RULES, _EVERY),
    ".claude/CLAUDE.md": (Role.RULES, _EVERY),
    ".claude/rules/**/*.md": (Role.RULES, _EVERY),
    "AGENTS.md": (Role.RULES, _EVERY),
    "AGENTS.override.md": (Role.RULES, _EVERY),
    "GEMINI.md": (Role.RULES, _EVERY),
    ".github/copilot-instructions.md": (Role.RULES, _EVERY),
    ".cursorrules": (Role.RULES, _EVERY),
    ".cursor/rules/**/*.mdc": (Role.RULES, ""),
    ".clinerules": (Role.RULES, _EVERY),
    ".clinerules/*.md": (Role.RULES, _EVERY),
    "MEMORY.md": (Role.RULES, ""),
    "LESSONS.md": (Role.LESSONS, ""),
    "lessons.md": (Role.LESSONS, ""),
    "docs/lessons.md": (Role.LESSONS, ""),
    "tasks/lessons.md": (Role.LESSONS, ""),
    "memory-bank/**/*.md": (Role.RULES, ""),
    ".beads/memory/knowledge.jsonl": (Role.KNOWLEDGE, ""),
}
_HOME: Mapping[str, str] = {
    ".claude/CLAUDE.md": _EVERY,
    ".codex/AGENTS.md": _EVERY,
    ".gemini/GEMINI.md": _EVERY,
    ".config/opencode/AGENTS.md": _EVERY,
}
_DECISIONS = (
    "docs/adr",
    "docs/adrs",
    "docs/ADR",
    "docs/decisions",
    "docs/architecture/decisions",
    "docs/architecture/adr",
    "doc/adr",
    "doc/architecture/decisions",
    "adr",
    "adrs",
    "decisions",
)
_NESTED = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")
_DEPTHS = ("*/", "*/*/")
_THERE = "when work is in that folder"
_SUFFIXES = frozenset({".md", ".mdc", ".markdown", ".mdown"})
_NAMED = frozenset({".cursorrules", ".clinerules", "knowledge.jsonl"})
_NOT_INTO = frozenset({"node_modules", "vendor", "target", "dist", "build", "__pycache__"})
_INTO = frozenset({".claude", ".cursor", ".github", ".beads", ".clinerules"})
_LESSONS = re.compile(r"lessons?|learnings?|gotchas|教训|经验", re.IGNORECASE)
_PASSING = re.compile(r"(?:progress|todo|changelog|roadmap|status)$", re.IGNORECASE)


def of_project(place: Place) -> Iterator[MemoryFile]:
    """The memory files of a project that are there, Claude's own notes about it included."""
    seen: set[Path] = set()
    for pattern, (role, loaded) in _PROJECT.items():
        for path in _matching(place.top, pattern):
            if _new(path, seen):
                yield MemoryFile(path, _name(path, place.top), _role(path, role), loaded, place.top)
    for path in [each for name in _NESTED for deep in _DEPTHS for each in _matching(place.top, deep + name)]:
        folders = path.relative_to(place.top).parts[:-1]
        ours = not any(each.startswith(".") or each in _NOT_INTO for each in folders)
        if ours and _new(path, seen):
            name = _name(path, place.top)
            yield MemoryFile(path, name, Role.RULES, _THERE, place.top, _scope(path, place.top))
    for path in decision_records(place):
        if _new(path, seen):
            yield MemoryFile(path, _name(path, place.top), Role.DECISIONS, within=place.top)
    kept = claude.home_folder() / "projects"
    for folder in dict.fromkeys((claude.encoded(place.top), claude.encoded(place.root))):
        for path in _matching(kept / folder / "memory", "*.md"):
            index = path.name == "MEMORY.md"
            if _new(path, seen):
                role = Role.RULES if index else Role.TOPIC
                yield MemoryFile(path, _name(path, place.top), role, _INDEX if index else "", kept)


def of_person() -> Iterator[MemoryFile]:
    """The memory files in the home folder that hold for every project."""
    home = Path.home()
    for name, loaded in _HOME.items():
        path = claude.home_folder() / "CLAUDE.md" if name == ".claude/CLAUDE.md" else home / name
        if path.exists():
            yield MemoryFile(path, _name(path, home / "none"), Role.RULES, loaded)


def decision_records(place: Place) -> list[Path]:
    """The files of the folders where a project keeps its architecture decisions."""
    folders = list(_DECISIONS)
    with contextlib.suppress(OSError, ValueError):
        folders.insert(0, (place.top / ".adr-dir").read_text("utf-8").strip())
    found = [path for folder in folders if folder and ".." not in folder for path in _matching(place.top, folder)]
    return [file for folder in found if folder.is_dir() for file in _matching(folder, "*.md")]


def named(path: Path, top: Path, decisions: bool = False) -> list[MemoryFile]:
    """What a path of the person's stands for: the file, or the memory files of a folder. Raises `NotRead`."""
    if not os.path.lexists(path):
        raise NotRead("there is no such file")
    files = list(_walk(path)) if path.is_dir() else [path]
    if not files:
        raise NotRead("there are no memory files in it")
    usual = {pattern: loaded for pattern, (_, loaded) in _PROJECT.items() if loaded}
    made = []
    for file in files:
        role = Role.DECISIONS if decisions else _role(file, Role.RULES)
        scope = _scope(file, top)
        loaded = _THERE if scope else usual.get(file.name, "")
        made.append(MemoryFile(file, _name(file, top), role, loaded, scope=scope))
    return made


def leads_out(path: Path, folder: Path) -> bool:
    """Does a path in a folder lie elsewhere, through a symbolic link?"""
    return not real(path).is_relative_to(real(folder))


def real(path: Path) -> Path:
    """The path without links; one that leads in a circle stays as it is (`Path.resolve` would raise)."""
    return Path(os.path.realpath(path))


def content(path: Path) -> bytes:
    """The bytes of a regular file of a size that can be read. Raises `NotRead`."""
    try:
        if path.is_dir():
            raise NotRead("it is a folder")
        if not path.is_file():
            raise NotRead("it is no regular file" if path.exists() else "there is no such file")
        if path.stat().st_size > LARGEST:
            raise NotRead(f"it is larger than {LARGEST >> 20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise NotRead((error.strerror or str(error)).lower()) from error


def text_of(data: bytes) -> tuple[str, str]:
    """The text of some bytes, and what is to be said about its encoding. Raises `NotRead` for what is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), "UTF-16"
    if b"\0" in data[:65_536]:
        raise NotRead("it is no text")
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return _other(data)


def _other(data: bytes) -> tuple[str, str]:
    """Chinese in its own encoding where that gives Chinese, else Latin letters; bad bytes of UTF-8 are replaced."""
    loose = data.decode("utf-8", "replace")
    good = sum(char > "\x7f" and char != "\ufffd" for char in loose)
    if good > 4 * loose.count("\ufffd"):
        return loose, "UTF-8 with damaged characters"
    try:
        chinese = data.decode("gb18030")
    except UnicodeDecodeError:
        chinese = ""
    others = [char for char in chinese if char > "\x7f"]
    if len(others) >= 4 and sum("\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in others) >= 0.9 * len(
        others
    ):
        return chinese, "GB 18030"
    return data.decode("cp1252", "replace"), "Latin-1"


def _matching(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))[:MOST]
    except (OSError, ValueError):
        return []


def _new(path: Path, seen: set[Path]) -> bool:
    """Is it not one of those already found, by another name or another letter case?"""
    place = real(path)
    if place in seen or (path.is_dir() and path.name.startswith(".")):
        return False
    if any(place.name.lower() == s.name.lower() and place.parent == s.parent and _same(place, s) for s in seen):
        return False
    seen.add(place)
    return True


def _same(one: Path, two: Path) -> bool:
    try:
        return one.samefile(two)
    except OSError:
        return False


def _walk(folder: Path) -> Iterator[Path]:
    count = 0
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f in _INTO or not (f.startswith(".") or f in _NOT_INTO))
        for name in sorted(files):
            path = Path(base, name)
            if not (path.suffix.lower() in _SUFFIXES or name in _NAMED) or leads_out(path, folder):
                continue
            count += 1
            if count > MOST:
                return
            yield path


def _role(path: Path, role: Role) -> Role:
    """The role by name, where that says more than the place."""
    if path.suffix == ".jsonl":
        return Role.KNOWLEDGE
    if path.parent.name.lower() in {"adr", "adrs", "decisions"}:
        return Role.DECISIONS
    if path.parent.name == "memory" and path.parent.parent.parent.name == "projects" and path.name != "MEMORY.md":
        return Role.TOPIC
    if _PASSING.fullmatch(path.stem):
        return Role.PASSING
    return Role.LESSONS if _LESSONS.search(path.stem) else role


def _scope(path: Path, top: Path) -> str:
    """The folder that a nested rules file is about, from the project's top; empty for any other file."""
    if path.name not in _NESTED or not path.is_relative_to(top):
        return ""
    folder = path.relative_to(top).parent.as_posix()
    return "" if folder == "." or folder.startswith(".") else f"{folder}/"


def _name(path: Path, top: Path) -> str:
    """How a file is called, on one line: from the project's top, from home, or whole."""
    for folder, before in ((top, ""), (Path.home(), "~/")):
        if path.is_relative_to(folder):
            return one_line(before + path.relative_to(folder).as_posix())
    return one_line(str(path))
