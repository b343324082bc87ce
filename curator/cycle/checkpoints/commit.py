"""Committing a checkpoint: judge, finish, store, and what follows from it.

Owns the one transaction of a commit and the audit of every way it can end. A first answer with problems leaves
everything as it is and asks for the one repair; a failed one changes nothing but the audit.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session

from curator.checkpoint import Answer, Checkpoint, Judged, Opened, Outcome, bloated, finished, judged, productive
from curator.checkpoint.assembly import copy_name
from curator.checkpoint.memo import ticking, written
from curator.checkpoint.mind import too_long
from curator.cycle.checkpoints import folder as files
from curator.cycle.checkpoints.opening import COPIES, Under, remember, resumed, sources
from curator.cycle.checkpoints.shelf import attempted, put
from curator.edge.tokens import margin_of
from curator.ports import Count
from curator.store import tables
from curator.store.engine import Store

Follow = Callable[[Session, tables.Session, str, Checkpoint, Checkpoint | None], None]
"""What else belongs to a commit: (transaction, session, id, checkpoint, the one before)."""


@dataclass(frozen=True)
class Committed:
    """How a commit ended. `ident` is the new checkpoint's id; `problems` and `fallbacks` are whole sentences."""

    outcome: Outcome
    session: str
    ident: str = ""
    problems: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()
    now_accepted: bool = False
    value: Checkpoint | None = None


def commit(
    store: Store, answer: Answer | str, count: Count, session_id: str = "", *, follow: Follow | None = None
) -> Committed:
    """Commit the open checkpoint of a session. A plain text is the now's answer; mind and memo come from the files.

    Raises `NotFound` where none is open, `CuratorError` where a file is not plainly ours.
    """
    with store.write(durable=True) as session:
        under, turn, of = resumed(store, session, session_id)
        place = files.folder_of(store.place.folder, of.session_id)
        if isinstance(answer, str):
            answer = _with_files(under, answer, place)
        verdict = judged(turn, answer, count, repaired=under.rounds > 0, now=under.now)
        under = replace(
            under,
            rounds=under.rounds + 1,
            problems=(*under.problems, *verdict.problems),
            usage={"answer_tokens": under.usage.get("answer_tokens", 0) + count(answer.text)},
        )
        if verdict.outcome is Outcome.REPAIR:
            remember(store, replace(under, now=verdict.now))
            return Committed(Outcome.REPAIR, of.session_id, problems=verdict.problems, now_accepted=bool(verdict.now))
        done = _ended(store, session, of, under, turn, verdict, count, follow)
    files.clear(place)
    return done


def _with_files(under: Under, text: str, place: Path) -> Answer:
    """A plain answer with the two files; what a tool decided on the memo counts while the file still says so."""
    memo = files.read(place, files.MEMO)
    decided = under.ticks is not None and memo == written(ticking(under.candidates, under.ticks))
    ticks = frozenset(under.ticks) if decided and under.ticks is not None else None
    return Answer(text, files.read(place, files.MIND), memo, ticks)


def fail(store: Store, session_id: str, reason: str) -> Committed:
    """Close an open checkpoint that got no answer: audited as failed, everything else as it was."""
    with store.write(durable=True) as session:
        under, _, of = resumed(store, session, session_id)
        under = replace(under, problems=(*under.problems, reason))
        _audit(store, session, of, under, Judged(Outcome.FAILED), {"helped": False})
    files.clear(files.folder_of(store.place.folder, session_id))
    return Committed(Outcome.FAILED, session_id, problems=(reason,))


def _ended(
    store: Store,
    session: Session,
    of: tables.Session,
    under: Under,
    turn: Opened,
    verdict: Judged,
    count: Count,
    follow: Follow | None,
) -> Committed:
    value = verdict.value
    if value is not None:
        value = finished(value, turn.window, count, sources(store, of.session_id))
        if reason := bloated(value, turn.before, turn.rows, count):
            verdict = replace(verdict, outcome=Outcome.FAILED, problems=(*verdict.problems, reason), fallbacks=())
            under, value = replace(under, problems=(*under.problems, reason)), None
    if value is None:
        _audit(store, session, of, under, verdict, {"helped": False})
        return Committed(Outcome.FAILED, of.session_id, problems=verdict.problems)
    if too_long(value.mind, turn.window.sections, count):
        files.keep_copy(store.place.folder / COPIES, copy_name(value.mind), value.mind)
    ident = put(session, store.project_id, of, value, parent=under.parent, window=turn.window.tokens, now=store.now())
    margin = store.settings.margin or margin_of(of.client)
    helps = productive(value, turn.window, margin)
    _audit(store, session, of, under, verdict, {"helped": helps, "tokens": value.tokens}, ident)
    if follow:
        follow(session, of, ident, value, turn.before)
    return Committed(Outcome.COMMITTED, of.session_id, ident, verdict.problems, verdict.fallbacks, value=value)


def _audit(
    store: Store,
    session: Session,
    of: tables.Session,
    under: Under,
    verdict: Judged,
    more: dict[str, Any],
    ident: str = "",
) -> None:
    value = {
        "made_by": under.made_by.value,
        "run": under.run,
        "rounds": under.rounds,
        "problems": list(under.problems),
        "fallbacks": list(verdict.fallbacks),
        "usage": under.usage,
        **more,
    }
    attempted(session, store.project_id, of.session_id, verdict.outcome.value, value, store.now(), ident)
