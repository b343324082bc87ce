"""A text in the person's editor, with title, kind, route and labels as front matter.

Whatever goes wrong (the editor fails, the text is emptied, a field is wrong) nothing is changed, and what was typed is
kept in a file that the message names.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from curator.draft import Draft, draft
from curator.errors import BadUsage, CuratorError

_FIELDS = ("title", "kind", "route", "labels", "refs")
_FENCE = "---"


Read = TypeVar("Read")


def edited(old: Draft, limit: int, env: Mapping[str, str] | None = None) -> Draft:
    """The draft as the person left it, its text at most `limit` bytes.

    Raises `CuratorError` when the editor failed or the text does not fit.
    """

    def read(text: str) -> Draft:
        new = read_back(text, old)
        if (size := len(new.body.encode("utf-8", "replace"))) > limit:
            raise CuratorError(f"nothing was changed: the text has {size:,} bytes, more than the {limit:,} allowed")
        return new

    return _opened(written(old), read, env)


def edited_text(text: str, env: Mapping[str, str] | None = None) -> str:
    """A plain text as the person left it. Raises `CuratorError` when the editor failed."""
    return _opened(text, str, env)


def _opened(text: str, read: Callable[[str], Read], env: Mapping[str, str] | None) -> Read:
    handle, name = tempfile.mkstemp(prefix="curator-", suffix=".md")
    path = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    try:
        _run(path, os.environ if env is None else env)
        new = read(path.read_text(encoding="utf-8-sig", errors="replace"))
    except CuratorError as error:
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace").strip() in {text.strip(), ""}:
            path.unlink(missing_ok=True)
            raise
        raise type(error)(f"{error}; what you typed is kept in {path}") from error
    path.unlink(missing_ok=True)
    return new


def written(value: Draft) -> str:
    """A draft as the editor shows it."""
    fields = {
        "title": value.title,
        "kind": value.kind.value,
        "route": value.route.value,
        "labels": ", ".join(value.labels),
        "refs": ", ".join(value.refs),
    }
    head = "\n".join(f"{name}: {' '.join(text.split())}" for name, text in fields.items())
    return f"{_FENCE}\n{head}\n{_FENCE}\n{value.body}\n"


def read_back(text: str, old: Draft) -> Draft:
    """A draft from the editor's text; fields left out stay as they were."""
    lines = text.replace("\r\n", "\n").split("\n")
    fields: dict[str, str] = {}
    if lines and lines[0].strip() == _FENCE:
        end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == _FENCE), None)
        if end is None:
            raise BadUsage("the lines above the text need a closing `---`")
        for line in lines[1:end]:
            name, found, value = line.partition(":")
            if line.strip() and (not found or name.strip() not in _FIELDS):
                raise BadUsage(f"{line.strip()!r} is no field; there are {', '.join(_FIELDS)}")
            if line.strip():
                fields[name.strip()] = value.strip()
        lines = lines[end + 1 :]
    body = "\n".join(lines).strip()
    if not body:
        raise CuratorError("nothing was changed: the text is empty")
    kind = fields.get("kind", old.kind.value)
    route = fields.get("route", old.route.value)
    title = fields.get("title", old.title)
    return draft(
        old.saying(body).title if title == " ".join(old.title.split()) else title,
        body,
        kind,
        route or None,
        _list(fields["labels"]) if "labels" in fields else old.labels,
        _list(fields["refs"]) if "refs" in fields else old.refs,
        old.entry_id,
    )


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _run(path: Path, env: Mapping[str, str]) -> None:
    wanted = env.get("VISUAL") or env.get("EDITOR") or ""
    try:
        words = shlex.split(wanted) or _default()
    except ValueError as error:
        raise CuratorError(f"nothing was changed: EDITOR is no command: {wanted!r} ({error})") from error
    try:
        code = subprocess.run([*words, str(path)], env=env, check=False).returncode
    except OSError as error:
        raise CuratorError(f"nothing was changed: the editor {words[0]!r} could not be started") from error
    if code:
        raise CuratorError(f"nothing was changed: the editor ended with code {code}")
    if not path.exists():
        raise CuratorError("nothing was changed: the editor took the file away")


def _default() -> list[str]:
    for name in ("editor", "nano", "vi"):
        if shutil.which(name):
            return [name]
    raise CuratorError("no editor found: set EDITOR, or give the text with --text FILE")
