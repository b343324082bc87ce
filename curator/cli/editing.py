"""A text in the person's editor, with title, kind, route and labels as front matter.

Whatever goes wrong (the editor fails, the text is emptied, a field is wrong) nothing is changed, and what was typed is
kept in a file that the message names.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from curator.draft import Draft, draft
from curator.errors import BadUsage, CuratorError

_FIELDS = ("title", "kind", "route", "labels", "refs")
_FENCE = "---"


def edited(old: Draft, env: dict[str, str] | None = None) -> Draft:
    """The draft as the person left it. Raises `CuratorError` when the editor failed or the text does not fit."""
    env = dict(os.environ) if env is None else env
    handle, name = tempfile.mkstemp(prefix="curator-", suffix=".md")
    path = Path(name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(written(old))
    try:
        _run(path, env)
        new = read_back(path.read_text(encoding="utf-8-sig", errors="replace"), old)
    except CuratorError as error:
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace") in {written(old), ""}:
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


def _run(path: Path, env: dict[str, str]) -> None:
    words = shlex.split(env.get("VISUAL") or env.get("EDITOR") or "") or _default()
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
