"""Marked and heading-derived notes: each labelled text goes in by its real way, and is classified as a sweep would.

Owns the ways by name (`via` of a row) and the count. A row whose `kind` is `text` is right where only its text
decided: a word such as "lesson" in it is no marker. Stores nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.checkpoint import Checkpoint
from curator.checkpoint import mind as minds
from curator.checkpoint import now as nows
from curator.checkpoint.words import Word
from curator.cycle import bringing
from curator.door import admit
from curator.errors import BadUsage
from curator.harvest import checkpoint
from curator.harvest.memory import prose
from curator.harvest.memory.files import MemoryFile, Role
from curator.harvest.noting import Heard
from curator.harvest.remembering import Handed, heard_as
from curator.harvest.statements import Said, statements
from curator.sweep.classify import Classified
from curator.sweep.notes import kind_of
from curator.sweep.state import Waiting
from curator.vocab import Origin, Row

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_LARGEST = 65_536
TEXT = "text"
"""The label of a row whose kind no marker and no heading names."""


def is_marked(row: Mapping[str, Any]) -> bool:
    """Does a row say by which way its text comes in?"""
    return bool(row.get("via"))


def marked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Number of such rows, the share whose kind is right, by language, and every miss. Raises BadUsage."""
    told = [_told(row) for row in rows]
    right = [row["kind"] == kind for row, (kind, _) in zip(rows, told, strict=True)]
    langs = sorted({str(row.get("lang") or "unknown") for row in rows})
    of = {
        lang: [r for row, r in zip(rows, right, strict=True) if (row.get("lang") or "unknown") == lang]
        for lang in langs
    }
    return {
        "n": len(rows),
        "accuracy": _share(right),
        "by_lang": {lang: {"n": len(each), "accuracy": _share(each)} for lang, each in of.items()},
        "misses": [
            {"id": str(row.get("id", "")), "kind": row["kind"], "told": kind, "why": why}
            for row, (kind, why), good in zip(rows, told, right, strict=True)
            if not good
        ],
    }


def _told(row: Mapping[str, Any]) -> tuple[str, str]:
    way = _WAYS.get(str(row["via"]))
    if way is None:
        raise BadUsage(f"there is no way in by {row['via']!r}; there are: {', '.join(_WAYS)}")
    heard = way(str(row["text"]), str(row.get("heading") or ""))
    if heard is None:
        return "skip", "it is not taken up"
    found = _classified(heard)
    if found.skip:
        return "skip", found.reason
    if row["kind"] == TEXT and found.by_text:
        return TEXT, found.reason
    return found.kind.value if found.kind else "", found.reason


def _classified(heard: Heard) -> Classified:
    passed = admit(heard.text, _LARGEST)
    kind = heard.kind.value if heard.kind else ""
    return kind_of(
        Waiting(
            "n-1",
            kind,
            heard.marked,
            heard.title,
            passed.text,
            (),
            (),
            heard.origin,
            dict(heard.source),
            passed.fingerprint,
            _AT,
        )
    )


def _remembered(text: str, _: str) -> Heard | None:
    return heard_as(Handed(text), Origin.HUMAN, _AT)


def _said(text: str, by_person: bool) -> Heard | None:
    row = Row.INPUT if by_person else Row.RESPONSE
    first = Said(1, row, Origin.HUMAN if by_person else Origin.AGENT, text, by_person)
    found = statements([first, Said(2, Row.RESPONSE, Origin.AGENT, "Noted.")])
    return next((Heard(s.text, s.origin, "s", s.kind, s.marked, source={"why": s.why}) for s in found), None)


def _in_file(text: str, heading: str) -> Heard | None:
    file = MemoryFile(Path("NOTES.md"), "NOTES.md", Role.RULES)
    found = prose.read(f"# Notes\n\n## {heading}\n\n{text}\n").candidates
    return bringing.heard(found[0], file) if found else None


def _in_checkpoint(value: Checkpoint) -> Heard | None:
    found = checkpoint.drafts(value, None)
    return checkpoint.heard(found[0], session_id="s", client="", ident="c", now=_AT) if found else None


def _in_mind(heading: str, text: str) -> Heard | None:
    lines = (f"{name}\n- {text}" if name == heading else name for name in minds.HEADINGS)
    return _in_checkpoint(Checkpoint(1, mind="\n".join(lines)))


def _in_now(text: str) -> Heard | None:
    lines = (f"{name}\n- {text}" if name == nows.PITFALLS else name for name in nows.HEADINGS)
    return _in_checkpoint(Checkpoint(1, now="\n".join(lines)))


_WAYS: dict[str, Callable[[str, str], Heard | None]] = {
    "remember": _remembered,
    "person": lambda text, _: _said(text, True),
    "agent": lambda text, _: _said(text, False),
    "file item": lambda text, heading: _in_file(f"- {text}", heading),
    "file paragraph": _in_file,
    "checkpoint lessons": lambda text, _: _in_mind(minds.LESSONS, text),
    "checkpoint decisions": lambda text, _: _in_mind(minds.DECISIONS, text),
    "checkpoint pitfalls": lambda text, _: _in_now(text),
    "memo": lambda text, _: _in_checkpoint(Checkpoint(1, memo=(1,), words=(Word(1, text),))),
}


def _share(right: Sequence[bool]) -> float:
    return round(sum(right) / len(right), 4) if right else 0.0
