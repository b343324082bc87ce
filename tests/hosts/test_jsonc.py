"""Reading JSON with comments, and edits that change only what they name."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.hosts.jsonc import Malformed, parse
from curator.hosts.splice import Style, append, remove, replace, style_of

_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8))
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=12,
)
_LAYOUTS = st.sampled_from([None, 1, 2, 4, "\t"])


@given(_VALUES, _LAYOUTS)
def test_plain_json_means_what_the_standard_reader_says(value: Any, indent: int | str | None) -> None:
    """Any JSON document is read as the standard library reads it, in every layout."""
    assert parse(json.dumps(value, indent=indent)).value == value


@given(st.dictionaries(st.text(max_size=5), _VALUES, max_size=4), _LAYOUTS, st.booleans(), _VALUES)
def test_adding_then_removing_gives_the_same_bytes(
    value: dict[str, Any], indent: int | str | None, crlf: bool, added: Any
) -> None:
    """A member appended to any object and removed again leaves the text as it was; the others keep their values."""
    text = json.dumps(value, indent=indent)
    text = text.replace("\n", "\r\n") if crlf else text
    root = parse(text)
    new = append(text, root, "curator!", added, style_of(text, root))
    assert parse(new).value == {**value, "curator!": added}
    grown = parse(new)
    item = grown.get("curator!")
    assert item
    assert remove(new, grown, item) == text


@given(st.lists(_VALUES, min_size=1, max_size=5), _LAYOUTS, st.booleans(), st.data())
def test_removing_any_element_leaves_the_others(
    values: list[Any], indent: int | str | None, trailing: bool, data: st.DataObject
) -> None:
    """Any element of a list can be taken out, with or without a trailing comma; the others keep value and order."""
    text = json.dumps(values, indent=indent)
    if trailing:
        end = len(text[:-1].rstrip())
        text = text[:end] + "," + text[end:]
    index = data.draw(st.integers(0, len(values) - 1))
    root = parse(text)
    assert parse(remove(text, root, root.items[index])).value == values[:index] + values[index + 1 :]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ('// c\n{"a": /* , */ [1, // x ]\n 2,],}\n// end', {"a": [1, 2]}),
        ('\ufeff{"a": "// no /* comment */ ,}"}', {"a": "// no /* comment */ ,}"}),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_comments_and_trailing_commas_are_read(text: str, value: Any) -> None:
    """Comments, trailing commas, a byte order mark; marks inside strings are text."""
    assert parse(text).value == value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{ "hooks": { "Stop": [ }', 1),
        ('{\n "a": 1\n "b": 2\n}', 3),
        ('{\n "a": tru\n}', 2),
        ('{"a": 1}\n\n{"b": 2}', 3),
        ('{\n "a": "open\n}', 2),
        ("{\n 'a': 1}", 2),
        ("{,}", 1),
        ('{"a": 1 /* open', 1),
        ("[" * 5000, 1),
        ("", 1),
    ],
)
def test_what_is_not_json_is_refused_with_its_line(text: str, line: int) -> None:
    """The error names the line where reading stopped."""
    with pytest.raises(Malformed) as caught:
        parse(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("[ // c\n  1\n]", 0),
        ("[ // c\n  1, 2]", 0),
        ("[1, // c\n  2]", 1),
        ("[1 /* a */, /* b */ 2 /* c */]", 1),
        ("[1, 2 // c\n, 3]", 1),
        ("[1, // one\n 2, // two\n]", 1),
    ],
)
def test_comments_stay_where_an_element_goes(text: str, index: int) -> None:
    """No comment is lost, and none swallows what follows it."""
    root = parse(text)
    new = remove(text, root, root.items[index])
    assert parse(new).value == root.value[:index] + root.value[index + 1 :]
    for mark in ("// c", "/* a */", "/* b */", "/* c */", "// one", "// two"):
        assert new.count(mark) == text.count(mark)


@pytest.mark.parametrize("text", ["[1 // c\n]", "[1, // c\n]", "[ // c\n]", "[1] // c", "[/* c */]", "[\n\t1 // c\n]"])
def test_comments_stay_where_an_element_comes(text: str) -> None:
    """An element appended after a comment is outside it, and taking it out gives a text of the same meaning."""
    root = parse(text)
    new = append(text, root, None, {"x": [1]}, Style("\n", "  "))
    grown = parse(new)
    assert grown.value == [*root.value, {"x": [1]}]
    assert parse(remove(new, grown, grown.items[-1])).value == root.value
    assert new.count("c") == text.count("c")


def test_a_value_is_replaced_in_its_place() -> None:
    """Only the bytes of the value change."""
    text = '{ "a" : "x" /* y */ }'
    item = parse(text).get("a")
    assert item
    assert replace(text, item.node, "é\n") == '{ "a" : "é\\n" /* y */ }'
