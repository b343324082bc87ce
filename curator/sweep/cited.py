"""Anchors found in a text: the paths, symbols, commands and commits that a note names and the project has.

Owns what counts as naming one. Only what exists now becomes an anchor, so that a text about another project, or about
what is still to be made, is never called stale.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from curator.edge.anchors import Checker, State, kind_of
from curator.sweep.planned import Planned
from curator.sweep.slots import Slot, tokens

MOST = 5
"""Anchors taken from one text."""

_CODE = re.compile(r"`([^`\n]{3,120})`")
_LINE = re.compile(r"[\w./-]+\.\w{1,8}:\d+")
_COMMIT = re.compile(r"\bcommit\s+([0-9a-f]{7,40})\b", re.IGNORECASE)
_COMMAND = re.compile(r"(?:make|npm run|pnpm run|yarn run|bun run)\s+[\w:.-]+")
_NAME = re.compile(r"_|[a-z][A-Z]|\w\.\w|::|->|\(\)$")


def cited(text: str) -> tuple[str, ...]:
    """What the text seems to name, in order, each once."""
    spans = [span.strip() for span in _CODE.findall(text)]
    paths = [t.text for t in tokens(text) if t.slot is Slot.PATH and "://" not in t.text and "*" not in t.text]
    lines = _LINE.findall(text)
    found = [*lines, *(path for path in paths if not any(line.startswith(f"{path}:") for line in lines))]
    found += [span for span in spans if _COMMAND.fullmatch(span) or (kind_of(span) == "symbol" and _NAME.search(span))]
    found += _COMMIT.findall(text)
    return tuple(dict.fromkeys(found))


def with_anchors(planned: Sequence[Planned], checker: Checker) -> list[Planned]:
    """The proposals made from notes, each result with the anchors that its text names and the project has."""
    wanted = {ref for each in planned if each.notes for draft in each.after for ref in cited(draft.body)}
    there = {ref for ref, anchor in checker.check(sorted(wanted)).items() if anchor.state is State.FRESH}
    return [_anchored(each, there) if each.notes else each for each in planned]


def _anchored(planned: Planned, there: set[str]) -> Planned:
    after = []
    for draft in planned.after:
        new = [ref for ref in cited(draft.body) if ref in there and ref not in draft.refs][:MOST]
        after.append(replace(draft, refs=(*draft.refs, *new)))
    return planned.with_(after=tuple(after))
