"""`remember`: one text that someone hands over on purpose, to one raw note.

Owns who is taken to have said it. It never writes an entry: only an accepted proposal does.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from curator.door import admit, without_marker
from curator.errors import BadUsage
from curator.harvest.noting import Heard, Noted, note
from curator.hosts.running import agent_variable
from curator.place import Place
from curator.store.engine import Store
from curator.store.tables import Note
from curator.vocab import Kind, NoteState, Origin


@dataclass(frozen=True)
class Handed:
    """What was handed over: the text, and what the caller says about it."""

    text: str
    kind: Kind | None = None
    labels: Sequence[str] = ()
    title: str = ""
    refs: Sequence[str] = ()


def origin_of(env: Mapping[str, str], terminal: bool) -> Origin:
    """An agent where a client's variables say so; the person at a terminal; else nobody is known to have said it."""
    if agent_variable(env):
        return Origin.AGENT
    return Origin.HUMAN if terminal else Origin.UNVERIFIED


def secrets_in(text: str) -> tuple[str, ...]:
    """The kinds of credentials that a text seems to hold."""
    return admit(text, len(text) * 4 + 4).redacted


def remember(store: Store, handed: Handed, origin: Origin, *, client: str = "", keep_secrets: bool = False) -> Noted:
    """Store one note; see `noted`. Raises BadUsage for what `check` refuses, `Busy` where it cannot be written now."""
    check(handed, store.place)
    with store.write() as session:
        return noted(session, store, handed, origin, store.now(), client=client, keep_secrets=keep_secrets)


def check(handed: Handed, place: Place) -> None:
    """Raise BadUsage for an empty text or a reference that leads out of the project."""
    if not without_marker(handed.text)[0]:
        raise BadUsage("there is no text to remember")
    for ref in handed.refs:
        _check_ref(ref, str(place.top))


def noted(
    session: Session,
    store: Store,
    handed: Handed,
    origin: Origin,
    said_at: datetime,
    *,
    client: str = "",
    keep_secrets: bool = False,
) -> Noted:
    """One note in the caller's transaction. A marker in the text names the kind unless the caller does.

    `keep_secrets` stores what looks like a credential as it is: only a person who was asked may say so. A note that
    was dropped waits again when a person says it again.
    """
    heard = heard_as(handed, origin, said_at, client, keep_secrets)
    made = note(session, store.project_id, heard, store.settings.note_bytes, store.now())
    row = session.get(Note, (store.project_id, made.note_id)) if made.note_id else None
    if row is not None and row.state == NoteState.DROPPED and origin is Origin.HUMAN:
        row.state, row.reason = NoteState.WAITING.value, ""
    return made


def heard_as(handed: Handed, origin: Origin, said_at: datetime, client: str = "", keep_secrets: bool = False) -> Heard:
    """What was handed over as the door hears it: a marker in the text names the kind unless the caller does."""
    body, marked = without_marker(handed.text)
    kind = handed.kind or (Kind(marked) if marked in set(Kind) else None)
    return Heard(
        handed.text if not marked else body,
        origin,
        kind=kind,
        marked=kind is not None,
        title=handed.title,
        labels=handed.labels,
        refs=handed.refs,
        source={"client": client, "part": "remember"},
        said_at=said_at,
        keep_secrets=keep_secrets,
    )


def _check_ref(ref: str, top: str) -> None:
    """Raise where a reference names a path outside of the project."""
    path = ref.partition(":")[0] if not ref.startswith(("http:", "https:")) else ""
    if not ref.strip() or "\x00" in ref or "\n" in ref:
        raise BadUsage("--ref needs a path, symbol, command or commit on one line")
    if "/" not in path and "\\" not in path:
        return
    whole = os.path.normpath(Path(top, path))  # by text only: what it names need not exist
    if whole != top and not whole.startswith(top.rstrip("/") + "/"):
        raise BadUsage(f"--ref {ref}: leads out of the project")
