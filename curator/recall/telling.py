"""Answers and entries in words and as documents, the same for every door that shows them.

Owns the reminder that hits are an index. The callers print, and say in which words more is to be had.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from curator.plain import one_line
from curator.recall.values import Answer, Hit, Query, Whole
from curator.vocab import EntryState

Answers = Sequence[tuple[str, Answer]]
"""What each store gave, with its scope: `project` or `user`."""


def notes(answers: Answers) -> list[str]:
    """The sentences that a reader must see beside the hits."""
    return sorted({note for _, answer in answers for note in answer.notes})


def document(query: Query, answers: Answers) -> dict[str, Any]:
    """The whole answer as one document."""
    hits = [(scope, hit) for scope, answer in answers for hit in answer.hits]
    return {
        "query": query.text,
        "total": sum(answer.total for _, answer in answers),
        "shown": len(hits),
        "partial": any(answer.partial for _, answer in answers),
        "empty": all(answer.empty for _, answer in answers),
        "notes": notes(answers),
        "hits": [
            {
                "id": hit.entry_id,
                "scope": scope,
                "kind": hit.kind,
                "store": hit.route,
                "status": hit.state,
                "title": hit.title,
                "labels": list(hit.labels),
                "excerpt": hit.excerpt,
                "score": hit.score,
                "updated_at": hit.updated_at.isoformat(),
            }
            for scope, hit in hits
        ],
    }


def lines(answers: Answers, more: str, read: str) -> Iterator[str]:
    """The answer in lines. `more` says how all hits are shown, `read` how a body is read."""
    total = sum(answer.total for _, answer in answers)
    shown = sum(len(answer.hits) for _, answer in answers)
    if all(answer.empty for _, answer in answers):
        yield "No entries yet: nothing has been accepted into this memory."
        return
    if any(answer.partial for _, answer in answers):
        yield "No entry holds all these words; these hold some of them:"
    for scope, answer in answers:
        for hit in answer.hits:
            yield from _hit(hit, scope)
    cut = f", {total - shown} not shown ({more})" if total > shown else ""
    words = "entry" if total == 1 else "entries"
    yield f"{total} {words}{cut}" if total else "Nothing matches."
    if shown:
        yield f"Hits are an index: read the body with {read} before relying on it."


def whole_lines(entry: Whole) -> Iterator[str]:
    """One entry in full: what it says, where it came from, how it changed."""
    value = entry.value
    yield f"{entry.entry_id}  {value['kind']}  {value['route']}  {value['state']}  rev {value['rev']}"
    yield one_line(value["title"])
    if value["labels"]:
        yield f"labels {', '.join(value['labels'])}"
    yield ""
    yield value["body"]
    yield ""
    if value["reason"]:
        yield f"reason {value['reason']}"
    if value["superseded_by"]:
        yield f"superseded by {value['superseded_by']}"
    source = ", ".join(f"{name} {item}" for name, item in value["source"].items() if item)
    yield f"origin {value['origin'] or 'unknown'}{f' ({source})' if source else ''}"
    for change in entry.history:
        by = f" by {change['reviewer']}" if change["reviewer"] else ""
        decision = f" decision {change['decision']}" if change["decision"] else ""
        at = datetime.fromisoformat(change["at"]).astimezone().strftime("%Y-%m-%d %H:%M")
        yield f"rev {change['rev']}  {at}  {change['state']}{decision}{by}  {one_line(change['title'], 80)}"


def _hit(hit: Hit, scope: str) -> Iterator[str]:
    state = "" if hit.state == EntryState.ACTIVE else f" [{hit.state}]"
    mine = " (yours)" if scope == "user" else ""
    labels = f"  #{' #'.join(hit.labels)}" if hit.labels else ""
    yield f"{hit.entry_id}  {hit.kind:<10}  {one_line(hit.title, 100)}{state}{mine}{labels}"
    if hit.excerpt and one_line(hit.excerpt)[:60] not in hit.title:
        yield f"            {one_line(hit.excerpt, 170)}"
