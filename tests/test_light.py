"""The stand-ins of the hook's path behave like what they stand for."""

import hashlib
import json
import typing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.light import NamedTuple, day_of, digest, parsed, written

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


class Point(NamedTuple):
    """Two required fields and one with a default."""

    x: int
    y: int
    name: str = "p"

    @property
    def both(self) -> int:
        """A property."""
        return self.x + self.y


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a slow machine is no fault
@given(VALUES)
def test_json_round_trips_and_agrees_with_the_library(value: typing.Any) -> None:
    """What is written is what `json` reads, and what `json` writes is read alike."""
    assert json.loads(written(value)) == value == parsed(json.dumps(value))
    assert written(value).isascii()
    assert parsed(f" {json.dumps(value, indent=1)}\n".encode()) == value


@pytest.mark.parametrize("bad", ["", "{", "[1", '{"a":}', "1 2", "nul", b"\xff", '"a'])
def test_what_is_no_json_is_a_value_error(bad: str | bytes) -> None:
    """Empty, torn, trailing and undecodable documents are refused, whether or not `json` was imported."""
    with pytest.raises(ValueError):
        parsed(bad)


def test_a_value_that_is_no_json_is_named() -> None:
    """A set is no JSON."""
    with pytest.raises(TypeError):
        written({1, 2})


def test_a_named_tuple_has_its_fields_defaults_and_methods() -> None:
    """Construction by place and name, replacing, comparing, and errors for what does not fit."""
    one = Point(1, y=2)
    assert one == (1, 2, "p") and one.both == 3 and one.name == "p" and Point._fields == ("x", "y", "name")
    assert one._replace(x=5) == Point(5, 2) and one._asdict() == {"x": 1, "y": 2, "name": "p"}
    assert Point._make([1, 2, "q"]).name == "q" and "y=2" in repr(one)
    with pytest.raises(TypeError):
        Point(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, 2, "p", 4)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Point(1, 2, z=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="no such field"):
        one._replace(z=1)  # type: ignore[call-arg]


def test_digest_and_day() -> None:
    """SHA-256, and the calendar's own days."""
    assert digest("中文") == hashlib.sha256("中文".encode()).hexdigest()
    assert day_of(741506) == "2031-03-05" and day_of(0) == day_of(-3) == "unknown"
