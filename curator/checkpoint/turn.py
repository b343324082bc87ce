"""A checkpoint's turn: opened, answered, judged; repaired once; then the rules that keep more rather than less.

Owns the judgement. `opened` says what a model gets to see, `judged` what becomes of its answer. It calls no model and
writes nothing, so the same engine serves a foreign client, a command and a loop of one's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from curator.checkpoint import memo as memos
from curator.checkpoint import mind as minds
from curator.checkpoint import mission
from curator.checkpoint import now as nows
from curator.checkpoint.facts import collected, quoted, said
from curator.checkpoint.limits import Window
from curator.checkpoint.record import Cut, Row, released, running_start
from curator.checkpoint.value import Checkpoint, MadeBy
from curator.ports import Count


class Outcome(StrEnum):
    """What became of an attempt."""

    COMMITTED = "committed"
    REPAIR = "repair asked"
    FAILED = "failed"


class Stop(StrEnum):
    """How an answer ended; every way but `END` is a failed checkpoint."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    TOOL = "tool call"


@dataclass(frozen=True)
class Opened:
    """A checkpoint under way: everything the judgement needs. `mind` and `memo` are the files as handed out.

    `in_place` says that the running turn's inputs stay in the window (a loop of one's own cut there).
    """

    window: Window
    rows: tuple[Row, ...]
    before: Checkpoint | None
    cut: Cut
    made_by: MadeBy
    through: int
    offered: int
    candidates: tuple[memos.Candidate, ...]
    mind: str
    memo: str
    in_place: bool = False


@dataclass(frozen=True)
class Answer:
    """What came back: the two files and the text with the now's block.

    `ticks` replaces the memo's file where numbers were given instead (an explicit decision, so never "untouched").
    `room` is false when rounds or tokens ran out, so that no repair can be asked. `problems` were found while the
    answer was read, such as an edit that fits nowhere.
    """

    text: str
    mind: str
    memo: str = ""
    ticks: frozenset[int] | None = None
    stop: Stop = Stop.END
    room: bool = True
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judged:
    """The result of an attempt: `problems` are whole sentences, `fallbacks` the rules that were applied."""

    outcome: Outcome
    problems: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()
    value: Checkpoint | None = None
    now: str = ""


@dataclass
class _Found:
    problems: list[str] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)


def opened(
    rows: Sequence[Row],
    before: Checkpoint | None,
    window: Window,
    *,
    made_by: MadeBy = MadeBy.HOST,
    cut: Cut | None = None,
    idle: bool = False,
) -> Opened:
    """Open a checkpoint. Without a `cut` (a client of its own compresses) everything before the running turn counts."""
    made = cut or Cut(running_start(rows, idle))
    last = rows[-1].seq if rows else 0
    border = rows[made.at].seq - 1 if made.at < len(rows) else last
    after, kept = (before.offered, before.kept) if before else (0, ())
    texts = said(rows, last)
    carried = [(seq, texts[seq]) for seq in (before.memo if before else ()) if seq in texts]
    new = [(row.seq, texts[row.seq]) for row in released(rows, made, after, kept) if row.seq in texts]
    candidates = memos.listed(carried, new)
    return Opened(
        window=window,
        rows=tuple(rows),
        before=before,
        cut=made,
        made_by=made_by,
        through=max(border if cut else last, before.through if before else 0),
        offered=max(border, after),
        candidates=candidates,
        mind=minds.template(before.mind if before else ""),
        memo=memos.written(candidates),
        in_place=cut is not None,
    )


