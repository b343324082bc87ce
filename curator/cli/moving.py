"""`db migrate-to` and the restoring of an export: what becomes the store, and what is left behind."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from curator.cli.call import Call
from curator.cli.common import place_of, say, store_to_write
from curator.desk.guard import Decider
from curator.edge.clock import now
from curator.errors import BadUsage, CuratorError
from curator.plain import counted

if TYPE_CHECKING:  # sqlmodel costs 290 ms
    from curator.store.engine import Store

_HERE = "sqlite"


def move(store: "Store", url: str) -> dict[str, int]:
    """Copy the store to `url` and let the project use it; returns the rows copied, by table.

    Nobody writes to the store meanwhile. Raises `CuratorError` or `BadUsage`, and changes nothing, where the target is
    where the store is already, holds this project already, or would keep a password in a file.
    """
    from curator.snapshot import refresh
    from curator.store.moving import copy

    url = url.strip().rstrip(":/") if url.strip().lower().rstrip(":/") == _HERE else url.strip()
    if url == (store.settings.database_url or _HERE):
        raise BadUsage("the store is there already")
    if url != _HERE and urlsplit(url).password:
        raise BadUsage(
            "leave the password out of the URL, which is kept in config.toml: ~/.pgpass or PGPASSWORD holds it"
        )
    with store.write() as source:
        target = _target(store, url)
        try:
            counts = copy(source, target)
        except BaseException:
            if target.sqlite:  # a half-made file would stand in the way of the next attempt
                _removed(store.place.folder)
            raise
        _keep(store.place.folder / "config.toml", "" if url == _HERE else url)
    if store.sqlite:
        say(f"the file as it was: {_put_away(store)}")
    else:
        say("the server still holds its copy, as it was")
    if problem := refresh(target):
        say(problem)
    if "CURATOR_DATABASE_URL" in os.environ:
        say("CURATOR_DATABASE_URL is set and wins over what was written")
    return counts


def from_export(call: Call, path: Path, who: Decider) -> Path | None:
    """A new store of an `entries` file, in place of one that is damaged; returns what is kept of that.

    The file is read whole before anything is touched. Its rows are accepted as one decision of the person's.
    """
    from curator.cli.desks import counter, refresher
    from curator.desk.desk import Desk
    from curator.desk.views import Shown
    from curator.interchange.entries import import_entries
    from curator.interchange.incoming import take
    from curator.interchange.lines import read
    from curator.store import backup
    from curator.store.engine import DATABASE, TURN_SECONDS
    from curator.store.lock import held

    place = place_of(call)
    if not take(read(path), now(), 1 << 30).offers:
        raise CuratorError(f"{path} is neither a backup nor an export with entries: nothing was done")
    with held(place.folder / "lock", TURN_SECONDS):
        kept = backup.put_aside(place.folder / DATABASE, now())
    store = store_to_write(call, afresh=True)
    tokens = counter(store.settings.encoding)
    import_entries(store, path, tokens)
    desk = Desk(store, tokens, who.reviewer, who.via, after=refresher(store))
    done = desk.accept([Shown(row.proposal_id, row.rev) for row in desk.queue().rows], f"restored from {path.name}")
    say(counted(sum(item.done for item in done.items), "entry", "entries"))
    return kept


def _target(store: "Store", url: str) -> "Store":
    from curator.store.engine import DATABASE
    from curator.store.opening import create_store, made_on_server

    if url != _HERE:
        return made_on_server(store.place, replace(store.settings, database_url=url), now)
    path = store.place.folder / DATABASE
    if path.exists() and path.stat().st_size:
        raise CuratorError(f"{path} is there already: nothing was done")
    return create_store(store.place, replace(store.settings, database_url=""), now, afresh=True)


def _put_away(store: "Store") -> Path:
    """The database that was left, as a backup: nothing takes it for the store by mistake, and it can be restored."""
    from curator.store import backup
    from curator.store.condition import BUSY_SECONDS, HEAD
    from curator.store.engine import DATABASE
    from curator.store.lock import held

    path = store.place.folder / DATABASE
    with held(store.place.folder / "lock", BUSY_SECONDS):
        kept = backup.make(path, now(), HEAD)
        _removed(path.parent)
    return kept


def _removed(folder: Path) -> None:
    from curator.store.engine import DATABASE

    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()


def _keep(path: Path, url: str) -> None:
    """Write where the store is into the settings file; every other line stays."""
    from curator.snapshot.file import put

    lines = path.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    kept = [line for line in lines if not re.match(r"\s*database_url\s*=", line)]
    if url:
        kept.insert(0, f"database_url = {json.dumps(url)}\n")
    put(path, "".join(kept).encode())
