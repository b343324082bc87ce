"""Anchors: does what an entry cites still exist? A path with optional line, a symbol, a command, a commit.

Owns the look at the working tree and at git. No model, no network, nothing outside the project; every git call is
read-only, without the repository's own programs, and bounded in time. What cannot be told is UNKNOWN, never STALE.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

SECONDS = 10
"""Longest time one git call may take."""

COMMITS = 5_000
"""How far back renames and deletions are looked for."""

SYMBOLS = 400
"""Symbols asked for in one git call, so that they fit on a command line."""

_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_PATH = re.compile(r"(?P<path>[^\s:]+?)(?::(?P<line>\d+)(?:-\d+)?)?")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*(?:\(\))?")
_MAKE = re.compile(r"make\s+([A-Za-z][\w.-]*)")
_NPM = re.compile(r"(?:npm run|pnpm(?: run)?|yarn(?: run)?|bun run)\s+([\w:.-]+)")


class State(StrEnum):
    """How an anchor stands; the order is from good to bad, UNKNOWN says nothing."""

    FRESH = "FRESH"
    UNKNOWN = "UNKNOWN"
    MOVED = "MOVED"
    STALE = "STALE"


@dataclass(frozen=True)
class Anchor:
    """One cited thing: `kind` is path, symbol, command or commit; `now` is where a moved path is; `why` in words."""

    ref: str
    kind: str
    state: State
    why: str
    now: str = ""


def kind_of(ref: str) -> str:
    """What a reference is, by its form."""
    ref = ref.strip()
    if _COMMIT.fullmatch(ref) and re.search(r"\d", ref):
        return "commit"
    if " " in ref:
        return "command"
    match = _PATH.fullmatch(ref)
    if match and ("/" in match["path"] or _SUFFIX.search(match["path"])) and not ref.endswith("()"):
        return "path"
    return "symbol" if _SYMBOL.fullmatch(ref) else "command"


def worst(states: Iterable[str]) -> str:
    """The worst of some states; empty where there are none."""
    order = list(State)
    found = [State(state) for state in states if state in set(State)]
    return max(found, key=order.index).value if found else ""


class Checker:
    """One look at one project: git is asked once for all anchors, not once for each.

    A symbol does not stand in the code because a file of `apart` (paths from the root) names it.
    """

    def __init__(self, root: Path, apart: Sequence[str] = ()) -> None:
        self.root = root
        self._apart = tuple(f":!{name}" for name in apart)
        self._symbols: dict[str, bool] = {}

    def check(self, refs: Sequence[str]) -> dict[str, Anchor]:
        """Each reference's anchor."""
        wanted = list(dict.fromkeys(ref.strip() for ref in refs if ref.strip()))
        self._look_up([ref for ref in wanted if kind_of(ref) == "symbol"])
        return {ref: self._one(ref, kind_of(ref)) for ref in wanted}

    def _one(self, ref: str, kind: str) -> Anchor:
        look = {"path": self._path, "symbol": self._symbol, "commit": self._commit, "command": self._command}[kind]
        state, why, now = look(ref)
        return Anchor(ref, kind, state, why, now)

    def _path(self, ref: str) -> tuple[State, str, str]:
        match = _PATH.fullmatch(ref)
        path, line = (match["path"], match["line"]) if match else (ref, None)
        if (place := self._inside(path)) is None:
            return State.UNKNOWN, "it lies outside the project", ""
        name = os.path.relpath(place, self.root).replace(os.sep, "/")
        if not place.exists():
            if (moved := self._moved_to(name)) is not None:
                return State.MOVED, f"{name} is now {moved}", moved + (f":{line}" if line else "")
            return State.STALE, f"{name} no longer exists", ""
        if line and place.is_file() and int(line) > _lines(place):
            return State.MOVED, f"{name} has fewer than {line} lines now", name
        return State.FRESH, f"{name} exists", ""

    def _inside(self, path: str) -> Path | None:
        """The place of a path in the project; None for one that leads out of it."""
        root = self.root.resolve()
        place = Path(os.path.normpath(root / path))
        return place if place.is_relative_to(root) and not path.startswith("~") else None

    def _moved_to(self, name: str) -> str | None:
        seen = set()
        while name in self._renames and name not in seen:
            seen.add(name)
            name = self._renames[name]
        return name if seen and (self.root / name).exists() else None

    @cached_property
    def _renames(self) -> Mapping[str, str]:
        """Old path to new path, the newest rename of each; also renames that are not committed yet."""
        shared = ("--no-ext-diff", "--no-textconv", "-M", "--diff-filter=R", "--name-status", "-z")
        history = self.git("log", f"--max-count={COMMITS}", "--format=", *shared)
        return _pairs(history) | _pairs(self.git("diff", "HEAD", *shared))

    def _symbol(self, ref: str) -> tuple[State, str, str]:
        name = _bare(ref)
        if name not in self._symbols:
            return State.UNKNOWN, "there is no git repository to look it up in", ""
        if self._symbols[name]:
            return State.FRESH, f"{name} stands in the code", ""
        return State.STALE, f"{name} stands nowhere in the code any more", ""

    def _look_up(self, refs: Sequence[str]) -> None:
        names = sorted({_bare(ref) for ref in refs})
        if not names or not self._is_git:
            return
        there: set[str] = set()
        for start in range(0, len(names), SYMBOLS):
            # One alternation: 400 separate fixed words take git 30 times as long.
            words = "|".join(re.escape(name) for name in names[start : start + SYMBOLS])
            found = self.git(
                "grep", "--untracked", "-I", "-h", "-o", "-w", "-E", words, "--", ".", ":!.curator", *self._apart
            )
            there.update(found.split("\n"))
        self._symbols |= {name: name in there for name in names}

    def _commit(self, ref: str) -> tuple[State, str, str]:
        if not self._is_git:
            return State.UNKNOWN, "there is no git repository to look it up in", ""
        if self.git("cat-file", "-t", ref).strip() == "commit":
            return State.FRESH, f"commit {ref} exists", ""
        shallow = self.git("rev-parse", "--is-shallow-repository").strip() != "false"
        why = f"commit {ref} is not in this clone"
        return (State.UNKNOWN if shallow else State.STALE), why, ""

    def _command(self, ref: str) -> tuple[State, str, str]:
        if (match := _MAKE.match(ref)) and (made := self._text("Makefile") or self._text("makefile")):
            target = match[1]
            there = re.search(rf"(?m)^[^\s#=]*\b{re.escape(target)}\b[^=\n]*:(?!=)", made)
            return (State.FRESH, f"make has {target}", "") if there else (State.STALE, f"make has no {target}", "")
        if (match := _NPM.match(ref)) and (scripts := self._text("package.json")):
            listed = f'"{match[1]}"' in scripts
            why = f"package.json has {'the' if listed else 'no'} script {match[1]}"
            return (State.FRESH if listed else State.STALE), why, ""
        first = ref.split(maxsplit=1)[0] if ref.split() else ref
        if "/" in first:
            return self._path(first)
        known = shutil.which(first) is not None
        why = f"{first} is a program here" if known else f"{first} is no program here"
        return (State.FRESH if known else State.UNKNOWN), why, ""

    def _text(self, name: str) -> str:
        try:
            return (self.root / name).read_text(encoding="utf-8", errors="replace")[:500_000]
        except OSError:
            return ""

    @cached_property
    def _is_git(self) -> bool:
        return self.git("rev-parse", "--is-inside-work-tree").strip() == "true"

    def git(self, *arguments: str) -> str:
        """What git answers to a read-only question; empty where it does not, for whatever reason."""
        quiet = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(
                ["git", "-C", str(self.root), *quiet, *arguments],
                capture_output=True,
                timeout=SECONDS,
                check=False,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.decode("utf-8", "replace")


def _pairs(listing: str) -> dict[str, str]:
    """Renames in a `--name-status -z` listing, newest first: `R100`, old, new."""
    parts = [part.strip("\n") for part in listing.split("\0")]
    found: dict[str, str] = {}
    for n in range(len(parts) - 2):
        if re.fullmatch(r"R\d+", parts[n]):
            found.setdefault(parts[n + 1], parts[n + 2])
    return found


def _bare(ref: str) -> str:
    """The part of a symbol that stands in code: the last name."""
    return re.split(r"\.|::|->", ref.removesuffix("()"))[-1]


def _lines(file: Path) -> int:
    try:
        with file.open("rb") as data:
            return sum(1 for _ in data)
    except OSError:
        return 0
