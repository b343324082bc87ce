"""kill -9 at a random moment of harvest, sweep, accept, import and migration; then the next command, then a look.

Every round of one act goes on with the store that the kill before left.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from curator.edge.clock import now
from curator.store import migrate
from curator.store.condition import HEAD, KNOWN
from curator.store.engine import DATABASE
from tests.storm.storm import prepared
from tests.storm.texts import offers, talk
from tests.storm.verifying import damage, lost


@dataclass
class Killed:
    """Of one act: kills that hit it at work, how late they came (share of its whole time), and every fault found."""

    act: str
    kills: int = 0
    moments: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def killed(root: Path, act: str, kills: int, seed: int) -> Killed:
    """Kill it that often while it works; a victim that was done before the kill does not count."""
    prepared(root, demo=True)
    result, dice = Killed(act), random.Random(seed)
    span, rounds = _span(root, act, result), 0
    while result.kills < kills and rounds < kills * 4 and not result.wrong:
        rounds += 1
        PREPARE[act](root, rounds)
        moment = dice.random()
        if _hit(root, act, moment * span):
            result.kills += 1
            result.moments.append(round(moment, 2))
        result.wrong += [f"{act}, kill {result.kills} at {moment:.2f}: {each}" for each in _after(root, act)]
    return result


def _span(root: Path, act: str, result: Killed) -> float:
    """Seconds of work when nobody kills it."""
    PREPARE[act](root, 0)
    victim = _victim(root, act)
    began = time.monotonic()
    _, said = victim.communicate()
    if victim.returncode:
        result.wrong.append(said.decode()[-600:])
    return time.monotonic() - began


def _hit(root: Path, act: str, seconds: float) -> bool:
    victim = _victim(root, act)
    time.sleep(seconds)
    victim.kill()
    victim.communicate()
    return victim.returncode < 0


def _victim(root: Path, act: str) -> subprocess.Popen[bytes]:
    """Started, and at the beginning of its work."""
    call = [sys.executable, "-m", "tests.storm.victim", str(root), act]
    victim = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if victim.stdout is None or victim.stdout.readline() != b"go\n":
        raise RuntimeError(f"the victim did not start: {victim.communicate()[1].decode()}")
    return victim


def _after(root: Path, act: str) -> list[str]:
    """No half state before the next command; that one works; everything is there; nothing is left over."""
    found = [] if act == "migrate" else damage(root)
    found += HALF[act](root)
    done = _command(root, *NEXT[act])
    if done.returncode:
        found.append(f"`{' '.join(NEXT[act])}` after it: exit {done.returncode}, {done.stderr[-300:]}")
    found += [*damage(root), *lost(root)[0], *WHOLE[act](root)]
    left = [path.name for path in (root / ".curator").rglob("*") if path.name.endswith((".part", ".tmp", "-journal"))]
    return found + [f"left over: {name}" for name in left]


def _command(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "curator", "-C", str(root), *(word.replace("ROOT", str(root)) for word in words)]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def _rows(root: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(root / ".curator" / DATABASE)) as base:
        return base.execute(query).fetchall()


def _talked(root: Path) -> list[str]:
    """A row is never there without its note."""
    said = {str(row[0]).removeprefix("lesson: ") for row in _rows(root, "SELECT text FROM record")}
    noted = {str(row[0]) for row in _rows(root, "SELECT body FROM note WHERE source LIKE '%seqs%'")}
    return [f"{len(said ^ noted)} rows without note, or notes without row"] if said != noted else []


def _all_talked(root: Path) -> list[str]:
    lines = len((root / "talk.jsonl").read_text().splitlines())
    ((rows,),) = _rows(root, "SELECT count(*) FROM record")
    return [] if rows == lines else [f"{rows} rows of {lines} lines"]


def _imported(root: Path) -> list[str]:
    """All proposals of a file or none: 200 each time."""
    ((number,),) = _rows(root, "SELECT count(*) FROM proposal")
    return [] if number % OFFERS == 0 else [f"{number} proposals of files of {OFFERS}"]  # type: ignore[operator]


def _swept(root: Path) -> list[str]:
    """A note is proposed exactly when its proposal names it."""
    became = {(str(a), str(b)) for a, b in _rows(root, "SELECT note_id, became FROM note WHERE became LIKE 'P-%'")}
    named = set(_rows(root, "SELECT j.value, proposal_id FROM proposal, json_each(proposal.notes) j"))
    return [f"notes and proposals disagree: {sorted(became ^ named)[:3]}"] if became != named else []


def _at_rest(root: Path) -> list[str]:
    """One more sweep finds nothing to propose."""
    again = json.loads(_command(root, *NEXT["sweep"], "--json").stdout)["proposals"]
    return [f"another sweep makes {len(again)} proposals"] if again else _swept(root)


def _decided(root: Path) -> list[str]:
    ((number,),) = _rows(root, "SELECT count(*) FROM proposal WHERE state = 'open'")
    return [f"{number} proposals still wait"] if number else []


def _old_or_new(root: Path) -> list[str]:
    found = [row[0] for row in _rows(root, "SELECT version_num FROM alembic_version")]
    return [] if found in ([KNOWN[0]], [HEAD]) else [f"schema {found}"]


def _newest(root: Path) -> list[str]:
    found = [row[0] for row in _rows(root, "SELECT version_num FROM alembic_version")]
    ((entries,),) = _rows(root, "SELECT count(*) FROM entry")
    return [] if found == [HEAD] and entries == _ENTRIES else [f"schema {found}, {entries} entries"]


def _nothing(root: Path) -> list[str]:
    return []


OFFERS = 200
_ENTRIES = 8  # those of `prepared`


def _offer(root: Path, number: int) -> None:
    offers(root / "offer.jsonl", f"i{number}-{os.getpid()}", OFFERS)


def _waiting(root: Path, number: int) -> None:
    _offer(root, number)
    _command(root, *NEXT["import"]).check_returncode()


def _older(root: Path, number: int) -> None:
    migrate.downgrade(root / ".curator", KNOWN[0], now)


def _spoken(root: Path, number: int) -> None:
    talk(root / "talk.jsonl", f"t{number}-{os.getpid()}", 250)


def _noted(root: Path, number: int) -> None:
    talk(root / "talk.jsonl", f"s{number}-{os.getpid()}", 40)
    _command(root, *NEXT["harvest"]).check_returncode()


Look = Callable[[Path], list[str]]
PREPARE: dict[str, Callable[[Path, int], None]] = {
    "harvest": _spoken,
    "sweep": _noted,
    "accept": _waiting,
    "import": _offer,
    "migrate": _older,
}
HALF: dict[str, Look] = {
    "harvest": _talked,
    "sweep": _swept,
    "accept": _nothing,
    "import": _imported,
    "migrate": _old_or_new,
}
NEXT = {
    "harvest": ["harvest", "ROOT/talk.jsonl"],
    "sweep": ["sweep", "--limit", "0"],
    "accept": ["accept", "--all"],
    "import": ["import", "entries", "offer.jsonl"],
    "migrate": ["status"],
}
WHOLE: dict[str, Look] = {
    "harvest": _all_talked,
    "sweep": _at_rest,
    "accept": _decided,
    "import": _imported,
    "migrate": _newest,
}
