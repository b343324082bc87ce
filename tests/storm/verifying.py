"""Is everything there that was acknowledged, once, and is the store whole? Each fault is one sentence."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from curator.store.care import faults
from curator.store.engine import DATABASE
from tests.storm.writer import SHARED, opened


def damage(root: Path) -> list[str]:
    """What SQLite and the product's own check find, and rows that contradict each other."""
    found = list(faults(opened(root)))
    with closing(sqlite3.connect(root / ".curator" / DATABASE)) as base:
        (answer,) = base.execute("PRAGMA integrity_check").fetchone()
        found += [] if answer == "ok" else [str(answer)]
        found += [f"foreign key: {row}" for row in base.execute("PRAGMA foreign_key_check")]
        for sentence, query in _CONTRADICTIONS.items():
            found += [f"{sentence}: {row[0]}" for row in base.execute(query)]
    return found


_CONTRADICTIONS = {
    "an entry without its own revision": "SELECT entry_id FROM entry e WHERE NOT EXISTS "
    "(SELECT 1 FROM revision r WHERE r.entry_id = e.entry_id AND r.rev = e.rev)",
    "an entry with a revision ahead of it": "SELECT e.entry_id FROM entry e "
    "JOIN revision r USING (project_id, entry_id) WHERE r.rev > e.rev",
    "a target held by a proposal that does not wait": "SELECT entry_id FROM open_target JOIN proposal "
    "USING (project_id, proposal_id) WHERE state NOT IN ('open', 'snoozed')",
    "an accepted proposal without a decision": "SELECT proposal_id FROM proposal p WHERE state = 'accepted' AND "
    "NOT EXISTS (SELECT 1 FROM decision d, json_each(d.proposals) j WHERE j.value = p.proposal_id)",
    "an entry of no decision": "SELECT entry_id FROM revision r WHERE decision > 0 AND "
    "NOT EXISTS (SELECT 1 FROM decision d WHERE d.seq = r.decision)",
    "a note twice": "SELECT body FROM note GROUP BY body HAVING count(*) > 1",
    "a note of a proposal that is not there": "SELECT note_id FROM note WHERE became LIKE 'P-%' AND "
    "became NOT IN (SELECT proposal_id FROM proposal)",
    "a record row twice": "SELECT source_id FROM record GROUP BY source_id HAVING count(*) > 1",
    "record numbers with a gap": "SELECT session_id FROM record GROUP BY session_id HAVING max(seq) <> count(*)",
    "a ledger with a gap": "SELECT max(seq) FROM decision HAVING max(seq) <> count(*)",
}


def acknowledgements(root: Path) -> Iterator[dict[str, Any]]:
    """Every line of every log; a writer that was killed may leave half a line."""
    for path in sorted((root / "acknowledged").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


def lost(root: Path) -> tuple[list[str], Counter[str]]:
    """Acknowledged writes that are not there, and how many there were of each kind.

    A writer that was killed may have made one write more than it could say.
    """
    said = list(acknowledgements(root))
    with closing(sqlite3.connect(root / ".curator" / DATABASE)) as base:
        there = _There(base)
        missing = [f"lost: {one}" for one in said if one["what"] in _CHECKS and not _CHECKS[one["what"]](there, one)]
    missing += [f"no such decision: {one}" for one in said if one.get("decision") and not there.decided(one)]
    unsaid = len(list((root / "acknowledged").glob("w*.jsonl"))) - sum(one["what"] == "end" for one in said)
    counted = Counter(one["entry"] for one in said if one["what"] == "edit")
    missing += [
        f"{entry_id} counts {there.count(entry_id)}, {counted[entry_id]} edits were acknowledged"
        for entry_id in SHARED
        if entry_id in there.entries and not 0 <= there.count(entry_id) - counted[entry_id] <= unsaid
    ]
    pins = {one["entry"]: one["pinned"] for one in said if one["what"] == "pin"}
    missing += [
        f"the pin of {entry_id} is lost"
        for entry_id, pinned in pins.items()
        if entry_id in there.entries and there.entries[entry_id][1] != pinned
    ]
    return missing, Counter(one["what"] for one in said)


class _There:
    """What the database holds, read once."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self.notes = {row[0] for row in base.execute("SELECT body FROM note")}
        self.entries = {
            row[0]: (row[1], bool(row[2])) for row in base.execute("SELECT entry_id, body, pinned FROM entry")
        }
        self.proposals = dict(base.execute("SELECT proposal_id, state FROM proposal"))
        self.decisions = {
            row[0]: row[1:] for row in base.execute("SELECT seq, reviewer, verb, undone_by FROM decision")
        }
        self.checkpoints = {row[0] for row in base.execute("SELECT checkpoint_id FROM checkpoint")}

    def decided(self, one: dict[str, Any]) -> bool:
        """Does the ledger have it?"""
        return one["decision"] in self.decisions

    def stands(self, one: dict[str, Any]) -> bool:
        """Was it not taken back?"""
        return self.decisions[one["decision"]][2] is None

    def count(self, entry_id: str) -> int:
        """How far a shared entry was counted."""
        return int(self.entries[entry_id][0].rpartition(" ")[2])


_CHECKS: dict[str, Any] = {
    "note": lambda there, one: one["text"] in there.notes,
    "said": lambda there, one: one["text"] in there.notes,
    "checkpoint": lambda there, one: one["id"] in there.checkpoints,
    "accept": lambda there, one: (
        (there.proposals[one["proposal"]] == "accepted" and one["entry"] in there.entries)
        if there.stands(one)
        else there.proposals[one["proposal"]] == "open"
    ),
    "reject": lambda there, one: there.proposals[one["proposal"]] == ("rejected" if there.stands(one) else "open"),
    "undo": lambda there, one: (
        there.decisions[one["undone"]][2] == one["decision"]
        and not any(entry_id in there.entries for entry_id in one["entries"])
    ),
}
