"""The layer files as a person keeps them: templates, the structure check, the last good version, hand-off, scratch.

Owns writing them. What of them is injected is `brief.layers`'s. Nothing is created unless a person asks for it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curator.brief.layers import CONTRACT, SCRATCH, STATE, sections, state_folder
from curator.brief.snapshot_file import Checkpoint
from curator.place import Place
from curator.snapshot.file import put

GOOD = "layers.good"
"""Folder with the last version of each file that passed the check."""

HEADINGS = {
    CONTRACT: ("SUMMARY", "STACK", "STRUCTURE", "NAMING", "FORBIDDEN", "INTERFACES"),
    STATE: ("CURRENT", "DONE", "NEXT", "BLOCKERS", "HANDOFF"),
}
TEMPLATES = {
    CONTRACT: """# Contract
Immutable rules: only those that are easily broken and costly. 5 to 10 lines of summary are handed to every session.

## SUMMARY
<!-- - first-rule: what must always hold -->

## STACK
<!-- - language: name and version -->

## STRUCTURE
<!-- - folder: what it holds -->

## NAMING
<!-- - thing: how it is named -->

## FORBIDDEN
<!-- - never: what must not be done, and why -->

## INTERFACES
<!-- - name: path/of/a/file/whose/change/is/destructive -->
""",
    STATE: """# Task state

## CURRENT
<!-- - task: what is being done -->
<!-- - phase: where it stands -->
<!-- - last-file: path -->

## DONE
<!-- - [x] a finished step -->

## NEXT
<!-- - [ ] the next step -->

## BLOCKERS

## HANDOFF
""",
    SCRATCH: "",
}
"""Examples stand in comments: they show the form and are handed to no session."""

_KEYED = re.compile(r"^\s*- [^:：]+[:：] ?\S")
_BOX = re.compile(r"^\s*- \[[ xX]\] \S")
_HEADING = re.compile(r"^##[ \t]+(.+?)[ \t#]*$")
_SUMMARY_MOST = 10


@dataclass(frozen=True)
class Problem:
    """A line that changed the structure: file, line number from 1 (0 = the whole file), what is wrong with it."""

    file: str
    line: int
    text: str
    reason: str


def paths(place: Place) -> dict[str, Path]:
    """Each layer file's path; task state and scratch are a linked worktree's own."""
    own = Path(state_folder(str(place.folder), place.worktree))
    return {CONTRACT: place.folder / CONTRACT, STATE: own / STATE, SCRATCH: own / SCRATCH}


def create(place: Place) -> list[Path]:
    """Write the templates that are missing; returns what was written."""
    made = []
    for name, path in paths(place).items():
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            put(path, TEMPLATES[name].encode())
            made.append(path)
    return made


def check(place: Place) -> list[Problem]:
    """Every line that breaks a file's structure. A file without problems becomes the last good version."""
    found: list[Problem] = []
    for name, path in paths(place).items():
        if name not in HEADINGS or not path.exists():
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            found.append(Problem(name, 0, "", f"could not be read: {error.strerror}"))
            continue
        problems = _problems(name, data.decode("utf-8-sig", "replace"))
        found += problems
        if not problems and (good(place, name) or b"") != data:
            (place.folder / GOOD).mkdir(mode=0o700, exist_ok=True)
            put(place.folder / GOOD / _kept(place, name), data)
    return found


def good(place: Place, name: str) -> bytes | None:
    """The last version of a file that passed the check; None where none did."""
    try:
        return (place.folder / GOOD / _kept(place, name)).read_bytes()
    except OSError:
        return None


def restore(place: Place, name: str) -> Path:
    """Put the last good version back; the one that was there stays beside it as `NAME.bad`. Raises `OSError`."""
    path = paths(place)[name]
    kept = good(place, name)
    if kept is None:
        raise FileNotFoundError(2, "no version of it passed the check yet", str(path))
    if path.exists():
        put(path.with_name(f"{path.name}.bad"), path.read_bytes())
    put(path, kept)
    return path


