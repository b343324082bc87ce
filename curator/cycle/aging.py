"""What memory files name and the project no longer has: paths, commands, symbols, commits, imported files.

Owns what counts as naming something real: an example path, a pattern, what git ignores or what never was is passed
over, because a memory file speaks of much that is not here. Reads only; asks git a few bounded questions.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from curator.edge.anchors import Checker, State, kind_of
from curator.harvest.memory.candidate import Candidate
from curator.harvest.memory.files import MemoryFile
from curator.sweep.cited import cited

MOST_SYMBOLS = 40
"""Symbols asked git about one by one, whether they ever stood in the code."""

_COMMAND = re.compile(r"(?:^|[`\s])((?:make|npm run|pnpm run|yarn run|bun run)\s+[A-Za-z][\w:.-]*)")
_IMPORT = re.compile(r"(?:^|\s)@((?:~|\.{1,2})?/?[\w./-]+\.(?:md|mdc|txt))\b")
_INVENTED = re.compile(
    r"[<>{}$*…]|\.\.\.|(?:^|/)(?:path|foo|bar|baz|example|your|my|xxx?|some)(?:[-_/.]|$)|x{3,}", re.I
)
_DENIES = re.compile(
    r"\b(?:never|don'?t|do not|avoid|instead of|rather than|not|no longer|removed|deprecated|legacy|old)\b"
    r"|不要|禁止|避免|不再|而不是",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*(?:[-*+>] +|\d+[.)] +)*(?:`{3,}|~{3,})")
_NO_COMMAND = frozenset({"make sure", "make it", "make a", "make the", "make an", "make any", "make all", "make use"})


def gone(
    files: Sequence[tuple[MemoryFile, str]], statements: Sequence[tuple[str, Candidate]], top: Path
) -> Iterator[tuple[str, int, str, str]]:
    """File, line, what is named, and why it is thought to be gone; `files` come with their texts."""
    here = [(file, text) for file, text in files if not file.name.startswith("~")]
    names = {file.name for file, _ in here}
    wanted: dict[tuple[str, str], tuple[int, str]] = {}
    for name, candidate in statements:
        if name in names:
            for ref in cited(candidate.text):
                line = candidate.line + candidate.text[: max(0, candidate.text.find(ref))].count("\n")
                wanted.setdefault((name, ref), (line, candidate.text))
    for file, text in here:
        for line, command in _commands(text):
            wanted.setdefault((file.name, command), (line, ""))
        yield from _imports(file, text)
    yield from _looked_up(wanted, tuple(sorted(names)), top)


def _looked_up(
    wanted: dict[tuple[str, str], tuple[int, str]], apart: tuple[str, ...], top: Path
) -> Iterator[tuple[str, int, str, str]]:
    checker = Checker(top, apart=apart)
    found = checker.check([ref for _, ref in wanted if not _INVENTED.search(ref)])
    known = _Known(checker)
    asked = 0
    for (name, ref), (line, text) in wanted.items():
        anchor = found.get(ref)
        if anchor is None or anchor.state not in (State.STALE, State.MOVED):
            continue
        kind = kind_of(ref)
        if kind == "path" and anchor.state is State.STALE and not known.was_there(ref, name):
            continue
        if kind == "symbol":
            if _DENIES.search(text) or asked >= MOST_SYMBOLS:
                continue
            asked += 1
            if not known.stood_in_code(ref):
                continue
        if kind == "command" and known.script_elsewhere(ref):
            continue
        yield name, line, ref, anchor.why


class _Known:
    """What git knows of the project, asked once."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._by_name: dict[str, set[str]] = {}
        for name in checker.git("ls-files").split("\n"):
            for path in (PurePosixPath(name), *PurePosixPath(name).parents):
                self._by_name.setdefault(path.name, set()).add(f"/{path}")
        self._deleted: frozenset[str] | None = None

    def was_there(self, ref: str, name: str) -> bool:
        """Was a path really a file of the project, and is it nowhere in it now?"""
        path = ref.partition(":")[0].strip("/").removeprefix("./")
        beside = PurePosixPath(name).parent / path
        if (self._checker.root / beside).exists():
            return False
        if any(known.endswith(f"/{path}") for known in self._by_name.get(PurePosixPath(path).name, ())):
            return False
        if path in self._gone() or any(old.startswith(f"{path}/") or old.endswith(f"/{path}") for old in self._gone()):
            return True
        first = path.partition("/")[0]
        rooted = "/" in path and (self._checker.root / first).is_dir() and "." in PurePosixPath(path).name
        return rooted and not self._checker.git("check-ignore", "--no-index", "--", path).strip()

    def _gone(self) -> frozenset[str]:
        if self._deleted is None:
            shared = ("--no-ext-diff", "--no-textconv", "-M", "--diff-filter=D", "--name-only", "--format=")
            self._deleted = frozenset(self._checker.git("log", "--max-count=5000", *shared).split("\n")) - {""}
        return self._deleted

    def stood_in_code(self, ref: str) -> bool:
        """Did git ever see the symbol come or go, outside of text files?"""
        bare = re.split(r"\.|::|->", ref.removesuffix("()"))[-1]
        apart = (":!*.md", ":!*.mdc", ":!*.txt", ":!.curator")
        return bool(self._checker.git("log", "-1", "--format=%h", f"-S{bare}", "--", ".", *apart).strip())

    def script_elsewhere(self, ref: str) -> bool:
        """Does another package of the repository have the script, or another makefile the target?"""
        name = re.escape(ref.rsplit(maxsplit=1)[-1])
        made = ref.startswith("make")
        pattern, files = (rf"^{name}[^=]*:", ["*akefile", "*.mk"]) if made else (f'"{name}"', ["*package.json"])
        return bool(self._checker.git("grep", "-l", "--untracked", "-E", pattern, "--", *files).strip())


def _commands(text: str) -> Iterator[tuple[int, str]]:
    """Commands in code blocks and code spans, with their lines."""
    fence = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fence = not fence
            continue
        spans = [line] if fence else re.findall(r"`[^`\n]+`", line)
        for span in spans:
            for command in _COMMAND.findall(span):
                if command not in _NO_COMMAND:
                    yield number, " ".join(command.split())


def _imports(file: MemoryFile, text: str) -> Iterator[tuple[str, int, str, str]]:
    """Files that a line such as `@docs/rules.md` brings in and that are not there."""
    if file.path.name not in {"CLAUDE.md", "CLAUDE.local.md", "GEMINI.md"}:
        return
    fence = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            fence = not fence
        if fence:
            continue
        for ref in _IMPORT.findall(re.sub(r"`[^`]*`", "", line)):
            path = Path(ref).expanduser() if ref.startswith("~") else file.path.parent / ref
            if not path.exists():
                yield file.name, number, f"@{ref}", "the file that is brought in does not exist"
