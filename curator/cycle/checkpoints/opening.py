"""Opening a checkpoint: what is handed out, and what is remembered of it until it is committed.

Owns that a session has at most one open checkpoint, that an abandoned one expires, and that two which did not help
end the tries until the person says something new.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session

from curator.checkpoint import Checkpoint, Cut, MadeBy, Opened, Row, Sources, Window, may_try, opened
from curator.checkpoint.limits import window_of
from curator.checkpoint.memo import Candidate
from curator.cycle.checkpoints import folder as files
from curator.cycle.checkpoints.rows import rows_of, session_named
from curator.cycle.checkpoints.shelf import attempted, helped, newest
from curator.door import redact
from curator.errors import Conflict, CuratorError, NotFound
from curator.hosts.skills import text_of
from curator.place import FOLDER
from curator.store import tables
from curator.store.engine import DATABASE, Store

EXPIRY = timedelta(minutes=30)
"""An open checkpoint that was not committed for so long is abandoned."""

COPIES = "minds"


@dataclass(frozen=True)
class Under:
    """An open checkpoint as it is remembered beside its files.

    `parent` is the id of the checkpoint it builds on, `run` the number of the person's latest message. `problems`,
    `rounds` and `now` come from the first answer, when a repair was asked. `calls` counts the tool calls on the two
    files, `ticks` is what one of them decided on the memo.
    """

    session: str
    parent: str
    through: int
    offered: int
    cut_at: int
    mind: str
    memo: str
    candidates: tuple[Candidate, ...]
    window: Window
    made_by: MadeBy
    run: int
    opened_at: datetime
    rounds: int = 0
    problems: tuple[str, ...] = ()
    now: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    calls: int = 0
    ticks: tuple[int, ...] | None = None

    @property
    def expires_at(self) -> datetime:
        return self.opened_at + EXPIRY


def begin(
    store: Store, session_id: str = "", *, made_by: MadeBy = MadeBy.HOST, window: int = 0
) -> tuple[Under, Opened]:
    """Open a checkpoint of a session (the newest of this worktree without an id) and write its two files.

    `window` overrides the settings' and the client's. Raises `Conflict` where one is open, `NotFound` without a
    session, `CuratorError` where two in this run did not help.
    """
    with store.write() as session:
        of = session_named(session, store.project_id, session_id, store.place.worktree)
        place = files.folder_of(store.place.folder, of.session_id)
        _none_open(store, session, place, of.session_id)
        rows = rows_of(session, store.project_id, of.session_id)
        run = max((row.seq for row in rows if row.by_person), default=0)
        if not may_try(helped(session, store.project_id, of.session_id, run)):
            raise CuratorError(
                "two checkpoints since the person's last message did not help; none is tried before the next one"
            )
        before = newest(session, store.project_id, of.session_id)
        size = window_of(of.client, window or store.settings.window)
        turn = opened(rows, before.value if before else None, size, made_by=made_by)
        under = Under(
            session=of.session_id,
            parent=before.ident if before else "",
            through=turn.through,
            offered=turn.offered,
            cut_at=turn.cut.at,
            mind=turn.mind,
            memo=turn.memo,
            candidates=turn.candidates,
            window=size,
            made_by=made_by,
            run=run,
            opened_at=store.now(),
        )
        files.write(place, files.MIND, turn.mind)
        files.write(place, files.MEMO, turn.memo)
        remember(store, under)
    return under, turn


def resumed(store: Store, session: Session, session_id: str = "") -> tuple[Under, Opened, tables.Session]:
    """The open checkpoint of a session. Raises `NotFound` where none is open or it expired."""
    of = session_named(session, store.project_id, session_id, store.place.worktree)
    under = found(files.folder_of(store.place.folder, of.session_id))
    if under is None or store.now() >= under.expires_at:
        raise NotFound(f"no checkpoint of session {of.session_id} is open; `curator checkpoint begin` opens one")
    rows = rows_of(session, store.project_id, of.session_id, under.through)
    before = newest(session, store.project_id, of.session_id)
    if (before.ident if before else "") != under.parent:
        files.clear(files.folder_of(store.place.folder, of.session_id))
        raise Conflict("another checkpoint of this session was committed meanwhile; begin again")
    return under, _turn(under, rows, before.value if before else None), of


def found(place: Path) -> Under | None:
    """What is remembered of an open checkpoint; None where there is none or it cannot be read."""
    try:
        value = json.loads(files.read(place, files.STATE))
        return _under(value)
    except (CuratorError, ValueError, KeyError, TypeError):
        return None


def remember(store: Store, under: Under) -> None:
    """Keep what is known of an open checkpoint."""
    value = asdict(under) | {"opened_at": under.opened_at.isoformat(), "made_by": under.made_by.value}
    text = json.dumps(value, ensure_ascii=False)
    files.write(files.folder_of(store.place.folder, under.session), files.STATE, text)


def sources(store: Store, session_id: str) -> Sources:
    """What an assembled text points to in this store."""
    where = f"{FOLDER}/{DATABASE}" if store.sqlite else "the team's store"
    return Sources(session_id, where, f"{FOLDER}/{COPIES}", lambda name: _skill(store, name))


def _skill(store: Store, name: str) -> str:
    """A skill in its present version, without secrets."""
    return redact(text_of(store.place.top, Path.home(), name)).text


def _none_open(store: Store, session: Session, place: Path, session_id: str) -> None:
    under = found(place)
    if under is None:
        return
    if store.now() < under.expires_at:
        until = under.expires_at.astimezone().strftime("%H:%M")
        raise Conflict(f"a checkpoint of session {session_id} is open until {until}: commit it, or begin after that")
    value = {"run": under.run, "problems": list(under.problems), "rounds": under.rounds, "helped": False}
    attempted(session, store.project_id, session_id, "abandoned", value, under.opened_at)
    files.clear(place)


def _turn(under: Under, rows: tuple[Row, ...], before: Checkpoint | None) -> Opened:
    return Opened(
        window=under.window,
        rows=rows,
        before=before,
        cut=Cut(under.cut_at),
        made_by=under.made_by,
        through=under.through,
        offered=under.offered,
        candidates=under.candidates,
        mind=under.mind,
        memo=under.memo,
    )


def _under(value: dict[str, Any]) -> Under:
    read = Under(**value)  # every field is set again below where JSON has no type for it
    return replace(
        read,
        opened_at=datetime.fromisoformat(value["opened_at"]),
        made_by=MadeBy(value["made_by"]),
        window=Window(**{**value["window"], "price_steps": tuple(value["window"]["price_steps"])}),
        candidates=tuple(Candidate(**each) for each in value["candidates"]),
        problems=tuple(value["problems"]),
        ticks=None if value.get("ticks") is None else tuple(value["ticks"]),
    )
