"""The skills and the command that an agent gets: files of ours in a client's folder, known again by their last line.

The last line carries the digest of what stands above it. So a file that nobody edited is brought up to date or removed,
and one that a person edited, or wrote under the same name, is theirs and stays. Standard library only.
"""

import hashlib
import re
from pathlib import Path

from curator.hosts import codex, files
from curator.hosts.plug import Change
from curator.hosts.registered import claude_settings, enabled_plugins

_PLUGIN = Path(__file__).parent.parent / "plugin"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_LARGEST = 1 << 20  # bytes; a skill is some kilobytes
_LAST = "<!-- put here by `curator init`; a copy that you edit is yours and stays; sha256 {} -->\n"


def plan_install(base: Path) -> tuple[list[Change], list[Path]]:
    """What would change in a client's folder so that it has our skills; and the files that are a person's own."""
    changes, kept = [], []
    for path in _shipped():
        target = base / path.relative_to(_PLUGIN)
        old, new = files.read(target), stamped(path.read_text(encoding="utf-8"))
        if old is not None and not is_ours(old):
            kept.append(target)
        elif old != new:
            changes.append(_change(target, old, new))
    return changes, kept


def plan_uninstall(base: Path) -> list[Change]:
    """What would change so that none of our skills is left; edited ones stay."""
    targets = [base / path.relative_to(_PLUGIN) for path in _shipped()]
    found = [(target, files.read(target)) for target in targets]
    return [_change(target, old, None) for target, old in found if old is not None and is_ours(old)]


def _change(target: Path, old: str | None, new: str | None) -> Change:
    return Change(target, old, new, ours=True, copied=False, what="a skill or command for your agent")


def names(top: Path, home: Path) -> tuple[str, ...]:
    """The skills of ours, by name, that Claude Code finds in a project: the person's and the project's, edited too."""
    folders = {path.parent for path in claude_settings(top, home)} | set(enabled_plugins(top, home))
    shipped = [path.parent.name for path in _shipped() if path.name == "SKILL.md"]
    return tuple(
        name for name in shipped if any((folder / "skills" / name / "SKILL.md").exists() for folder in folders)
    )


def text_of(top: Path, home: Path, name: str) -> str:
    """A skill's or slash command's present text, by the name it is loaded under; empty where it is gone.

    A plugin's is loaded as `plugin:name`. A name that could lead out of the folders is no name.
    """
    plugin, _, own = name.removeprefix("/").rpartition(":")
    if not _NAME.fullmatch(own):
        return ""
    folders = [] if plugin else [*reversed(list(dict.fromkeys(path.parent for path in claude_settings(top, home))))]
    folders += enabled_plugins(top, home)
    folders += [] if plugin else [codex.home_folder(home=home), top / ".agents"]
    for folder in folders:
        for path in (folder / "skills" / own / "SKILL.md", folder / "commands" / f"{own}.md"):
            try:
                if path.stat().st_size <= _LARGEST:
                    return path.read_text(encoding="utf-8-sig", errors="replace")
            except OSError:
                continue
    return ""


def is_ours(text: str) -> bool:
    """Was the file put here by us, and not edited since?"""
    body, _, _ = text.rpartition("<!-- put here by `curator init`")
    return bool(body) and text == stamped(body)


def _shipped() -> list[Path]:
    return sorted([*_PLUGIN.glob("skills/*/SKILL.md"), *_PLUGIN.glob("commands/*.md")])


def stamped(body: str) -> str:
    """A text as we put it there: with the line that lets us know it again."""
    body = body if body.endswith("\n") else f"{body}\n"
    return body + _LAST.format(hashlib.sha256(body.encode("utf-8")).hexdigest()[:16])
