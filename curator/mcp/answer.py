"""What a tool answers: text for a reader, the same as data, nothing in either that steers a terminal.

A client hands its model the one or the other (Claude Code 2.1 the data alone, and the text alone of an error), so
each says everything.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from curator.plain import plain


@dataclass(frozen=True)
class Answer:
    """`text` and `data` say the same; `wrong` marks an error, whose text is one line."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    wrong: bool = False


def error(reason: str, data: Mapping[str, Any] | None = None) -> Answer:
    """A failed call, in one line."""
    return Answer(" ".join(plain(reason).split()), data or {}, wrong=True)


def shown(value: Any) -> Any:
    """Data as it goes out: JSON types only, every text in its shown form."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, Mapping):
        return {plain(str(key)): shown(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [shown(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat()
    json.dumps(value)  # anything else is a fault of ours: better here than in the transport
    return value
