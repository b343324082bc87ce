"""The spool loses, tears and repeats nothing, whoever races or dies."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator import spool

_WRITER = """
import sys
from curator import spool
for number in range(int(sys.argv[3])):
    spool.append(sys.argv[1], {"id": f"{sys.argv[2]}-{number}", "text": "红" * 400})
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    """A process that appends `count` events."""
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(folder), name, str(count)])


def taken(folder: Path, torn: int = 0) -> list[str]:
    """Drain once; the ids in the order they came. At most `torn` lines may be damaged."""
    with spool.drained(str(folder)) as batches:
        assert batches is not None
        found = [str(value["id"]) for batch in batches for _, value in batch.lines]
        assert sum(batch.damaged for batch in batches) <= torn
        for batch in batches:
            batch.done()
    return found


def test_draining_while_many_append_gives_every_line_once(tmp_path: Path) -> None:
    """4 writers race with a drainer that never rests: each event comes exactly once, each writer's in order."""
    writers = [writer(tmp_path, str(name), 300) for name in range(4)]
    found: list[str] = []
    while any(each.poll() is None for each in writers):
        found += taken(tmp_path)
    found += taken(tmp_path)
    assert all(each.returncode == 0 for each in writers)
    for name in range(4):
        assert [each for each in found if each.startswith(f"{name}-")] == [f"{name}-{n}" for n in range(300)]
    assert len(found) == 1_200
    assert not spool.waiting(str(tmp_path))


def test_a_killed_writer_costs_no_whole_line(tmp_path: Path) -> None:
    """kill -9 leaves a beginning of its events without a gap; only a line not acknowledged yet may be torn.

    The system may stop a write where a page of memory ends, so the line being written can be cut.
    """
    for pause in (0.05, 0.08, 0.12):
        each = writer(tmp_path, "w", 100_000)
        time.sleep(pause)
        each.send_signal(signal.SIGKILL)
        each.wait()
        found = taken(tmp_path, torn=1)
        assert found == [f"w-{n}" for n in range(len(found))]


def test_a_drainer_that_dies_hands_out_the_same_batch_again(tmp_path: Path) -> None:
    """Without `done` the next drain gives the same batch name and line numbers, before anything newer."""
    spool.append(str(tmp_path), {"id": "1"})
    with spool.drained(str(tmp_path)) as first:
        pass
    spool.append(str(tmp_path), {"id": "2"})
    with spool.drained(str(tmp_path)) as second:
        assert first and second and second[0] == first[0]
        assert [value["id"] for batch in second for _, value in batch.lines] == ["1", "2"]


def test_only_one_drains_at_a_time(tmp_path: Path) -> None:
    """A second drainer is told so instead of waiting."""
    spool.append(str(tmp_path), {"id": "1"})
    with spool.drained(str(tmp_path)), spool.drained(str(tmp_path)) as second:
        assert second is None


def test_a_torn_or_foreign_line_costs_only_itself(tmp_path: Path) -> None:
    """Half a line, no JSON and no object are counted; what is appended after them is read."""
    spool.append(str(tmp_path), {"id": "1"})
    with (tmp_path / "spool" / spool.NAME).open("ab") as file:
        file.write(b'[1]\nnot json\n{"id": "half')
    spool.append(str(tmp_path), {"id": "2"})
    with spool.drained(str(tmp_path)) as batches:
        assert batches and [value["id"] for _, value in batches[0].lines] == ["1", "2"]
        assert batches[0].damaged == 3


def test_lines_of_a_newer_program_wait_for_it(tmp_path: Path) -> None:
    """A newer version stops the batch, which stays on disk; what came before is handed out."""
    for event in ({"id": "1"}, {"id": "2", "v": 99}, {"id": "3"}):
        spool.append(str(tmp_path), event)
    for _ in range(2):
        with spool.drained(str(tmp_path)) as batches:
            assert batches and [value["id"] for _, value in batches[0].lines] == ["1"]
            assert batches[0].waiting
            batches[0].done()
            path = batches[0].path
    assert b'"3"' in Path(path).read_bytes()


def test_limits_are_said_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line over 1 MiB and a spool over 64 MiB raise `OSError` and leave the file as it was."""
    spool.append(str(tmp_path), {"id": "1"})
    path = tmp_path / "spool" / spool.NAME
    before = path.read_bytes()
    with pytest.raises(OSError, match="too large"):
        spool.append(str(tmp_path), {"text": "x" * (1 << 20)})
    monkeypatch.setattr(spool, "FILE_BYTES", 4)
    with pytest.raises(OSError, match="curator ingest"):
        spool.append(str(tmp_path), {"id": "2"})
    assert path.read_bytes() == before
    assert json.loads(before) == {"v": 1, "id": "1"}
    assert path.stat().st_mode & 0o077 == 0


def test_nothing_spooled_is_nothing_to_take(tmp_path: Path) -> None:
    """Without a spool a drain gives no batch and creates nothing."""
    assert taken(tmp_path) == []
    assert list(tmp_path.iterdir()) == []
