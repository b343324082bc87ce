"""The first line that beads users give a memory: `@type=semantic:lesson @created=… @salience=… @refs=… @tags=…`. Pure.

Tokens come in any order; those that nothing here knows are kept where they stand. `[superseded DATE by KEY]` before
or after it says that the memory is retired.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

_TOKEN = re.compile(r"@([A-Za-z][\w-]*)=(\S*)")
_LINE = re.compile(r"\s*@[A-Za-z][\w-]*=\S*(?:[ \t]+@[A-Za-z][\w-]*=\S*)*[ \t\r]*")
_MARK = re.compile(r"\s*\[superseded (\d{4}-\d\d-\d\d) by ([^\]\n]+)\][ \t]*\n?")
NOBODY = "none"
"""What stands for KEY where nothing took the memory's place."""


@dataclass(frozen=True)
class Value:
    """A memory's value in its parts. `retired` is `(date, key)` or None; `tokens` the header's, in order."""

    body: str
    tokens: tuple[tuple[str, str], ...] = ()
    retired: tuple[str, str] | None = None

    def token(self, name: str) -> str:
        """The token's value, "" where there is none."""
        return dict(self.tokens).get(name, "")

    def words(self, name: str) -> tuple[str, ...]:
        """A list token, such as `@tags=a,b`."""
        return tuple(unquote(word) for word in self.token(name).split(",") if word)

    @property
    def text(self) -> str:
        """The parts as one value again."""
        mark = f"[superseded {self.retired[0]} by {self.retired[1]}] " if self.retired else ""
        line = " ".join(f"@{name}={value}" for name, value in self.tokens)
        return f"{mark}{line}\n{self.body}" if line else mark + self.body


def parsed(value: str) -> Value:
    """A memory's value in its parts."""
    rest, retired = _mark(value)
    first, _, after = rest.partition("\n")
    tokens: tuple[tuple[str, str], ...] = ()
    if _LINE.fullmatch(first):
        tokens = tuple(_TOKEN.findall(first))
        rest = after
        if retired is None:
            rest, retired = _mark(rest)
    return Value(rest, tokens, retired)


def with_tokens(tokens: tuple[tuple[str, str], ...], changes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The tokens with some set; an empty value takes one out, a new one comes last."""
    kept = [(name, changes.get(name, value)) for name, value in tokens]
    new = [(name, value) for name, value in changes.items() if name not in dict(tokens)]
    return tuple((name, value) for name, value in (*kept, *new) if value)


def listed(words: Iterable[str]) -> str:
    """Words as a list token; white space, commas and percent signs in them are percent-encoded."""
    return ",".join(re.sub(r"[\s,%]", lambda found: quote(found[0], safe=""), word) for word in words)


def _mark(value: str) -> tuple[str, tuple[str, str] | None]:
    found = _MARK.match(value)
    return (value[found.end() :], (found[1], found[2].strip())) if found else (value, None)
