"""What a tool takes: its parameters as the client is told them, and the check of what a model then sends.

Owns the leniency: a list given as one text, a number given as text and a null for what may be left out are taken as
they are meant. Everything else that does not fit is one sentence with all of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from curator.errors import BadUsage
from curator.plain import one_line

LONGEST = 4_000
"""Characters of an argument, unless its parameter says otherwise."""

_MOST = 50
"""Elements of a list."""


class Form(StrEnum):
    """The type of a parameter."""

    TEXT = "text"
    TEXTS = "texts"
    NUMBER = "number"
    NUMBERS = "numbers"
    EDITS = "edits"


_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer"}
_EDIT: dict[str, Any] = {
    "type": "object",
    "properties": {"old": _TEXT, "new": _TEXT, "section": _TEXT},
    "required": ["old", "new"],
}
_SCHEMAS: dict[Form, dict[str, Any]] = {
    Form.TEXT: _TEXT,
    Form.TEXTS: {"type": "array", "items": _TEXT},
    Form.NUMBER: _NUMBER,
    Form.NUMBERS: {"type": "array", "items": _NUMBER},
    Form.EDITS: {"type": "array", "items": _EDIT},
}


@dataclass(frozen=True)
class Param:
    """One parameter. `longest` counts characters of a text (0: the door cuts it); `choices` are all it may be."""

    name: str
    form: Form = Form.TEXT
    says: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    longest: int = LONGEST

    @property
    def schema(self) -> dict[str, Any]:
        """The parameter in JSON Schema, with no word that a session would pay for in vain."""
        told = {"description": self.says} if self.says else {}
        return {**_SCHEMAS[self.form], **({"enum": list(self.choices)} if self.choices else {}), **told}


def schema(params: Sequence[Param]) -> dict[str, Any]:
    """The parameters of a tool in JSON Schema."""
    required = [param.name for param in params if param.required]
    return {
        "type": "object",
        "properties": {param.name: param.schema for param in params},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def checked(params: Sequence[Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a tool may rely on, without what was left out. Raises `BadUsage` with all that is wrong."""
    known = {param.name: param for param in params}
    wrong = [f"there is no argument {one_line(str(name), 40)!r}" for name in given if name not in known]
    found: dict[str, Any] = {}
    for name, param in known.items():
        value = given.get(name)
        if value is None:
            if param.required:
                wrong.append(f"`{name}` is missing")
            continue
        try:
            found[name] = _value(param, value)
        except ValueError as error:
            wrong.append(f"`{name}` {error}")
    if wrong:
        raise BadUsage("; ".join(wrong[:8]))
    return found


def _value(param: Param, value: Any) -> Any:
    """The value in the parameter's type; raises `ValueError` with what it must be."""
    match param.form:
        case Form.TEXT:
            return _text(param, value)
        case Form.TEXTS:
            return [_text(param, each) for each in _list([value] if isinstance(value, str) else value)]
        case Form.NUMBER:
            return _number(value)
        case Form.NUMBERS:
            return [_number(each) for each in _list(value, most=10_000)]
        case Form.EDITS:
            return [_edit(param, each) for each in _list([value] if isinstance(value, dict) else value)]


def _text(param: Param, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    if not value.strip():
        raise ValueError("is empty")
    if param.longest and len(value) > param.longest:
        raise ValueError(f"has {len(value):,} characters; at most {param.longest:,}")
    if param.choices and value not in param.choices:
        raise ValueError(f"is one of {', '.join(param.choices)}")
    return value


def _number(value: Any) -> int:
    if isinstance(value, str) and value.strip().lstrip("#").isdecimal() and len(value) < 20:
        return int(value.strip().lstrip("#"))
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or not 0 <= value < 10**9:
        raise ValueError("must be a whole number, not negative")
    return int(value)


def _list(value: Any, most: int = _MOST) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("must be a list")
    if len(value) > most:
        raise ValueError(f"has {len(value)} elements; at most {most}")
    return value


def _edit(param: Param, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not {"old", "new"} <= value.keys() <= {"old", "new", "section"}:
        raise ValueError("must be objects with `old`, `new` and, if need be, `section`")
    if not all(isinstance(each, str) and len(each) <= param.longest for each in value.values()):
        raise ValueError(f"must hold texts of at most {param.longest:,} characters")
    return value
