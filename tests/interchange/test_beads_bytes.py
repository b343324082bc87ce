"""Beads files come back byte for byte, whoever wrote them, until a record changes."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.interchange.beads.dialect import Dialect, Json, dialect, edited, inner
from curator.store.engine import Store
from tests.interchange.beads import WRITERS, Writer, accept_all, edit, file_of, give, take, words

REAL = Path(os.environ.get("CURATOR_DATA") or Path(__file__).parents[3] / "shared" / "data") / "beads"
Make = Callable[[Path], Store]


@pytest.mark.parametrize("number", range(len(WRITERS)))
def test_ten_rounds_change_no_byte(number: int, new_store: Make, tmp_path: Path) -> None:
    """A file of any dialect comes back as it was: before a decision, after all are taken, and ten times over."""
    data = file_of(random.Random(number), WRITERS[number], 6)
    path = tmp_path / "in.jsonl"
    path.write_bytes(data)
    store = new_store(tmp_path / "shop")
    take(store, path)
    assert give(store) == data
    assert accept_all(store).complete
    for turn in range(10 if number == 0 else 2):
        out = tmp_path / f"{turn}.jsonl"
        assert give(store, out) == data
        if number == 0:
            take(store, out)
    assert take(store, out).proposals == []


@pytest.mark.skipif(not REAL.is_dir(), reason="the real files are not here")
@pytest.mark.slow
def test_real_files_come_back(new_store: Make, tmp_path: Path) -> None:
    """Every real file comes back byte for byte after all its proposals are accepted."""
    for file in sorted(REAL.glob("*.jsonl")):
        path = tmp_path / file.name
        path.write_bytes(file.read_bytes().replace(b"{~}", b""))
        store = new_store(tmp_path / file.stem)
        take(store, path)
        assert accept_all(store).complete
        assert give(store, tmp_path / f"{file.stem}.out") == path.read_bytes()


FIELDS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(("1.0", "1e5", "[1, 2]", '{"x":"\\u003c"}', '"é"')))
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(FIELDS, st.sampled_from(WRITERS), st.text(), st.sampled_from("abcde"))
def test_one_field_changes_and_no_other_byte(fields: list[tuple[str, str]], how: Writer, new: str, key: str) -> None:
    """Setting a field leaves every other field's text as it stands, in its place, and says the new value."""
    line = how.line(fields)
    out = edited(line, {key: new}, Dialect(how.comma, how.colon, how.html, how.ascii))
    value = json.loads(out)
    assert value[key] == new.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert {name for name, _ in fields} | {key} == set(value)
    for name in {name for name, _ in fields} - {key}:
        assert inner(out, name) == inner(line, name)
    assert list(dict.fromkeys(name for name, _ in fields if name != key)) == [name for name in value if name != key]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(FIELDS)
def test_the_same_value_gives_the_same_line(fields: list[tuple[str, str]]) -> None:
    """Setting each field to the text it has changes no byte, spaces and doubled keys included."""
    line = Writer(", ", " : ").line(fields)
    assert edited(line, {name: Json(inner(line, name) or "") for name, _ in fields}, Dialect()) == line


@pytest.mark.parametrize("how", WRITERS)
def test_a_dialect_is_told_from_the_file(how: Writer) -> None:
    """From a file's lines the separators and escapes of its writer are told, so that its own text comes out equal."""
    rng = random.Random(7)
    lines = [line for line in file_of(rng, how, 20).split(b"\n") if line.strip()]
    found = dialect(lines)
    for _ in range(20):
        text = words(rng)
        assert found.text({"k": [text, 1]}) == how.text({"k": [text, 1]})


def test_numbers_are_not_touched(store: Store, tmp_path: Path) -> None:
    """A changed record keeps `1.0`, `1e5` and numbers of any length as they were spelt."""
    big = "9" * 5_000
    line = f'{{"id":"cur-1","title":"t","n":1.0,"m":{{"e":1e5}},"big":{big},"created_at":"2031-01-01T00:00:00Z"}}\n'
    (tmp_path / "in.jsonl").write_text(line)
    take(store, tmp_path / "in.jsonl")
    assert accept_all(store).complete
    edit(store, "cur-1", title="u")
    out = give(store).decode()
    assert f'"title":"u","n":1.0,"m":{{"e":1e5}},"big":{big},' in out


VALUES = ("null", "7", "[]", "{}", "true", "NaN", "1e999", '"\\ud800"', '"a\\u0000b"', '"  "', '["a",7]', '"tombstone"',
    '"2031-13-45"', '{"kind":"\\ud800"}', '"[superseded 2031-01-01 by \\ud800] x"',
    '"@refs=a/\\ud800 @tags=\\u0000,b\\nc"',
    "[" * 3_000 + "]" * 3_000)  # fmt: skip
NAMES = ("_type", "_schema", "id", "title", "description", "notes", "status", "issue_type", "labels", "created_at",
    "updated_at", "delete_reason", "metadata", "key", "value")  # fmt: skip


def test_no_value_of_any_field_aborts_the_file(store: Store, tmp_path: Path) -> None:
    """Every field with every awkward value: a row is taken or named by its line, and each line comes back."""
    lines: list[str] = []
    for name in NAMES:
        for value in VALUES:
            number = len(lines)
            memory = {"_type": '"memory"', "key": f'"k{number}"', "value": f'"text {number}"'}
            issue = {"id": f'"c-{number}"', "title": f'"title {number}"', "status": '"tombstone"'}
            fields = {**(memory if name in {"key", "value"} else issue), name: value}
            lines.append("{" + ",".join(f'"{key}":{text}' for key, text in fields.items()) + "}")
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    report = take(store, path)
    read = report.read
    told = {*(number for number, _ in (*read.bad, *read.aside)), *(line.number for line in read.unknown)}
    repeated = {number for number, _, _ in read.repeated}
    assert len(told | repeated | {offer.line for offer in read.offers.values()}) == len(lines)
    assert accept_all(store).complete
    assert give(store) == path.read_bytes()