def judged(turn: Opened, answer: Answer, count: Count, *, repaired: bool = False, now: str = "") -> Judged:
    """Judge an answer. The first time every problem goes out at once; after the repair the fallbacks decide.

    `now` is the block that the first answer brought, if it was right and the repair does not repeat it.
    """
    if answer.stop is not Stop.END:
        return Judged(Outcome.FAILED, (f"the answer ended by {answer.stop.value}",))
    if not answer.text.strip() and not now:
        return Judged(Outcome.FAILED, ("the answer is empty",))
    found = _Found(list(answer.problems))
    if answer.problems:
        found.fallbacks.append(f"left out what did not fit: {'; '.join(answer.problems)}")
    block = nows.read(answer.text, turn.window.least_now, count)
    if now and not block.text:
        block = nows.Block(now)
    found.problems += block.problems
    mind = _mind(turn, answer.mind, count, found)
    memo = _memo(turn, answer, found, final=repaired or not answer.room)
    good = "" if block.problems else block.text
    if found.problems and answer.room and not repaired:
        return Judged(Outcome.REPAIR, tuple(found.problems), now=good)
    if not good:
        return Judged(Outcome.FAILED, tuple(found.problems))
    kept_mind = mind is None
    value = _value(turn, mind or "", memo, good, count)
    if kept_mind and turn.before:
        value = replace(value, mind=turn.before.mind, mind_through=turn.before.mind_through)
    return Judged(Outcome.COMMITTED, tuple(found.problems), tuple(found.fallbacks), value, good)


def _mind(turn: Opened, text: str, count: Count, found: _Found) -> str | None:
    """The mind to store; None where the previous one is kept. Problems and fallbacks are noted."""
    if minds.says_nothing(text) and not (turn.before and turn.before.mind):
        return ""
    lost = minds.structure(text)
    typed = frozenset(row.seq for row in turn.rows if row.by_person)
    renewed, swapped = mission.reconciled(turn.mind, text, typed.__contains__)
    lost += swapped
    limits = turn.window.sections
    long = [] if lost else minds.too_long(renewed, limits, count)
    if not lost and sum(minds.sizes(renewed, count).values()) > turn.window.mind:
        lost.append(f"the mind has more than {turn.window.mind} tokens")
    found.problems += [*lost, *long]
    if lost:
        found.fallbacks.append("the previous mind was kept")
        return None
    if long:
        found.fallbacks.append("a section over its limit is shown cut; the mind is stored whole")
    return renewed


def _memo(turn: Opened, answer: Answer, found: _Found, *, final: bool) -> tuple[int, ...]:
    """The numbers to keep. An altered or untouched memo is a problem first and keeps every candidate after that."""
    everything = tuple(item.seq for item in turn.candidates)
    if answer.ticks is not None:
        strange = sorted(answer.ticks - set(everything))
        if strange:
            found.problems.append(f"the memo has no number {', '.join(f'#{seq}' for seq in strange)}")
            found.fallbacks.append("numbers that the memo does not list were left out")
        return tuple(seq for seq in everything if seq in answer.ticks)
    ticks = memos.ticked(answer.memo, turn.candidates)
    if isinstance(ticks, str):
        found.problems.append(ticks)
        found.fallbacks.append("the memo was altered: every candidate was kept")
        return everything
    if memos.untouched(ticks, turn.candidates):
        if not final:
            found.problems.append("the memo was not decided: tick what guides the work, leave or untick the rest")
        found.fallbacks.append("the memo was untouched: every candidate was kept")
        return everything
    return tuple(seq for seq in everything if seq in ticks)


def _value(turn: Opened, mind: str, memo: tuple[int, ...], now: str, count: Count) -> Checkpoint:
    facts = collected(
        turn.rows,
        turn.before,
        through=turn.through,
        made_by=turn.made_by,
        window=turn.window,
        count=count,
        running=() if turn.in_place else turn.rows[turn.cut.at :],
    )
    shown = quoted(said(turn.rows, turn.through), memo, turn.window, count)
    return replace(
        facts,
        mind=mind,
        mind_through=turn.through if mind else 0,
        memo=memo,
        offered=turn.offered,
        words=shown.words,
        left_out=shown.left_out,
        now=now,
        kept=turn.cut.kept,
    )
