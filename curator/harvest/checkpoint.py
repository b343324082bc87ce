"""From a committed checkpoint to raw notes: only what is new against the checkpoint before it.

Owns which part of a checkpoint becomes which kind. Lessons, key decisions and pitfalls are the agent's words; a memo
item that corrects the agent is the person's. Agreements and authorizations are never taken: only a person promotes
those. Running it twice adds nothing, because a note is known by its fingerprint.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from curator.checkpoint import Checkpoint
from curator.checkpoint import headings as lines_of
from curator.checkpoint import mind as minds
from curator.checkpoint import now as nows
from curator.checkpoint.value import MadeBy
from curator.harvest import rules
from curator.harvest.noting import Heard, Noted, note
from curator.vocab import Kind, Origin

_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+")
_SOURCES = re.compile(r"\s*\[\s*(#\d+(?:[\s,]+#\d+)*)\s*\]\s*$")
_PATTERN = re.compile(r"\bpatterns?\b|\bconvention\b|\bwhenever\b|\bevery time\b|模式|惯例|慣例|每次", re.IGNORECASE)
_DESIGN = re.compile(
    r"\bdesign\b|\barchitecture\b|\blayout\b|\bschema\b|\bstructure\b|\binterface\b|设计|設計|架构|架構|结构|接口",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Draft:
    """A note to be: `part` is mind, memo or now; `seqs` are the record numbers it names as its sources."""

    text: str
    kind: Kind
    origin: Origin
    part: str
    heading: str
    seqs: tuple[int, ...] = ()


def drafts(value: Checkpoint, before: Checkpoint | None) -> list[Draft]:
    """What a checkpoint holds that the one before did not, in its order.

    A hook's checkpoint wrote neither mind nor now by itself and decided no memo: it has nothing new.
    """
    if value.made_by is MadeBy.HOOK:
        return []
    known = {_key(draft.text) for draft in _all(before)} if before else set()
    return [draft for draft in _all(value) if _key(draft.text) not in known]


def harvest(
    session: Session,
    project_id: str,
    value: Checkpoint,
    before: Checkpoint | None,
    *,
    session_id: str,
    client: str,
    ident: str,
    limit: int,
    now: datetime,
) -> list[Noted]:
    """Offer every draft at the one door, in the caller's transaction. `limit` is the largest note in bytes."""
    return [
        note(
            session,
            project_id,
            heard(draft, session_id=session_id, client=client, ident=ident, now=now),
            limit,
            now,
        )
        for draft in drafts(value, before)
    ]


def heard(draft: Draft, *, session_id: str, client: str, ident: str, now: datetime) -> Heard:
    """A draft as the door hears it."""
    return Heard(
        draft.text,
        draft.origin,
        session_id,
        draft.kind,
        source={
            "client": client,
            "session": session_id,
            "seqs": list(draft.seqs),
            "checkpoint": ident,
            "part": draft.part,
            "heading": draft.heading,
            "why": f"stands under {draft.heading.lstrip('# ')!r} of a checkpoint",
        },
        said_at=now,
    )


def _all(value: Checkpoint) -> Iterator[Draft]:
    for heading, usual, sign, special in (
        (minds.LESSONS, Kind.LESSON, _PATTERN, Kind.PATTERN),
        (minds.DECISIONS, Kind.DECISION, _DESIGN, Kind.DESIGN),
    ):
        for text, seqs in _items(minds.block(value.mind, heading)):
            yield Draft(text, special if sign.search(text) else usual, Origin.AGENT, "mind", heading, seqs)
    for text, seqs in _items(nows.block(value.now, nows.PITFALLS)):
        yield Draft(text, Kind.ROOT_CAUSE, Origin.AGENT, "now", nows.PITFALLS, seqs)
    for word in value.words:
        if word.seq in value.memo and "[cut: #" not in word.text and rules.corrects(word.text):
            yield Draft(word.text, Kind.CORRECTION, Origin.HUMAN, "memo", "# 5. The user's words", (word.seq,))


def _items(block: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """List items with what is indented below them; where there is no list, paragraphs. Deeper headings are none."""
    item: list[str] = []
    for line in lines_of.lines(block):
        starts = not line.fenced and bool(_ITEM.match(line.text))
        heading = not line.fenced and line.text.startswith("#")
        blank = not line.text.strip()
        if item and (starts or heading or (blank and not _ITEM.match(item[0]))):
            yield _parsed(item)
            item = []
        if not heading and not (blank and not item):
            item.append(line.text)
    if item:
        yield _parsed(item)


def _parsed(item: list[str]) -> tuple[str, tuple[int, ...]]:
    text = _ITEM.sub("", "\n".join(item).strip(), count=1)
    found = _SOURCES.search(text)
    if not found:
        return text, ()
    return text[: found.start()].strip(), tuple(int(number) for number in re.findall(r"\d+", found[1]))


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
