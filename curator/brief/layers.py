"""The layer files as text: contract, task state, scratch, header; what of them is injected.

Owns which sections count and their order. Reading is bounded and never raises: what is missing or unreadable is
named, because a rule that silently vanished is worse than one that was never written.
"""

import os

from curator.light import NamedTuple

CONTRACT, STATE, SCRATCH, HEADER = "CONTRACT.md", "TASK_STATE.md", "SCRATCH.md", "HEADER.md"
_READ = 65_536  # bytes of a layer file that are looked at; a summary stands at the beginning


class Layers(NamedTuple):
    """The injected sections. `problems` are sentences for the person and the agent."""

    summary: str = ""
    interfaces: str = ""
    current: str = ""
    done: str = ""
    next: str = ""
    blockers: str = ""
    handoff: str = ""
    scratch: str = ""
    header: str = ""
    changed: float = 0.0
    problems: tuple[str, ...] = ()


def read(folder: str, worktree: str = "") -> Layers:
    """The layers of a store's folder. In a linked worktree task state and scratch are that worktree's own."""
    own = state_folder(folder, worktree)
    contract, no_contract = _text(os.path.join(folder, CONTRACT))
    state, no_state = _text(os.path.join(own, STATE))
    scratch, _ = _tail(os.path.join(own, SCRATCH))
    header, bad_header = _text(os.path.join(folder, HEADER))
    problems = [problem for problem in (no_contract, no_state, bad_header) if "missing" not in problem and problem]
    if (contract is None) != (state is None):
        problems += [problem for problem in (no_contract, no_state) if "missing" in problem]
    rules, work = sections(contract or ""), sections(state or "")
    if contract is not None and "SUMMARY" not in rules:
        problems.append(f"{CONTRACT} has no `## SUMMARY` section in its first {_READ} bytes (`curator layers check`)")
    return Layers(
        summary=rules.get("SUMMARY", ""),
        interfaces=rules.get("INTERFACES", ""),
        current=work.get("CURRENT", ""),
        done=work.get("DONE", ""),
        next=work.get("NEXT", ""),
        blockers=work.get("BLOCKERS", ""),
        handoff=work.get("HANDOFF", ""),
        scratch=scratch or "",
        header=(header or "").strip(),
        changed=changed(os.path.join(own, STATE)),
        problems=tuple(problems),
    )


def state_folder(folder: str, worktree: str = "") -> str:
    """Where task state and scratch lie: in the store's folder, or in a linked worktree's own part of it."""
    return os.path.join(folder, "worktrees", worktree) if worktree else folder


def sections(text: str) -> dict[str, str]:
    """Body by `## NAME` (upper case), trimmed, without lines that are comments; the first of a name wins.

    Headings inside fenced code do not count.
    """
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None  # None: not inside a section that counts
    fenced = False
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = "" if fenced or not line.startswith(("## ", "##\t")) else line[2:].strip(" \t#")
        if heading:
            name = heading.upper()
            lines = None if name in found else found.setdefault(name, [])
        elif not fenced and line.startswith("# "):
            lines = None
        elif lines is not None and not _comment(line):
            lines.append(line.rstrip())
    return {name: "\n".join(body).strip("\n") for name, body in found.items()}


def _comment(line: str) -> bool:
    return line.lstrip().startswith("<!--") and line.rstrip().endswith("-->")


def _text(path: str) -> tuple[str | None, str]:
    """The beginning of a file, or None with the reason; invalid UTF-8 is replaced, never refused."""
    try:
        with open(path, "rb") as file:
            return file.read(_READ).decode("utf-8", "replace").removeprefix("\ufeff"), ""
    except FileNotFoundError:
        return None, f"{os.path.basename(path)} is missing"
    except OSError as error:
        return None, f"{os.path.basename(path)} could not be read ({error.strerror})"


def _tail(path: str) -> tuple[str | None, str]:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 4096))
            return file.read().decode("utf-8", "replace").lstrip("\ufffd").strip(), ""
    except OSError as error:
        return None, error.strerror or "unreadable"


def changed(path: str) -> float:
    """Seconds since 1970 of a file's last change; 0 where there is no file."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
