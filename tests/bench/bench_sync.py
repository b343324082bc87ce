"""Export, import and merge of a store of 100,000 entries and some thousand decisions: processor seconds and memory."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curator.store.bulk import New, insert_many
from curator.store.engine import Store
from curator.store.tables import Decision
from tests.sync.helpers import Make

ENTRIES, IN_ONE = 100_000, 25
WORDS = ("order", "stock", "import", "nightly", "port", "server", "cache", "lock", "retry", "batch", "month", "table")

STEP = """
import resource, sys, time
from pathlib import Path
from curator.cli.call import Call
from curator.cli.common import store_to_read, store_to_write
from curator.edge.tokens import tokens
began, path, folder = time.process_time(), Path(sys.argv[2]), Path(sys.argv[3])
if sys.argv[1] == "export":
    from curator.sync.exporting import export
    told = export(store_to_read(Call(folder)), path).entries
elif sys.argv[1] == "import":
    from curator.ledger.values import Who
    from curator.sync.taking import take
    store = store_to_write(Call(folder), afresh=True)
    report = take(store, path, tokens(store.settings.encoding), Who("ben", "sync"))
    told = (len(report.added), len(report.changed), report.same, len(report.doubted))
elif sys.argv[1] == "undo":
    from curator.desk.desk import Desk
    store = store_to_read(Call(folder))
    told = Desk(store, tokens(store.settings.encoding), "ben").undo().decision
else:
    from curator.sync.driver import merge
    told = merge(path, folder).entries
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{sys.argv[1]:8} {time.process_time() - began:7.1f} s  {peak:5} MB  {told}")
"""


def test_a_large_memory(new_store: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Prints one line a step."""
    store = new_store(tmp_path / "ann")
    filled(store)
    ann, ben, file = tmp_path / "ann", tmp_path / "ben", tmp_path / "memory.jsonl"
    ben.mkdir()
    told = [step("export", file, ann), step("export", file, ann), step("import", file, ben), step("import", file, ben)]
    copy = tmp_path / "copy.jsonl"
    shutil.copy(file, copy)
    told += [step("merge", copy, file), step("undo", file, ben)]
    with capsys.disabled():
        print(
            f"\n{ENTRIES:,} entries, {ENTRIES // IN_ONE:,} decisions, {file.stat().st_size / 1e6:.0f} MB\n"
            + "".join(told)
        )


def filled(store: Store) -> None:
    """Entries from many bulk decisions, each with a text of its own."""
    from curator.door.normal import fingerprint
    from curator.draft import draft
    from curator.vocab import Kind

    count = ENTRIES // IN_ONE
    with store.write() as session:
        for number in range(count):
            drafts = []
            for at in range(number * IN_ONE, (number + 1) * IN_ONE):
                said = " ".join(WORDS[(at >> shift) % len(WORDS)] for shift in (0, 2, 4, 6, 8, 10, 12, 14))
                body = f"Entry {at}: {said}, so that {said[::-1].split()[0]} of {at * 7} stays"
                drafts.append(draft("", body, Kind.LESSON, entry_id=f"m-{at:08d}", labels=("bench",)))
            new = [
                New(
                    each,
                    {"fingerprint": fingerprint(each.body), "tokens": 30, "encoding": "cl100k_base", "origin": "human"},
                )
                for each in drafts
            ]
            ids = insert_many(session, store.project_id, new, store.now(), reviewer="ann", decision=number + 1)
            effects = [
                {"entry_id": each, "before": None, "after": {"rev": 1, "route": "injected", "state": "active"}}
                for each in ids
            ]
            session.add(
                Decision(
                    project_id=store.project_id,
                    seq=number + 1,
                    verb="accept",
                    reviewer="ann",
                    via="terminal",
                    entries=ids,
                    effects=effects,
                    at=store.now(),
                )
            )


def step(what: str, path: Path, folder: Path) -> str:
    """One step in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", STEP, what, str(path), str(folder)], capture_output=True, text=True, check=False
    )
    return done.stdout or done.stderr
