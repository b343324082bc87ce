"""One memory file to its candidates, by its role. Never writes.

Owns the topic files of Claude's own notes (one file, one thing) and the choice of the reader.
"""

from collections.abc import Callable, Mapping

from curator.harvest.memory import adr, stores
from curator.harvest.memory.candidate import Candidate, Left, Reading
from curator.harvest.memory.files import MemoryFile, NotRead, Role, content, leads_out, text_of
from curator.harvest.memory.prose import read as read_prose
from curator.harvest.memory.sections import cut
from curator.vocab import Kind

LONGEST = 2_000
"""Characters of a topic file that is one candidate."""

MINE = "curator"
"""The field in the front matter of a file that an export wrote: such a file is no evidence."""

_TYPES: Mapping[str, Kind] = {"user": Kind.CORRECTION, "feedback": Kind.CORRECTION, "reference": Kind.RESEARCH}

Bytes = Callable[[bytes], Reading]
STORES: Mapping[str, Bytes] = {"mem0": stores.mem0, "claude-mem": stores.claude_mem}
"""Readers of formats that are no markdown, by format."""


def read(file: MemoryFile, form: str = "markdown") -> tuple[Reading, str]:
    """What a file holds, and what is to be said about its encoding. Raises `NotRead`."""
    if file.within and leads_out(file.path, file.within):
        raise NotRead("it leads elsewhere, by a symbolic link")
    data = content(file.path)
    if data.startswith(b"SQLite format 3\0"):
        raise NotRead("it is a database; name an export of it")
    if form in STORES:
        return STORES[form](data), ""
    if file.role is Role.KNOWLEDGE:
        return stores.knowledge(data), ""
    text, told = text_of(data)
    if MINE in cut(text[:4_000]).fields:
        return Reading(left=(Left(1, "our own export"),)), told
    if form == "basic-memory":
        return stores.basic_memory(text), told
    return of_text(text, file), told


def of_text(text: str, file: MemoryFile) -> Reading:
    """The candidates of a markdown file."""
    if file.role is Role.PASSING:
        return Reading(left=(Left(1, "status"),)) if text.strip() else Reading()
    if file.role is Role.DECISIONS:
        return adr.read(text, file.path.stem)
    if file.role is Role.TOPIC:
        return topic(text)
    lessons = file.role is Role.LESSONS
    return read_prose(text, Kind.LESSON if lessons else None, lessons=lessons, scope=file.scope)


def topic(text: str) -> Reading:
    """A topic file of Claude's notes: whole under its name where it is short, else like any other file."""
    found = cut(text)
    kind = _TYPES.get(found.fields.get("type", ""))
    body = "\n".join(section.text for section in found.sections).strip()
    if not body or len(body) > LONGEST or "name" not in found.fields:
        return read_prose(text, kind)
    title = found.fields.get("description") or found.fields["name"]
    why = f"Claude kept it as {found.fields.get('type')}" if kind else ""
    made = Candidate(body, found.sections[0].line, "", kind, title=title[:120], whole=True, why=why)
    return Reading((made,), found.left)
