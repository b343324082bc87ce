"""Conversations, minds and answers for tests of the checkpoint engine."""

from collections.abc import Sequence

from curator.checkpoint import Answer, Opened, Row
from curator.checkpoint.mind import HEADINGS, placeholder
from curator.checkpoint.now import HEADINGS as NOW
from curator.vocab import Row as Kind
from curator.vocab import Typed


def words(text: str) -> int:
    """A count that a reader can check: words."""
    return len(text.split())


def conversation(*turns: str) -> tuple[Row, ...]:
    """Rows from short marks: `u:text` typed, `m:text` a machine's input, `a:text` a reply, `t:name` a tool's result."""
    rows: list[Row] = []
    unit = 0
    for seq, turn in enumerate(turns, 1):
        mark, _, text = turn.partition(":")
        unit += mark != "t"
        match mark:
            case "u":
                rows.append(Row(seq, Kind.INPUT, text, Typed.TYPED, unit))
            case "m":
                rows.append(Row(seq, Kind.INPUT, text, Typed.MACHINE, unit))
            case "a":
                rows.append(Row(seq, Kind.RESPONSE, text, unit=unit))
            case "t":
                rows.append(Row(seq, Kind.TOOL_RESULT, unit=unit, name=text, size=40))
            case "c":
                rows.append(Row(seq, Kind.CHECKPOINT, unit=unit))
    return tuple(rows)


def mind(**blocks: str) -> str:
    """A mind with text under some headings: `who own agreements mission workstreams decisions lessons`."""
    names = ("", "who", "own", "agreements", "", "mission", "workstreams", "decisions", "lessons")
    return "".join(
        f"{heading}\n{blocks.get(name) or placeholder(heading)}\n\n" if name else f"{heading}\n"
        for heading, name in zip(HEADINGS, names, strict=True)
    )


def now(step: str = "writing the importer, workstream 1", filler: int = 40, **blocks: str) -> str:
    """An answer with one block; `next_steps`, `pitfalls`, `references`, `waiting`, `done` fill their headings."""
    names = {
        "## Current step": step + " word" * filler,
        "### Done": blocks.get("done", ""),
        "## Waiting on": blocks.get("waiting", ""),
        "## Next steps": blocks.get("next_steps", ""),
        "## Pitfalls": blocks.get("pitfalls", ""),
        "## Exact references": blocks.get("references", ""),
    }
    lines = [h if h in ("# 6. Now", "## Progress") else f"{h}\n{names.get(h) or '(none)'}" for h in NOW]
    return "<checkpoint>\n" + "\n".join(lines) + "\n</checkpoint>"


def tick(turn: Opened, *seqs: int) -> str:
    """The memo file with these boxes ticked besides those that were."""
    out = turn.memo
    for seq in seqs:
        out = out.replace(f"- [ ] (#{seq}) ", f"- [x] (#{seq}) ")
    return out


def answer(turn: Opened, seqs: Sequence[int] = (), text: str | None = None, mind_text: str | None = None) -> Answer:
    """A good answer: these boxes ticked, the mind as handed out unless given."""
    return Answer(now() if text is None else text, turn.mind if mind_text is None else mind_text, tick(turn, *seqs))
