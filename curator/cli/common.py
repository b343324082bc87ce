"""What every command does around its own work: find the project, load settings, open the store, print.

Owns the rule that reading creates nothing and writing says what it created. Commands print data through `out`
and narration through `say`.
"""

import contextlib
import json
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator.cli.call import Call
from curator.config import Loaded, load, user_config
from curator.edge.clock import now
from curator.errors import Busy
from curator.place import FOLDER, Place, find, user_place
from curator.plain import plain

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.store.engine import Store

SCHEMA = 1
"""Version of every `--json` document; rises when a key changes its meaning or goes."""


def place_of(call: Call) -> Place:
    """The project that the call is about, or the person's own store with `--user`."""
    return user_place() if call.user else find(call.start)


def settings_of(place: Place) -> Loaded:
    """Defaults, then the person's file, then the project's, then the environment."""
    return load((user_config(), place.folder / "config.toml"), os.environ)


def store_to_read(call: Call) -> "Store | None":
    """The store, or None where there is none. Creates nothing."""
    place = place_of(call)
    if not place.found:
        return None
    from curator.store.opening import open_store

    store = open_store(place, settings_of(place).settings, now)
    for notice in store.notices if store else ():
        say(notice)
    return store


def store_to_write(call: Call, *, afresh: bool = False) -> "Store":
    """The store, created where it is missing; says so on stderr. `afresh` makes one even where one was lost."""
    from curator.store.opening import create_store

    place = place_of(call)
    store = create_store(place, settings_of(place).settings, now, afresh=afresh)
    if not place.found:
        from curator.snapshot import refresh

        say(f"created {place.root / FOLDER}")
        if problem := refresh(store):  # without one a start would say that it could not look
            say(problem)
    for notice in store.notices:
        say(notice)
    catch_up(store)
    return store


def catch_up(store: "Store") -> None:
    """Note what `remember` had to leave in the spool; what cannot be written now waits on."""
    from curator.harvest.spooled import take_in

    with contextlib.suppress(Busy):
        if number := take_in(store):
            say(f"noted {number} that waited in the spool")


def out(line: str = "") -> None:
    """One line of data on stdout, with nothing in it that steers a terminal."""
    sys.stdout.write(plain(line) + "\n")


def out_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout, with the schema version first."""
    text = json.dumps({"schema": SCHEMA, **document}, ensure_ascii=False, indent=2, default=_json)
    sys.stdout.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")


def say(line: str) -> None:
    """One line of narration on stderr."""
    sys.stderr.write(plain(line) + "\n")


def local(moment: datetime) -> str:
    """A stored time in the person's zone: `2031-03-05 12:00`."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _json(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(type(value).__name__)
