"""Scripted models, faithful and not, over three checkpoints, and the ten facts planted in their conversation."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from curator.checkpoint import (
    Answer,
    Checkpoint,
    Opened,
    Outcome,
    Row,
    Sources,
    Window,
    bloated,
    finished,
    judged,
    opened,
)
from curator.checkpoint.edit import edited
from curator.edge.tokens import tokens
from tests.checkpoint.talk import conversation, now, tick

COUNT = tokens().count
SOURCES = Sources("s")
WINDOWS = {"8k": 8_000, "32k": 32_000, "128k": 128_000, "200k": 200_000}

FACTS = {
    "rule 1": "Never push to main.",
    "rule 2": "Use only Python 3.11.",
    "rule 3": "Ask before you delete files.",
    "file 1 with reason": "importer.py: skips empty lines",
    "file 2 with reason": "schema.py: ids are text now",
    "error verbatim": "KeyError: 'id' (row 40)",
    "next step": "write the migration",
    "agreement 1": "report each evening",
    "agreement 2": "merge small fixes yourself",
    "agreement 3": "tabs, not spaces",
}
SAID = (
    (
        FACTS["rule 1"],
        FACTS["rule 2"],
        FACTS["rule 3"],
        "Please report each evening.",
        "You may merge small fixes yourself.",
    ),
    ("I prefer tabs, not spaces.",),
    ("Next, write the migration.",),
)
"""What the person types before each of the three checkpoints."""
AGREED = (("report each evening", "merge small fixes yourself"), ("tabs, not spaces",), ())
NOWS = (
    {"done": "- importer.py: skips empty lines"},
    {
        "done": "- importer.py: skips empty lines\n- schema.py: ids are text now",
        "pitfalls": "- KeyError: 'id' (row 40)",
    },
    {
        "done": "- importer.py: skips empty lines\n- schema.py: ids are text now",
        "pitfalls": "- KeyError: 'id' (row 40)",
        "next_steps": "- write the migration",
    },
)

Profile = Callable[[Opened, int], Answer]


def faithful(turn: Opened, number: int) -> Answer:
    """Ticks what guides, edits in place, writes the now."""
    mind = turn.mind
    for text in AGREED[number]:
        mind = _added(mind, "## Agreements", f"- {text}")
    if not number:
        mind = _added(mind, "## Mission", "- ship the importer [#1]")
    new = [item.seq for item in turn.candidates if not item.carried]
    return Answer(now("step", 60, **NOWS[number]), mind, tick(turn, *new))


def lazy_memo(turn: Opened, number: int) -> Answer:
    """Never touches the memo."""
    return replace(faithful(turn, number), memo=turn.memo)


def tamperer(turn: Opened, number: int) -> Answer:
    """Rewrites the person's words in the memo."""
    return replace(faithful(turn, number), memo=turn.memo.replace("Never", "Always").replace("(#", "(#9"))


def mission_swapper(turn: Opened, number: int) -> Answer:
    """From the second checkpoint on, another mission stands in place of the old one."""
    answer = faithful(turn, number)
    return replace(answer, mind=answer.mind.replace("ship the importer", "list museums")) if number else answer


def bloater(turn: Opened, number: int) -> Answer:
    """From the second checkpoint on, a mind over all limits."""
    answer = faithful(turn, number)
    return replace(answer, mind=_added(answer.mind, "# 4. Lessons", "- filler words " * 12_000)) if number else answer


def refuses(turn: Opened, number: int) -> Answer:
    """From the second checkpoint on, no block."""
    return replace(faithful(turn, number), text="I cannot help with that.") if number else faithful(turn, number)


def fenced(turn: Opened, number: int) -> Answer:
    """From the second checkpoint on, all headings of the now stand in a code fence."""
    answer = faithful(turn, number)
    text = answer.text.replace("<checkpoint>\n", "<checkpoint>\n```\n").replace(
        "\n</checkpoint>", "\n```\n</checkpoint>"
    )
    return replace(answer, text=text) if number else answer


PROFILES: dict[str, Profile] = {
    "faithful": faithful,
    "lazy memo": lazy_memo,
    "tamperer": tamperer,
    "mission swapper": mission_swapper,
    "bloater": bloater,
    "refuses the block": refuses,
    "headings in a fence": fenced,
}


@dataclass(frozen=True)
class Run:
    """Three checkpoints of one profile: the last one that was committed, outcomes, and every fallback taken."""

    value: Checkpoint
    outcomes: tuple[Outcome, ...]
    fallbacks: tuple[str, ...]

    @property
    def survived(self) -> list[str]:
        """The facts that stand in the text."""
        return [name for name, fact in FACTS.items() if fact in self.value.text]


def played(profile: Profile, size: int) -> Run:
    """Let a profile write three checkpoints at a window of this size; each may repair once, in vain or not."""
    window, before = Window(size), None
    rows: tuple[Row, ...] = ()
    outcomes: list[Outcome] = []
    fallbacks: list[str] = []
    for number, said in enumerate(SAID):
        rows = _grown(rows, said)
        turn = opened(rows, before, window, idle=True)
        done = judged(turn, profile(turn, number), COUNT)
        if done.outcome is Outcome.REPAIR:
            done = judged(turn, profile(turn, number), COUNT, repaired=True, now=done.now)
        if done.value:
            value = finished(done.value, window, COUNT, SOURCES)
            assert not bloated(value, before, rows, COUNT)
            before = value
        outcomes.append(done.outcome)
        fallbacks += done.fallbacks
    assert before
    return Run(before, tuple(outcomes), tuple(fallbacks))


def _added(mind: str, heading: str, line: str) -> str:
    """A line more under a heading, in place of the placeholder or after the heading."""
    empty = f"(none yet: {heading.lstrip('# ').split('. ')[-1].lower()})"
    old = empty if empty in mind else f"{heading}\n"
    return edited(mind, old, line if empty in mind else f"{heading}\n{line}\n")


def _grown(rows: tuple[Row, ...], said: tuple[str, ...]) -> tuple[Row, ...]:
    """The record with one more part: each message, and an answer long enough to be worth replacing."""
    part = conversation(*(turn for text in said for turn in (f"u:{text}", "a:" + "some work was done here. " * 150)))
    shift = rows[-1].seq if rows else 0
    return (*rows, *(replace(row, seq=row.seq + shift, unit=row.unit + shift) for row in part))
