"""Beads files for the tests: written here, in every way in which such files are written."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.interchange.beads.incoming import import_beads
from curator.interchange.beads.outgoing import export_beads
from curator.interchange.entries import Report
from curator.interchange.formats import Asked
from curator.store import entries
from curator.store.engine import Store
from curator.store.tables import Entry
from tests.interchange.test_entries import accept_all, desk
from tests.sweep.helpers import COUNT

__all__ = ["accept_all", "desk"]

WORDS = (
    "cache",
    "<tag>",
    "a&b",
    "größe",
    "预发布",
    "\u2028sep",
    "\u2029",
    "next\u0085",
    "\U0001f600",
    '"q"',
    "b\\s",
    "t\t",
)
NUMBERS = ("0", "2", "-1", "1.0", "1e5", "1E+2", "0.10", "9223372036854775807", "123456789012345678901234567890")


@dataclass(frozen=True)
class Writer:
    """One program's way of writing: separators, escapes, line ends, and whether issues name their type."""

    comma: str = ","
    colon: str = ":"
    html: bool = False
    ascii: bool = False
    end: str = "\n"
    typed: bool = True

    def text(self, value: Any) -> str:
        """A value as this program writes it."""
        out = json.dumps(value, ensure_ascii=self.ascii, separators=(self.comma, self.colon))
        for char in "<>&\u2028\u2029" if self.html else "":
            out = out.replace(char, f"\\u{ord(char):04x}")
        return out

    def line(self, fields: Sequence[tuple[str, str]]) -> str:
        """An object from keys and JSON texts, in this order; a key may come twice."""
        inside = self.comma.join(f"{self.text(key)}{self.colon}{value}" for key, value in fields)
        return "{" + inside + "}"


WRITERS = (
    Writer(html=True),
    Writer(),
    Writer(", ", ": ", typed=False),
    Writer(", ", ": ", ascii=True),
    Writer(html=True, end="\r\n"),
    Writer(typed=False, ascii=True),
)


def words(rng: random.Random, most: int = 6) -> str:
    """A short text with everything in it that is awkward."""
    return " ".join(rng.choices(WORDS, k=rng.randint(1, most))).strip()


def issue(rng: random.Random, how: Writer, number: int) -> str:
    """An issue with fields in any order, numbers spelt in any way, fields nobody knows, and a doubled key."""
    fields = [
        *([("_type", how.text("issue"))] if how.typed else []),
        ("id", how.text(f"cur-{number:x}")),
        ("title", how.text(f"Issue {number} {words(rng)}")),
        ("description", how.text(f"{words(rng)}\n\n{words(rng)} {number}")),
        ("notes", how.text(words(rng))),
        ("status", how.text(rng.choice(("open", "closed", "deferred", "hooked", "mine")))),
        ("priority", rng.choice(NUMBERS)),
        ("estimated_minutes", rng.choice(NUMBERS)),
        ("metadata", how.line([("n", rng.choice(NUMBERS)), ("z", how.text(words(rng)))])),
        ("created_at", how.text("2031-01-01T00:00:00.123456789Z")),
        ("updated_at", how.text(rng.choice(("2031-01-02T03:04:05Z", "2031-01-02T03:04:05.999999999+10:00")))),
        ("labels", how.text(rng.sample(["kb", "hooks", "größe"], 2))),
        (f"x_{number}", how.text({words(rng): [1, None, True]})),
    ]
    rng.shuffle(fields)
    return how.line([("external_ref", "null"), *fields, ("external_ref", how.text("gh-9"))])


def memory(rng: random.Random, how: Writer, number: int) -> str:
    """A memory with or without a header."""
    header = rng.choice(("", "@type=semantic:lesson @salience=4 @tags=a,b\n", "@x=1 @created=2031-01-01\n"))
    pair = [("key", how.text(f"key {number}/ß")), ("value", how.text(f"{header}{words(rng)} {number}"))]
    return how.line([("_type", how.text("memory")), *pair])


def file_of(rng: random.Random, how: Writer, count: int = 12) -> bytes:
    """A whole file: header, issues, memories, lines of unknown kinds, damaged and blank ones."""
    odd = ["", "  ", '{"_type":"widget","n":1.0}', '{"torn":', "[]", '{"_type":"memory","key":"empty","value":""}']
    lines = [how.line([("_schema", how.text("beads-jsonl/1"))])]
    for number in range(count):
        lines.append(rng.choice((issue, memory))(rng, how, number))
        lines += rng.sample(odd, rng.randint(0, 1))
    text = how.end.join(lines) + (how.end if rng.random() < 0.7 else "")
    return text.encode("utf-8")


def take(store: Store, path: Path) -> Report:
    """Import a beads file."""
    return import_beads(store, path, COUNT)


def give(store: Store, path: Path | None = None, **asked: bool) -> bytes:
    """Export a beads file; its bytes."""
    wrote = export_beads(store, path, Asked(**asked))
    return path.read_bytes() if path else b"".join(wrote.lines)


def entry(store: Store, entry_id: str) -> Entry:
    """An entry's row."""
    with store.read() as session:
        return entries.get(session, store.project_id, entry_id)


def edit(store: Store, entry_id: str, **changes: Any) -> None:
    """A person changes an entry."""
    with store.read() as session:
        row = entries.get(session, store.project_id, entry_id)
        now = entries.draft_of(row, entries.labels_of(session, store.project_id, [entry_id])[entry_id])
    new = now.saying(changes.pop("body", now.body)).with_(**changes)
    assert desk(store).edit(entry_id, row.rev, new).complete


def retire(store: Store, entry_id: str) -> None:
    """A person retires an entry."""
    assert desk(store).tombstone(entry_id, entry(store, entry_id).rev, "wrong").complete


def written(path: Path, *rows: dict[str, Any] | str | bytes) -> Path:
    """A file of rows as `bd` writes them; texts and bytes stand as they are."""
    how = Writer(html=True)
    lines = [
        row if isinstance(row, bytes) else (row if isinstance(row, str) else how.text(row)).encode() for row in rows
    ]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
