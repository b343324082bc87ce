"""What the hook uses for `typing`, `collections`, `json`, `hashlib`, `datetime`: importing these takes half its time.

Owns stand-ins that behave like the originals for what is needed here, and nothing else; a type checker sees the
originals. Measured in docs/decisions/0071.
"""

TYPE_CHECKING = False  # a type checker takes this name for true

if TYPE_CHECKING:
    from collections.abc import Callable as Callable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from collections.abc import Sequence as Sequence
    from typing import Any as Any
    from typing import NamedTuple as NamedTuple
else:
    # `os` has loaded these already; `collections.abc` would load the package around it.
    from _collections_abc import Callable, Iterator, Mapping, Sequence  # noqa: F401 - imported from here

    Any = object

    class _Named(type):
        """Makes a tuple with names of a class's annotations, its defaults and its methods."""

        def __new__(mcls, name, bases, space):
            if not bases:
                return super().__new__(mcls, name, bases, space)
            from _collections import _tuplegetter as getter

            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in fields if field in space}
            space |= {field: getter(at, None) for at, field in enumerate(fields)}
            return type(name, (_Tuple,), {**space, "__slots__": (), "_fields": fields, "_field_defaults": defaults})

    class _Tuple(tuple):
        """The methods of a named tuple."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 - replaced, never changed

        def __new__(cls, *values, **named):
            fields = cls._fields
            if named or len(values) != len(fields):
                rest = {**cls._field_defaults, **named}
                try:
                    values += tuple(rest.pop(field) for field in fields[len(values) :])
                except KeyError as error:
                    raise TypeError(f"{cls.__name__} needs {error}") from None
                if len(values) != len(fields) or named.keys() - set(fields):
                    raise TypeError(f"{cls.__name__} has {', '.join(fields)}")
            return tuple.__new__(cls, values)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, **changes):
            made = tuple.__new__(type(self), [changes.pop(f, v) for f, v in zip(self._fields, self, strict=True)])
            if changes:
                raise ValueError(f"no such field: {', '.join(changes)}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._asdict().items())})"

        def __reduce__(self):
            return type(self), tuple(self)

    class NamedTuple(metaclass=_Named):
        """`typing.NamedTuple` without its import."""


def parsed(text: str | bytes) -> Any:
    """A JSON document's value; raises `ValueError` (also for invalid UTF-8) or `RecursionError`."""
    whole = (text if isinstance(text, str) else text.decode("utf-8")).strip(" \t\n\r")
    try:
        from _json import make_scanner  # the scanner of `json` without the package around it
    except ImportError:
        return _json().loads(whole)
    try:
        value, end = make_scanner(_Scanning)(whole, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):  # the scanner cannot raise `json`'s error where `json` was never imported
        raise ValueError("no JSON value") from None
    if end != len(whole):
        raise ValueError("more than one JSON value")
    return value


class _Scanning:
    """What the scanner asks for."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner empties it itself


def written(value: Any, *, ascii_only: bool = True) -> str:
    """A value as JSON; the same value gives the same text."""
    try:
        from _json import encode_basestring, encode_basestring_ascii, make_encoder
    except ImportError:
        return str(_json().dumps(value, ensure_ascii=ascii_only, separators=(",", ":")))
    quote = encode_basestring_ascii if ascii_only else encode_basestring
    try:
        return "".join(make_encoder(None, _refused, quote, None, ":", ",", False, False, False)(value, 0))
    except TypeError:  # another release's encoder, or a value that is no JSON: `json` names it
        return str(_json().dumps(value, ensure_ascii=ascii_only, separators=(",", ":")))


def digest(text: str) -> str:
    """The SHA-256 of a text as 64 hexadecimal digits."""
    if TYPE_CHECKING:
        from hashlib import sha256
    else:
        try:
            from _sha256 import sha256  # CPython 3.11
        except ImportError:
            try:
                from _sha2 import sha256  # CPython 3.12 and later
            except ImportError:
                from hashlib import sha256
    return str(sha256(text.encode("utf-8", "replace")).hexdigest())


def day_of(ordinal: int) -> str:
    """A proleptic ordinal as YYYY-MM-DD; `unknown` where the calendar has no such day."""
    import time

    try:
        return time.strftime("%Y-%m-%d", time.gmtime((ordinal - 719_163) * 86_400)) if ordinal > 0 else "unknown"
    except (ValueError, OverflowError, OSError):
        return "unknown"


def _json() -> Any:
    import json

    return json


def _refused(value: Any) -> Any:
    raise TypeError(type(value).__name__)
