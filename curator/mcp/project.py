"""Which memory a call is about, and its store opened for the length of the call.

Owns the rule that this door creates no store: only a person says where there is to be one. A store that is locked,
newer, damaged or gone is said to be that, never to hold nothing.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curator.config import load, user_config
from curator.edge.clock import now
from curator.errors import NotFound
from curator.hosts.claude import calling
from curator.hosts.running import agent_client
from curator.place import Place, user_place

if TYPE_CHECKING:  # sqlmodel costs 290 ms, and a client waits for the first answer
    from curator.store.engine import Store


_WAITS = (0.1, 0.2, 0.3)
"""Seconds between looks: the client's line may come a moment after its call (0.1 s was seen)."""


@dataclass(frozen=True)
class Caller:
    """Who calls, and from where: the project that was found, the client's name, its id of this call if it gave one."""

    place: Place
    client: str = ""
    call: str = ""

    def session(self) -> str:
        """The session that this call comes from, where the client's transcripts tell; else empty."""
        for wait in (0.0, *_WAITS) if self.call else ():
            time.sleep(wait)
            if found := calling(self.place, self.call):
                return found
        return ""


def caller(place: Place, told: str = "", call: str = "") -> Caller:
    """The caller; `told` is the name a client gave of itself, used where the environment names none."""
    return Caller(place, agent_client(os.environ) or told, call)


@contextmanager
def opened(place: Place, *, writing: bool = False) -> Iterator["Store"]:
    """The store of a place. Raises `NotFound` where there is none, `CannotLook` where it cannot be used.

    A database is made only for writing, and only where a person's `.curator/` waits for one.
    """
    from curator.store.opening import create_store, open_store

    if not place.found:
        raise NotFound(
            f"no project memory here: {place.root} has no .curator (a person makes it with `curator init`, or starts "
            "this server in the project)"
        )
    settings = load((user_config(), place.folder / "config.toml"), os.environ).settings
    store = open_store(place, settings, now)
    if store is None and not writing:
        raise NotFound(f"nothing is stored in {place.folder} yet")
    store = store or create_store(place, settings, now)
    try:
        yield store
    finally:
        store.engine.dispose()


@contextmanager
def writable(place: Place) -> Iterator["Store"]:
    """The store to write into, with what waited in the spool noted first."""
    from curator.harvest.spooled import take_in

    with opened(place, writing=True) as store:
        take_in(store)
        yield store


@contextmanager
def readable(place: Place) -> Iterator["list[tuple[str, Store]]"]:
    """The project's store and the person's own, as far as there are such; `NotFound` where there is neither."""
    own = user_place()
    if not own.found or place == own:
        with opened(place) as store:
            yield [("user" if place == own else "project", store)]
    elif not place.found:
        with opened(own) as mine:
            yield [("user", mine)]
    else:
        with opened(place) as store, opened(own) as mine:
            yield [("project", store), ("user", mine)]
