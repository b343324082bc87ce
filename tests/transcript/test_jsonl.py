"""Reading is streaming and per record: good ones count once, bad ones are counted, an unfinished one waits."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator.errors import NotFound
from curator.transcript import Cursor, Damaged, Record, believed, cursor_at, open_file, records

CASES = Path(__file__).parent.parent / "cases"


def read(data: bytes, cursor: Cursor | None = None) -> tuple[list[Record], list[Damaged], Cursor]:
    """Records, damaged lines and the cursor behind them."""
    file = io.BytesIO(data)
    found = list(records(file, cursor))
    at = cursor_at(file, found[-1].end, found[-1].lines) if found else cursor or Cursor()
    good = [each for each in found if isinstance(each, Record)]
    return good, [each for each in found if isinstance(each, Damaged)], at


def test_case_11_only_lf_ends_a_record() -> None:
    """U+2028, U+2029 and NEL inside strings do not split a record: five records, none damaged."""
    good, damaged, _ = read((CASES / "11/t.jsonl").read_bytes())
    assert len(good) == 5 and not damaged
    assert good[-1].line == 5


def test_case_16_an_unfinished_record_waits_until_it_is_whole() -> None:
    """The half-written third record is not damaged and not lost: it comes once, when the file has grown."""
    good, damaged, cursor = read((CASES / "16/part1.jsonl").read_bytes())
    assert (len(good), damaged) == (2, [])
    more, damaged, cursor = read((CASES / "16/full.jsonl").read_bytes(), cursor)
    assert (len(more), damaged) == (1, [])
    assert "设备" in json.dumps(more[0].data, ensure_ascii=False)
    assert read((CASES / "16/full.jsonl").read_bytes(), cursor)[0] == []


def test_case_18_a_bad_line_costs_only_itself() -> None:
    """Every good record is read; damaged lines are named by number; an empty line and repaired UTF-8 are neither."""
    good, damaged, _ = read((CASES / "18/t.jsonl").read_bytes())
    assert [each.line for each in good] == [1, 9, 11, 12, 13]
    assert [each.line for each in damaged] == [2, 4, 5, 6, 7, 8, 10]
    assert "�" in json.dumps(good[2].data, ensure_ascii=False)


def test_a_last_record_without_lf_is_taken_when_it_is_whole() -> None:
    """A complete object at the end of the file counts once, also when its LF comes later."""
    good, _, cursor = read(b'{"a":1}\n{"b":2}')
    assert [each.data for each in good] == [{"a": 1}, {"b": 2}]
    good, damaged, _ = read(b'{"a":1}\n{"b":2}\n{"c":3}\n', cursor)
    assert [(each.line, each.data) for each in good] == [(3, {"c": 3})] and not damaged


@pytest.mark.parametrize("data", [b'{"a":1}\n', b'{"z":1}\n{"b":2}\n{"c":3}\n'], ids=["shrunk", "replaced"])
def test_a_cursor_is_not_believed_for_another_file(data: bytes) -> None:
    """A file that shrank or was replaced is read from its start."""
    _, _, cursor = read(b'{"a":1}\n{"b":2}\n')
    assert not believed(io.BytesIO(data), cursor)
    good, _, _ = read(data, cursor)
    assert good[0].line == 1


@settings(max_examples=60)
@given(st.lists(st.one_of(st.just(b"{broken"), st.just(b""), st.integers().map(lambda n: b'{"n":%d}' % n))), st.data())
def test_reading_in_two_parts_is_reading_once(lines: list[bytes], data: st.DataObject) -> None:
    """Wherever the file stood when it was first read, both readings together give what one reading gives."""
    whole = b"".join(line + b"\n" for line in lines)
    cut = data.draw(st.integers(0, len(whole)))
    first, first_bad, cursor = read(whole[:cut])
    second, second_bad, _ = read(whole, cursor)
    good, bad, _ = read(whole)
    assert [each.data for each in (*first, *second)] == [each.data for each in good]
    assert [each.line for each in (*first_bad, *second_bad)] == [each.line for each in bad]


def test_a_record_over_the_limit_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long is damaged, is not held in memory, and the next record is read."""
    monkeypatch.setattr("curator.transcript.jsonl.MAX_LINE", 100)
    good, damaged, _ = read(b'{"a":"' + b"x" * 500 + b'"}\n{"b":2}\n')
    assert [each.data for each in good] == [{"b": 2}]
    assert [each.line for each in damaged] == [1]


def test_deep_nesting_and_odd_numbers_are_damage_not_crashes() -> None:
    """A line that makes the parser give up is counted; the next one is read."""
    good, damaged, _ = read(b'{"a":' + b"[" * 100_000 + b"\n" + b'{"n":' + b"9" * 5_000 + b'}\n{"ok":1}\n')
    assert good[-1].data == {"ok": 1} and damaged[0].line == 1


def test_packed_files_are_read_and_missing_ones_are_named(tmp_path: Path) -> None:
    """A `.gz` transcript reads like any other; a missing file is one clear error."""
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(b'{"a":1}\n'))
    with open_file(tmp_path / "t.jsonl.gz") as file:
        assert [each.line for each in records(file)] == [1]
    with pytest.raises(NotFound, match=r"no\.jsonl"):
        open_file(tmp_path / "no.jsonl")


_MEASURE = """
import re, resource, sys
from pathlib import Path
from curator.hosts.claude import Reader
from curator.transcript import Record, open_file, records
with open_file(Path(sys.argv[1])) as file:
    reader, count = Reader(), 0
    for each in records(file):
        assert isinstance(each, Record)
        count += sum(1 for _ in reader.messages(each))
status = Path("/proc/self/status")  # `ru_maxrss` begins at what the process that started this one used
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(count, (int(peak.group(1)) if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) // 1024)
"""


def test_case_17_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """60 MB with one line of 20 MB are read within 250 MB."""
    big = tmp_path / "big.jsonl"
    subprocess.run([sys.executable, str(CASES / "17/make_big.py"), str(big)], check=True)
    done = subprocess.run([sys.executable, "-c", _MEASURE, str(big)], check=True, capture_output=True, text=True)
    count, megabytes = map(int, done.stdout.split())
    assert count == 4_000 and megabytes < 250
