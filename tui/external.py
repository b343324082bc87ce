"""The person's own editor and pager: text goes out with front matter, and comes back as a draft or as a reason.

Owns the form of that file. The screen is suspended meanwhile; nothing is lost when the program fails.
"""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from curator.draft import Draft
from curator.errors import CuratorError
from curator.plain import plain
from curator.vocab import Kind, Route


def program(env: Mapping[str, str], names: tuple[str, ...], fallback: str) -> list[str]:
    """The command of the first variable that is set, else the fallback."""
    text = next((env[name] for name in names if env.get(name, "").strip()), fallback)
    try:
        return shlex.split(text)
    except ValueError as error:
        raise CuratorError(f"{text!r} is no command: {error}") from error


def written(draft: Draft) -> str:
    """The draft as a file to edit: front matter, an empty line, the text."""
    labels = ", ".join(draft.labels)
    head = f"title: {draft.title}\nkind: {draft.kind.value}\nroute: {draft.route.value}\nlabels: {labels}"
    return f"---\n{head}\n---\n\n{draft.body}\n"


def read(text: str, old: Draft) -> Draft:
    """The draft that the file says. Raises `CuratorError` with one line: empty, or a field that cannot be."""
    if not text.strip():
        raise CuratorError("the editor left nothing; the proposal is as it was")
    fields: dict[str, str] = {}
    body = text
    if text.lstrip().startswith("---\n"):
        front, closed, rest = text.lstrip()[4:].partition("\n---")
        if not closed:
            raise CuratorError("the front matter is not closed by a line of three dashes; nothing was changed")
        body = rest.partition("\n")[2]
        for line in front.splitlines():
            name, colon, value = line.partition(":")
            if line.strip() and (not colon or name.strip() not in {"title", "kind", "route", "labels"}):
                raise CuratorError(f"the front matter has no field {name.strip()!r}; nothing was changed")
            fields[name.strip()] = value.strip()
    if not body.strip():
        raise CuratorError("the editor left no text; the proposal is as it was")
    labels = tuple(part.strip() for part in fields["labels"].split(",")) if "labels" in fields else old.labels
    try:
        kind, route = Kind(fields.get("kind", old.kind)), Route(fields.get("route", old.route))
    except ValueError as error:
        raise CuratorError(f"{error}; nothing was changed") from error
    return old.with_(title=fields.get("title", old.title), body=body.strip("\n"), kind=kind, route=route, labels=labels)


def edited(text: str, env: Mapping[str, str]) -> str:
    """Open the text in `$VISUAL` or `$EDITOR` (else `vi`) and return what was left in it.

    Raises `CuratorError` when the program is missing or fails; what was typed is then kept in the file it names.
    """
    command = program(env, ("VISUAL", "EDITOR"), "vi")
    handle, name = tempfile.mkstemp(prefix="curator-", suffix=".md")
    path = Path(name)
    os.close(handle)
    path.write_text(text, encoding="utf-8")
    try:
        code = subprocess.run([*command, name], check=False).returncode
    except OSError as error:
        path.unlink(missing_ok=True)
        raise CuratorError(f"{command[0]} could not be started: {error.strerror}") from error
    left = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if code:
        if left == text or not left.strip():
            path.unlink(missing_ok=True)
            raise CuratorError(f"{command[0]} ended with {code}; nothing was changed")
        raise CuratorError(f"{command[0]} ended with {code}; nothing was changed, your text is in {path}")
    path.unlink(missing_ok=True)
    return left


def paged(text: str, line: int, env: Mapping[str, str]) -> None:
    """Show text in `$PAGER` (else `less`) from that line on. Raises `CuratorError` when it cannot be started."""
    command = program(env, ("PAGER",), "less")
    where = [f"+{line}"] if Path(command[0]).name in {"less", "more", "most"} else []
    try:
        subprocess.run([*command, *where], input=plain(text), encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise CuratorError(f"{command[0]} could not be started: {error.strerror}") from error
