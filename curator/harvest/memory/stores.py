"""Exports of other memory tools: mem0, claude-mem, basic-memory, `knowledge.jsonl`. Pure.

Owns the shapes of their records. A record that cannot be read costs only itself and is named with its place.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from curator.harvest.memory.candidate import Candidate, Left, Reading
from curator.harvest.memory.prose import read as read_prose
from curator.harvest.memory.sections import cut
from curator.vocab import Kind

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("lesson", "learned", "learning", "gotcha", "tip", "problem", "issue", "mistake"), Kind.LESSON),
    **dict.fromkeys(("pattern", "convention", "technique", "method", "rule", "best-practice"), Kind.PATTERN),
    **dict.fromkeys(("root-cause", "cause", "bugfix", "bug", "fix", "solution"), Kind.ROOT_CAUSE),
    **dict.fromkeys(("correction", "preference", "feedback", "user"), Kind.CORRECTION),
    **dict.fromkeys(("decision", "choice"), Kind.DECISION),
    **dict.fromkeys(("design", "architecture", "requirement", "spec"), Kind.DESIGN),
    **dict.fromkeys(("research", "finding", "insight", "investigation", "discovery", "reference"), Kind.RESEARCH),
}
_PASSING = frozenset({"status", "todo", "task", "idea", "question", "progress", "feature", "refactor", "change"})
_LISTS = ("results", "memories", "data", "items", "observations")
_OBSERVATION = re.compile(r"^\s*[-*] \[(?P<kind>[^\]\s][^\]]{0,40})\]\s+(?P<text>\S.*)$")
_RELATION = re.compile(r"^\s*[-*] .*\[\[[^\]]+\]\]")
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_LONGEST = 1_500


def mem0(data: bytes) -> Reading:
    """What mem0 hands out: `{"results": […]}`, `{"memories": […]}`, a list, or one object a line."""
    return _records(data, _mem0)


def claude_mem(data: bytes) -> Reading:
    """What claude-mem's export script writes: `{"observations": […], "summaries": […]}`; changes done are left."""
    return _records(data, _claude_mem)


def knowledge(data: bytes) -> Reading:
    """`knowledge.jsonl`: one object a line; of one key the last line counts."""
    found = _records(data, _knowledge)
    last = {candidate.heading or str(n): candidate for n, candidate in enumerate(found.candidates)}
    earlier = tuple(Left(c.line, "said anew later") for c in found.candidates if last.get(c.heading, c) is not c)
    kept = tuple(sorted(last.values(), key=lambda each: each.line))
    return Reading(kept, (*found.left, *earlier), found.faults)


def basic_memory(text: str) -> Reading:
    """A note of basic-memory: its observations, each with its category; without any, its prose."""
    found = cut(text)
    title, shared = found.fields.get("title", ""), _labels(found.fields.get("tags", "").split(","))
    candidates: list[Candidate] = []
    left: list[Left] = list(found.left)
    for section in found.sections:
        for number, line in enumerate(section.text.split("\n"), section.line):
            if match := _OBSERVATION.match(line):
                word = match["kind"].strip().lower()
                if word in _PASSING or word in {"x", "/", "-"}:
                    left.append(Left(number, "status"))
                    continue
                said = match["text"].strip()
                text_ = _TAG.sub("", said).strip()
                labels = (*shared, *_labels(_TAG.findall(said)))
                candidates.append(_made(text_, number, _KINDS.get(word), title, labels, f"marked [{word}]"))
            elif _RELATION.match(line):
                left.append(Left(number, "relation"))
    if not candidates:
        prose = read_prose(text, _KINDS.get(found.fields.get("type", "")))
        return Reading(prose.candidates, (*prose.left, *(each for each in left if each not in prose.left)))
    return Reading(tuple(c for c in candidates if c.text), tuple(left))


def _records(data: bytes, read: Any) -> Reading:
    """Each record through `read`, which gives a candidate, or what is left, or None for a record of no known form."""
    candidates: list[Candidate] = []
    left: list[Left] = []
    faults: list[Left] = []
    for line, record in _objects(data):
        if isinstance(record, str):
            faults.append(Left(line, record))
            continue
        found = read(record, line)
        if found is None:
            faults.append(Left(line, "not a record of this format"))
        else:
            (candidates if isinstance(found, Candidate) else left).append(found)
    return Reading(tuple(candidates), tuple(left), tuple(faults))