def handed_off(text: str, one: Checkpoint) -> str:
    """The task state with its HANDOFF section filled from a checkpoint."""
    titles = (("step", "Current step"), ("next", "Next steps"), ("waiting", "Waiting on"))
    body = [f"From checkpoint {one.id}, through record {one.through}:"]
    for name, title in titles:
        lines = [line.strip() for line in one.parts.get(name, "").splitlines() if line.strip()]
        body += [f"- {title}: {' '.join(lines)}"] if lines and lines != ["(none)"] else []
    return replaced(text, "HANDOFF", body)


def brought_up(text: str, parts: Mapping[str, str], done: str = "") -> str:
    """The task state as a committed checkpoint's *now* says: current step, what is done, next steps, blockers."""
    step = " ".join(parts.get("step", "").split())
    before = sections(text).get("CURRENT", "")
    kept = [line for line in before.splitlines() if line.strip() and not line.startswith("- task:")]
    text = replaced(text, "CURRENT", [f"- task: {step}", *kept] if step else before.splitlines())
    for name, part, box in (("DONE", done, "[x]"), ("NEXT", parts.get("next", ""), "[ ]")):
        lines = [re.sub(r"^(?:[-*]|\d+\.)\s*(?:\[[ xX]\]\s*)?", "", line.strip()) for line in part.splitlines()]
        lines = [line for line in lines if line and line != "(none)"]
        if lines:
            text = replaced(text, name, [f"- {box} {line}" for line in lines])
    waiting = [line for line in parts.get("waiting", "").splitlines() if line.strip() and line.strip() != "(none)"]
    return replaced(text, "BLOCKERS", waiting)


def replaced(text: str, name: str, body: Sequence[str]) -> str:
    """A file's text with one section's lines replaced; the section is added at the end where it is missing."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if _named(line) == name), None)
    if start is None:
        return "\n".join([*lines, "", f"## {name}", *body]).strip("\n") + "\n"
    end = next((at for at in range(start + 1, len(lines)) if _named(lines[at])), len(lines))
    tail = ["", *lines[end:]] if end < len(lines) else []
    return "\n".join([*lines[: start + 1], *body, *tail]) + "\n"


def _problems(name: str, text: str) -> list[Problem]:
    lines = text.splitlines()
    found: list[Problem] = []
    seen: list[str] = []
    wanted = HEADINGS[name]
    current = ""
    for at, line in enumerate(lines, 1):
        if heading := _named(line):
            if heading not in wanted:
                found.append(Problem(name, at, line, f"is no section of this file ({', '.join(wanted)})"))
            elif heading in seen:
                found.append(Problem(name, at, line, "stands twice"))
            elif seen and wanted.index(heading) < max(wanted.index(one) for one in seen if one in wanted):
                found.append(Problem(name, at, line, "is out of order"))
            seen.append(heading)
            current = heading
        elif line.strip() and (reason := _line_problem(name, current, line)):
            found.append(Problem(name, at, line, reason))
    found += [Problem(name, 0, "", f"lacks `## {one}`") for one in wanted if one not in seen]
    summary = [line for line in sections(text).get("SUMMARY", "").splitlines() if line.strip()]
    if len(summary) > _SUMMARY_MOST:
        found.append(Problem(name, 0, "", f"its summary has {len(summary)} lines; {_SUMMARY_MOST} are the most"))
    return found


def _line_problem(name: str, section: str, line: str) -> str:
    if not section or line.lstrip().startswith("<!--"):
        return ""
    if name == CONTRACT or section == "CURRENT":
        return "" if _KEYED.match(line) else "is not `- key: value`"
    if section in {"DONE", "NEXT"}:
        return "" if _BOX.match(line) else "is not a checkbox `- [ ] …`"
    return ""


def _named(line: str) -> str:
    match = _HEADING.match(line)
    return match.group(1).strip().upper() if match else ""


def _kept(place: Place, name: str) -> str:
    return f"{place.worktree}.{name}" if place.worktree and name == STATE else name
