"""The desk for a command: the store opened, the decider asked, tokens counted only when something needs a count."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from curator.cli.call import Call
from curator.cli.common import catch_up, place_of, say, store_to_read, store_to_write
from curator.cli.person import decider
from curator.desk.guard import Decider, login
from curator.desk.views import Filter, Outcome
from curator.errors import BadUsage, NotFound
from curator.ports import Tokens
from curator.vocab import Kind, Op, Route

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.desk.desk import Desk
    from curator.store.engine import Store


def deciding(call: Call, measure: "Callable[[Store], int]" = lambda _: 0) -> "Desk":
    """The desk of a person who may decide; raises `NotAllowed`, or `NotFound` where nothing is stored.

    `measure` gives the tokens of the next session, for a caller that shows them.
    """
    from curator.desk.desk import Desk

    who = decider(place_of(call))
    store = store_of(call)
    catch_up(store)
    count = counter(store.settings.encoding)
    after = refresher(store)
    own = own_desk(who)
    return Desk(store, count, who.reviewer, who.via, after=after, measure=lambda: measure(store), own=own)


def looking(call: Call) -> "Desk | None":
    """The desk for a command that only reads; None where nothing is stored. Needs no person."""
    from curator.desk.desk import Desk

    store = store_to_read(call)
    return Desk(store, counter(store.settings.encoding), login(os.environ)) if store else None


def store_of(call: Call) -> "Store":
    """The store of a call that cannot do without; raises `NotFound` where nothing is stored."""
    store = store_to_read(call)
    if store is None:
        raise NotFound(f"nothing is stored for {place_of(call).root} yet")
    return store


def own_desk(who: Decider) -> "Callable[[], Desk]":
    """Opens the same person's desk on their own store, which is made where it is missing."""

    def opened() -> "Desk":
        from curator.desk.desk import Desk

        store = store_to_write(Call(Path.cwd(), user=True))
        return Desk(store, counter(store.settings.encoding), who.reviewer, who.via, after=refresher(store))

    return opened


def filter_of(
    op: str | None,
    kind: str | None,
    route: str | None,
    labels: list[str] | None,
    words: list[str] | None,
    at_least: float | None = None,
    below: float | None = None,
) -> Filter | str:
    """The filter, or a sentence that names the value no proposal can have. Raises `BadUsage` for an empty value."""
    for name, value in (("--op", op), ("--kind", kind), ("--route", route)):
        if value is not None and not value.strip():
            raise BadUsage(f"{name} needs a value")
    for name, values in (("--label", labels), ("--match", words)):
        if any(not value.strip() for value in values or ()):
            raise BadUsage(f"{name} needs a value")
    known: tuple[tuple[str, str | None, type[Op] | type[Kind] | type[Route]], ...] = (
        ("op", op, Op),
        ("kind", kind, Kind),
        ("route", route, Route),
    )
    for title, value, values_of in known:
        if value is not None and value not in set(values_of):
            return f"no proposal has the {title} {value!r}; there are {', '.join(values_of)}"
    return Filter(
        op=Op(op) if op else None,
        kind=Kind(kind) if kind else None,
        route=Route(route) if route else None,
        labels=tuple(labels or ()),
        words=tuple(words or ()),
        at_least=at_least,
        below=below,
    )


def code_of(outcome: Outcome) -> int:
    """The exit code: 0 all done, 1 nothing could be done, 3 something changed since it was shown, or only part done."""
    if outcome.complete:
        return 0
    if not any(item.done for item in outcome.items) and all(item.outcome in _FAILED for item in outcome.items):
        return 1
    return 3


_FAILED = {"refused", "exists", "decided"}


def counter(encoding: str) -> Tokens:
    """A counter whose vocabulary (0.2 s) is loaded with the first count."""

    def count(text: str) -> int:
        from curator.edge.tokens import tokens

        return tokens(encoding).count(text)

    return Tokens(count, encoding)


def refresher(store: "Store") -> Callable[[], None]:
    """What follows a decision: the snapshot that the next session is handed is rewritten; a failure is told."""

    def after() -> None:
        from curator.snapshot import refresh

        if problem := refresh(store):
            say(problem)

    return after
