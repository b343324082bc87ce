"""The storm: many processes write into one store at once while others search, sweep and start sessions."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from curator.config import Settings
from curator.edge.clock import now
from curator.place import Place
from curator.snapshot import refresh
from curator.store.opening import create_store
from tests.helpers import load_active
from tests.storm.verifying import damage, lost
from tests.storm.writer import SHARED

BESIDE = ("searching", "searching", "sweeping", "starting")


@dataclass
class Result:
    """What was seen. `wrong` holds every error, lost write and damage, one sentence each."""

    seconds: float = 0.0
    writes: dict[str, int] = field(default_factory=dict)
    beside: dict[str, int] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    notices: int = 0
    wrong: list[str] = field(default_factory=list)


def prepared(root: Path, *, demo: bool = False) -> None:
    """A store with the entries that everybody counts up; in a demo's store commands may decide by script."""
    (root / "acknowledged").mkdir(parents=True)
    store = create_store(Place(root, root, "", False), Settings(), now, demo=demo)
    load_active(store, [{"id": each, "kind": "lesson", "body": f"{each} stands at count 0"} for each in SHARED])
    refresh(store)


def storm(root: Path, processes: int, writes: int, seed: int = 1) -> Result:
    """Let it rage on a new store in `root`, then look at everything."""
    prepared(root)
    began = time.monotonic()
    readers = [_started("readers", str(root), name) for name in BESIDE]
    writers = [_started("writer", str(root), f"w{n}", str(writes), str(seed + n)) for n in range(processes)]
    result = Result()
    for each in writers:
        _, said = each.communicate()
        if each.returncode or said:
            result.wrong.append(f"a writer left with {each.returncode}: {said.decode()[-600:]}")
    result.seconds = round(time.monotonic() - began, 1)
    (root / "stop").touch()
    for each in readers:
        told, said = each.communicate()
        if each.returncode:
            result.wrong.append(said.decode()[-600:])
            continue
        seen = json.loads(told)
        result.beside[seen["what"]] = result.beside.get(seen["what"], 0) + seen["times"]
        result.slowest[seen["what"]] = max(result.slowest.get(seen["what"], 0.0), seen["slowest"])
        result.wrong += seen["wrong"]
    return checked(root, result)


def checked(root: Path, result: Result) -> Result:
    """Add what the store says after all are gone."""
    missing, counts = lost(root)
    result.wrong += [*missing, *damage(root)]
    result.notices = counts.pop("notice", 0)
    counts.pop("end", 0)
    result.writes = dict(counts)
    return result


def _started(module: str, *words: str) -> subprocess.Popen[bytes]:
    call = [sys.executable, "-m", f"tests.storm.{module}", *words]
    return subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