def _objects(data: bytes) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    """The objects of a JSON document or of JSON lines with their number; a text where one cannot be read."""
    try:
        whole = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError):
        yield from _by_line(data)
        return
    rows = _rows(whole)
    if rows is None:
        yield 1, "no list of memories"
        return
    for number, row in enumerate(rows, 1):
        yield number, row if isinstance(row, dict) else "not an object"


def _rows(whole: Any) -> Sequence[Any] | None:
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, dict):
        return None
    lists = [whole[name] for name in _LISTS if isinstance(whole.get(name), list)]
    if lists:
        return [row for rows in lists for row in rows]
    inner = next((whole[name] for name in _LISTS if isinstance(whole.get(name), dict)), None)
    if inner is not None:
        return _rows(inner)
    return [whole] if any(name in whole for name in ("memory", "content", "text", "narrative")) else None


def _by_line(data: bytes) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            value = json.loads(raw.decode("utf-8"))
        except UnicodeDecodeError:
            yield number, "not UTF-8"
        except (ValueError, RecursionError):
            yield number, "not JSON"
        else:
            yield number, value if isinstance(value, dict) else "not an object"


def _mem0(row: Mapping[str, Any], line: int) -> Candidate | Left | None:
    said = row.get("memory") or row.get("text") or row.get("data") or row.get("content")
    if not isinstance(said, str):
        return None
    meta = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
    assert isinstance(meta, dict)
    words = [*_strings(row.get("categories")), *_strings(meta.get("category")), *_strings(meta.get("type"))]
    kind = next((_KINDS[w.lower()] for w in words if w.lower() in _KINDS), None)
    labels = _labels([*_strings(row.get("categories")), *_strings(meta.get("tags"))])
    at = _time(row.get("updated_at") or row.get("created_at"))
    return _made(said, line, kind, "", labels, f"mem0 filed it as {', '.join(words)}" if kind else "", at)


def _claude_mem(row: Mapping[str, Any], line: int) -> Candidate | Left | None:
    word = str(row.get("type") or "").lower()
    title = str(row.get("title") or "").strip()
    told = row.get("narrative") or row.get("text") or ""
    facts = [fact for fact in _strings(row.get("facts")) if fact.strip()]
    if word in _PASSING or (not word and "request" in row):
        return Left(line, "work that was done")
    text = told.strip() if isinstance(told, str) else ""
    if (not text or len(text) > _LONGEST) and facts:
        text = "\n".join(f"- {fact}" for fact in facts)
    text = text or title
    if not text:
        return None
    labels = _labels(_strings(row.get("concepts")))
    kind = _KINDS.get(word)
    refs = tuple(_strings(row.get("files_modified")))[:3]
    at = _time(row.get("created_at") or row.get("created_at_epoch"))
    made = _made(text, line, kind, title, labels, f"claude-mem filed it as {word}" if kind else "", at)
    return replace(made, refs=tuple(r for r in refs if not r.startswith(("/", "~", ".."))))


def _knowledge(row: Mapping[str, Any], line: int) -> Candidate | Left | None:
    said = row.get("content") or row.get("value") or row.get("text")
    if not isinstance(said, str):
        return None
    word = str(row.get("type") or "").lower()
    if word in _PASSING:
        return Left(line, "status")
    kind = _KINDS.get(word)
    made = _made(said, line, kind, "", _labels(_strings(row.get("tags"))), f"filed as {word}" if kind else "")
    return replace(made, heading=str(row.get("key") or ""), at=_time(row.get("ts")))


def _made(
    text: str, line: int, kind: Kind | None, title: str, labels: Sequence[str], why: str, at: datetime | None = None
) -> Candidate:
    unique = tuple(dict.fromkeys(label for label in labels if label not in _KINDS))
    return Candidate(text.strip(), line, "", kind, title=title, labels=unique, whole=True, why=why, at=at)


def _labels(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(flat for word in words if (flat := "-".join(word.strip(" \"'[]").split()))))


def _strings(value: Any) -> list[str]:
    """Texts of a list, of a JSON list in a text, or of one text."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            return [value]
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [str(each) for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _time(value: Any) -> datetime | None:
    """A time of any of the tools: ISO text, seconds or milliseconds since 1970. None for what is none."""
    try:
        if isinstance(value, int | float) and value > 0:
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
